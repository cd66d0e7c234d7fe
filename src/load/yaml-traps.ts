/** How the two versions of YAML read one plain scalar, in words that fit "YAML 1.1 reads …". */
export interface TwoReadings {
  readonly yaml11: string;
  readonly yaml12: string;
  /** How to write it when it is not meant as text. */
  readonly instead?: string;
}

const trap =
  /^(?:y|n|yes|no|on|off|=|[-+]?0[0-9_]+|0o[0-7]+|[-+]0x[0-9a-f_]+|0x[0-9a-f]*_[0-9a-f_]*|[-+]?0b[01_]+|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?|[-+]?[0-9][0-9_.]*_[0-9_.]*|[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)e[-+]?[0-9]+|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[t \t].*)?)$/i;

/**
 * The readings of a plain (unquoted) scalar where they differ, else undefined. `~`, `.5`, `0x1F` and `True` are the
 * same in both. YAML 1.1 is taken by its letter, which PyYAML follows; Go's readers are in between.
 */
export function twoReadings(source: string): TwoReadings | undefined {
  if (source.length > 40 || !trap.test(source)) return undefined;
  const lower = source.toLowerCase();
  return word(lower) ?? date(source) ?? sexagesimal(source) ?? octal(lower) ?? exponent(lower) ?? digits(lower);
}

function word(lower: string): TwoReadings | undefined {
  if (lower === '=') return { yaml11: 'a default-value mark', yaml12: 'text' };
  if (/^(?:y|yes|on)$/.test(lower)) return { yaml11: 'true', yaml12: 'text', instead: '`true`' };
  if (/^(?:n|no|off)$/.test(lower)) return { yaml11: 'false', yaml12: 'text', instead: '`false`' };
  return undefined;
}

function date(source: string): TwoReadings | undefined {
  return /^[0-9]{4}-/.test(source) ? { yaml11: 'a date', yaml12: 'text' } : undefined;
}

function sexagesimal(source: string): TwoReadings | undefined {
  if (!source.includes(':')) return undefined;
  const sign = source.startsWith('-') ? -1 : 1;
  const parts = source.replace(/^[-+]/, '').replaceAll('_', '').split(':');
  const value = parts.reduce((sum, part) => sum * 60 + Number(part), 0);
  return { yaml11: `the number ${sign * value}`, yaml12: 'text' };
}

/** `0755` and its relatives: 493 or 755. With 8 or 9 in it, 1.1 has no reading as a number left. */
function octal(lower: string): TwoReadings | undefined {
  const modern = /^0o([0-7]+)$/.exec(lower)?.[1];
  if (modern !== undefined) {
    const value = Number.parseInt(modern, 8);
    return { yaml11: 'text', yaml12: `the number ${value}`, instead: `\`${value}\`` };
  }
  const old = /^[-+]?0[0-9]+$/.test(lower) ? lower : undefined;
  if (old === undefined) return undefined;
  const decimal = Number(old);
  if (decimal === 0) return undefined;
  if (/[89]/.test(old)) return { yaml11: 'text', yaml12: `the number ${decimal}`, instead: `\`${decimal}\`` };
  const value = Math.sign(decimal) * Number.parseInt(old.replace(/^[-+]/, ''), 8);
  if (value === decimal) return undefined;
  return { yaml11: `the number ${value}`, yaml12: `the number ${decimal}`, instead: `\`${value}\` or \`${decimal}\`` };
}

/** 1.1 wants a dot and a sign: `1.0e+3`. */
function exponent(lower: string): TwoReadings | undefined {
  if (!/^[-+]?[0-9.]+e/.test(lower) || /\..*e[-+]/.test(lower)) return undefined;
  const value = Number(lower);
  return {
    yaml11: 'text',
    yaml12: `the number ${value}`,
    instead: Number.isSafeInteger(value) ? `\`${value}\`` : '`1.0e+3`',
  };
}

/** Underscores, binary and signed hexadecimal: numbers in 1.1 only. */
function digits(lower: string): TwoReadings | undefined {
  if (!/[_bx]/.test(lower)) return undefined;
  const sign = lower.startsWith('-') ? -1 : 1;
  const plain = lower.replace(/^[-+]/, '').replaceAll('_', '');
  const value = sign * (/^0[0-7]+$/.test(plain) ? Number.parseInt(plain, 8) : Number(plain));
  if (Number.isNaN(value)) return undefined;
  return { yaml11: `the number ${value}`, yaml12: 'text', instead: `\`${value}\`` };
}
