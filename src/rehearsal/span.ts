import type { Span } from './rehearsal.ts';

/** Between two runs; what happens in one of them only may be never. Milliseconds in, whole seconds out. */
export function between(soonest: number | undefined, latest: number | undefined): Span {
  const known = [soonest, latest].filter((value) => value !== undefined).map(Math.abs);
  if (known.length === 0) return { from: null, to: null };
  const from = Math.floor(Math.min(...known) / 1000);
  return { from, to: known.length < 2 ? null : Math.ceil(Math.max(...known) / 1000) };
}

/** From the beginning until the last of them has happened. */
export function untilAll(spans: readonly Span[]): Span {
  return spans.reduce((whole, { from, to }) => ({ from: later(whole.from, from), to: later(whole.to, to) }), {
    from: 0,
    to: 0,
  });
}

function later(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : Math.max(a, b);
}

/** Those that come first first; never is last. */
export function compareSpans(a: Span, b: Span): number {
  return compareTimes(a.from, b.from) || compareTimes(a.to, b.to);
}

function compareTimes(a: number | null, b: number | null): number {
  const [left, right] = [a ?? Number.MAX_SAFE_INTEGER, b ?? Number.MAX_SAFE_INTEGER];
  return left - right;
}
