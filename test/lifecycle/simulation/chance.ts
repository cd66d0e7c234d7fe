/** A stream of chances that a seed brings back: the same seed is the same three years. */
export interface Chance {
  /** From 0 up to, but without, 1. */
  number(): number;
  /** Whether something of this probability happens. */
  happens(probability: number): boolean;
  /** Whole, both ends included. */
  between(least: number, most: number): number;
  of<T>(choices: readonly [T, ...T[]]): T;
}

/** mulberry32: small, fast, and good enough to stumble about with. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const number = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    number,
    happens: (probability) => number() < probability,
    between: (least, most) => least + Math.floor(number() * (most - least + 1)),
    of: (choices) => choices[Math.floor(number() * choices.length)] ?? choices[0],
  };
}
