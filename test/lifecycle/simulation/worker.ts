import { simulate } from './simulate.ts';

/** Three years of a thousand claims. */
export interface Lived {
  readonly seed: number;
  /** What happened how often. */
  readonly counts: Readonly<Record<string, number>>;
  /** The promise that was broken, and how. */
  readonly broken?: string;
}

process.on('message', (seed: number) => process.send?.(live(seed)));

function live(seed: number): Lived {
  try {
    return { seed, counts: simulate({ seed, claims: 1000, years: 3 }).counts };
  } catch (error) {
    return { seed, counts: {}, broken: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
