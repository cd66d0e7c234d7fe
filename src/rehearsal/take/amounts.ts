import { inBillionths } from '../../validate/grammar/quantity.ts';
import type { Amounts } from '../snapshot.ts';

type Quantities = Readonly<Record<string, string | number>> | undefined;

/** A cluster has few different quantities, and many of each. */
const known = new Map<string, number>();

export function amountsOf(quantities: Quantities): Amounts {
  const amounts = Object.entries(quantities ?? {}).map(([name, quantity]) => [name, amountOf(name, String(quantity))]);
  return Object.fromEntries(amounts) as Amounts;
}

/** Thousandths of a CPU, whole units of everything else, rounded up. */
function amountOf(name: string, quantity: string): number {
  const key = name === 'cpu' ? `m${quantity}` : quantity;
  const found = known.get(key);
  if (found !== undefined) return found;
  const unit = name === 'cpu' ? 1_000_000n : 1_000_000_000n;
  const amount = Number(((inBillionths(quantity) ?? 0n) + unit - 1n) / unit);
  known.set(key, amount);
  return amount;
}

export function sum(all: readonly Amounts[]): Amounts {
  return merged(all, (a, b) => a + b);
}

export function largest(all: readonly Amounts[]): Amounts {
  return merged(all, Math.max);
}

function merged(all: readonly Amounts[], join: (a: number, b: number) => number): Amounts {
  const names = [...new Set(all.flatMap((amounts) => Object.keys(amounts)))].sort();
  return Object.fromEntries(
    names.map((name) => [name, all.map((amounts) => amounts[name] ?? 0).reduce((a, b) => join(a, b))]),
  );
}
