import type { Instant } from '../instant.ts';
import { instantText, parseInstant } from '../instant.ts';

export const second = 1000;
export const hour = 3600 * second;
export const day = 24 * hour;

/**
 * Of a record or a claim, whose instants the schema has checked: what is no instant all the same counts as long ago. In
 * whole seconds, as they are written: a deadline of milliseconds would never be the one that a record names.
 */
export function at(text: string): Instant {
  return Math.floor((parseInstant(text) ?? Number.NEGATIVE_INFINITY) / second) * second;
}

export function atOr<T>(text: string | undefined, otherwise: T): Instant | T {
  return text === undefined ? otherwise : at(text);
}

export { instantText as textOf };

/** The first midnight (UTC) at or after it. */
export function nextMidnight(instant: Instant): Instant {
  return Math.ceil(instant / day) * day;
}

export function latest(...instants: readonly (Instant | undefined)[]): Instant {
  let found = Number.NEGATIVE_INFINITY;
  for (const instant of instants) if (instant !== undefined && instant > found) found = instant;
  return found;
}
