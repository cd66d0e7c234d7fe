export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * How long to wait before attempt `attempt` (1 is the first one after a failure): twice as long each time, and a random
 * part of it, so that many clients which failed at one moment do not come back at one moment.
 */
export function backoffMs({ firstMs, longestMs }: Backoff, attempt: number, random: () => number): number {
  const full = Math.min(longestMs, firstMs * 2 ** Math.min(attempt - 1, 30));
  return Math.round(full / 2 + (full / 2) * random());
}
