import { writeFileSync } from 'node:fs';

/** One figure of a benchmark, soak or replay: all of them report in this form. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What it should be, e.g. `<= 0.5`; absent where it is only told. */
  readonly goal?: string;
  readonly ok: boolean;
}

/** A figure that has to stay at or below `limit`. */
export function atMost(name: string, value: number, unit: string, limit: number): Figure {
  return { name, value: round(value), unit, goal: `<= ${limit}`, ok: value <= limit };
}

/** A figure that has to stay at or above `limit`. */
export function atLeast(name: string, value: number, unit: string, limit: number): Figure {
  return { name, value: round(value), unit, goal: `>= ${limit}`, ok: value >= limit };
}

export function told(name: string, value: number, unit: string): Figure {
  return { name, value: round(value), unit, ok: true };
}

export function printFigure({ name, value, unit, goal, ok }: Figure): void {
  const verdict = goal === undefined ? '' : `   goal ${goal}: ${ok ? 'met' : 'MISSED'}`;
  process.stdout.write(`${name.padEnd(62)} ${String(value).padStart(9)} ${unit.padEnd(7)}${verdict}\n`);
}

export function writeFigures(file: string, figures: readonly Figure[]): void {
  writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`);
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
