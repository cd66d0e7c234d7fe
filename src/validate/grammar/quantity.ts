import { type Fault, shown } from './fault.ts';

/** apimachinery `resource.Quantity`: a signed decimal number, then a binary or decimal suffix or an exponent. */
const grammar = /^([+-]?)(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))(?:([KMGTPE]i)|([numkMGTPE]?)|[eE]([+-]?[0-9]+))$/;

const decimal: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const binary: Readonly<Record<string, bigint>> = {
  Ki: 2n ** 10n,
  Mi: 2n ** 20n,
  Gi: 2n ** 30n,
  Ti: 2n ** 40n,
  Pi: 2n ** 50n,
  Ei: 2n ** 60n,
};
/** Kubernetes keeps nothing finer than a billionth and nothing above 2⁶³−1. */
const nano = 9;
const most = (2n ** 63n - 1n) * 10n ** 9n;

/** YAML reads `cpu: 2` as a number; Kubernetes takes it as the text "2". */
export type Quantity = string | number;

export function quantityFault(quantity: Quantity): Fault | undefined {
  const text = String(quantity);
  const value = inBillionths(text);
  if (value !== undefined && value >= 0n) return undefined;
  return {
    code: 'quantity-invalid',
    message: value === undefined ? `${shown(text)} is no quantity.` : `${shown(text)} is negative.`,
    remedy: suggestion(text),
  };
}

/** The exact value times 10⁹, rounded away from zero and cut to Kubernetes' range. Undefined for what is no quantity. */
export function inBillionths(quantity: Quantity): bigint | undefined {
  const match = grammar.exec(String(quantity));
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = match[4] ?? '', , two, ten, exponent] = match;
  const digits = BigInt(`${whole}${fraction}` || '0');
  const shift = (exponent === undefined ? (decimal[ten ?? ''] ?? 0) : Number(exponent)) + nano - fraction.length;
  const scaled = digits * (two === undefined ? 1n : (binary[two] ?? 1n));
  const value =
    scaled === 0n ? 0n : shift > 64 ? most : shift >= 0 ? scaled * 10n ** BigInt(shift) : divideUp(scaled, -shift);
  const cut = value > most ? most : value;
  return sign === '-' ? -cut : cut;
}

/** Bytes with a remainder below one: `memory: 512m` asks for half a byte, and 512Mi was meant. */
export function isFractionOfByte(quantity: Quantity): boolean {
  return (inBillionths(quantity) ?? 0n) % 10n ** 9n !== 0n;
}

function divideUp(value: bigint, places: number): bigint {
  // Digits are never so many that a hundred places would leave anything.
  if (places > value.toString().length + 1) return 1n;
  const divisor = 10n ** BigInt(places);
  return (value + divisor - 1n) / divisor;
}

function suggestion(text: string): string {
  const better = respelled(text);
  return better === undefined
    ? 'Write a number with at most one suffix: m, k, M, G, T or Ki, Mi, Gi, Ti; for example "500m" or "4Gi".'
    : `Did you mean "${better}"?`;
}

/** What people write for it: `512MB`, `4 GiB`, `1,5Gi`, `5gi`, `10K`. */
function respelled(text: string): string | undefined {
  const match = /^\s*([0-9]+(?:[.,][0-9]+)?)\s*([A-Za-z]*)\s*$/.exec(text);
  // A bare `e` may be the exa suffix or half an exponent.
  if (match === null || match[2] === 'e') return undefined;
  const unit = (match[2] ?? '').toLowerCase().replace(/b(?:ytes?)?$/, '');
  const suffix = unit.endsWith('i') ? `${unit.slice(0, -1).toUpperCase()}i` : unit === 'k' ? 'k' : unit.toUpperCase();
  const better = `${match[1]?.replace(',', '.')}${unit === 'm' && match[2] === 'm' ? 'm' : suffix}`;
  return better !== text && (inBillionths(better) ?? -1n) >= 0n ? better : undefined;
}
