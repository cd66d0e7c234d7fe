import { setTimeout as sleep } from 'node:timers/promises';

/** What one look found: what was waited for, or what is there in its place, in words for whoever reads the failure. */
export type Look<T> = { readonly met: T } | { readonly seen: string };

export interface WaitOptions {
  readonly seconds: number;
  readonly everyMs?: number;
}

/** An error that no waiting will mend, for example a program that has ended. It ends a wait at once. */
export class Hopeless extends Error {}

export class WaitedInVain extends Error {
  constructor(what: string, seconds: number, seen: string, cause: unknown) {
    super(`waited ${seconds} s for ${what}; last seen: ${seen}`, { cause });
  }
}

/**
 * Looks again and again until it is met. A look that throws counts as "not yet": an API server that is being restarted
 * refuses connections. A look that hangs is given up at the limit as well.
 */
export async function waitFor<T>(
  what: string,
  { seconds, everyMs = 100 }: WaitOptions,
  look: () => Look<T> | Promise<Look<T>>,
): Promise<T> {
  const limit = performance.now() + seconds * 1000;
  let last: Failure = { seen: 'nothing yet' };
  for (;;) {
    const found = await beforeLimit(look, limit - performance.now());
    if ('met' in found) return found.met;
    if (found.seen !== noAnswer || last.seen === 'nothing yet') last = found;
    if (performance.now() >= limit) throw new WaitedInVain(what, seconds, last.seen, last.cause);
    await sleep(Math.min(everyMs, Math.max(limit - performance.now(), 0)));
  }
}

/** For a look, which is called each time: acts only every so many seconds, and not at once. */
export function nowAndThen(seconds: number, act: () => Promise<void>): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < seconds * 1000) return;
    await act();
    last = performance.now();
  };
}

interface Failure {
  readonly seen: string;
  readonly cause?: unknown;
}

const noAnswer = 'no answer to the last look';

async function beforeLimit<T>(look: () => Look<T> | Promise<Look<T>>, ms: number): Promise<Look<T> | Failure> {
  const timer = new AbortController();
  const late = sleep(Math.max(ms, 1), { seen: noAnswer }, { signal: timer.signal }).catch(() => ({ seen: noAnswer }));
  try {
    return await Promise.race([attempt(look), late]);
  } finally {
    timer.abort();
  }
}

async function attempt<T>(look: () => Look<T> | Promise<Look<T>>): Promise<Look<T> | Failure> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof Hopeless) throw error;
    return { seen: error instanceof Error ? error.message : String(error), cause: error };
  }
}
