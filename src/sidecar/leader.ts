import { setTimeout as sleep } from 'node:timers/promises';
import type { Lease, LeaseAccess } from './lease.ts';

export interface LeadOptions {
  readonly access: LeaseAccess;
  readonly identity: string;
  /** After so long without a sign of its holder, the Lease is anybody's. */
  readonly leaseMs: number;
  readonly random: () => number;
  /** Ends it: the work first, then the Lease is let go. */
  readonly stop: AbortSignal;
  onState(state: LeadState): void;
}

export type LeadState =
  | { readonly kind: 'following'; readonly leader: string }
  | { readonly kind: 'leading' }
  | { readonly kind: 'lost'; readonly why: string }
  | { readonly kind: 'unsure'; readonly error: unknown };

/** While somebody leads: whether that is still true now, to be asked before each act. */
export interface Leadership {
  readonly signal: AbortSignal;
  holds(): boolean;
}

/**
 * Does the work while it holds the Lease, and waits for the Lease while somebody else does. Clocks of different machines
 * are never compared: a Lease is abandoned when *we* have seen no change of it for as long as it says.
 */
export async function lead(options: LeadOptions, work: (leadership: Leadership) => Promise<void>): Promise<void> {
  while (!options.stop.aborted) {
    const lease = await acquire(options);
    if (lease === undefined) return;
    options.onState({ kind: 'leading' });
    await holdWhile(options, lease, work);
  }
}

/** Seen by us, at a moment of a clock that does not jump. */
interface Sighting {
  readonly lease: Lease | undefined;
  readonly at: number;
}

async function acquire(options: LeadOptions): Promise<Lease | undefined> {
  const { access, identity, leaseMs, random, stop } = options;
  let last: Sighting = { lease: undefined, at: performance.now() };
  while (!stop.aborted) {
    try {
      const lease = await access.read(stop);
      if (lease?.resourceVersion !== last.lease?.resourceVersion) last = { lease, at: performance.now() };
      if (isFree(last, identity)) {
        const ours = await access.write(identity, lease, stop);
        if (ours !== undefined) return ours;
      } else options.onState({ kind: 'following', leader: lease?.holder ?? '' });
    } catch (error) {
      options.onState({ kind: 'unsure', error });
    }
    // A third of the time that a Lease lasts, and not all at once.
    await pause((leaseMs / 3) * (0.8 + 0.4 * random()), stop);
  }
  return undefined;
}

/** Our own name in it is that of our container before it was restarted. */
function isFree({ lease, at }: Sighting, identity: string): boolean {
  if (lease === undefined || lease.holder === '' || lease.holder === identity) return true;
  return performance.now() - at > lease.seconds * 1000;
}

async function holdWhile(
  options: LeadOptions,
  first: Lease,
  work: (leadership: Leadership) => Promise<void>,
): Promise<void> {
  const { stop, leaseMs } = options;
  const lost = new AbortController();
  const held = { lease: first, until: performance.now() + trustedMs(leaseMs) };
  const signal = AbortSignal.any([stop, lost.signal]);
  const renewing = renew(options, held, lost);
  try {
    await work({ signal, holds: () => !signal.aborted && performance.now() < held.until });
  } finally {
    lost.abort();
    await renewing;
    if (performance.now() < held.until) await letGo(options.access, held.lease);
  }
}

/** Whoever waits for it need not wait until it is over. */
async function letGo(access: LeaseAccess, lease: Lease): Promise<void> {
  await access.write('', lease, AbortSignal.timeout(releaseMs)).catch(() => undefined);
}

const releaseMs = 3000;

/** Shorter than what others wait: no two may lead at once, even if our last renewal took its time. */
function trustedMs(leaseMs: number): number {
  return leaseMs * 0.75;
}

async function renew(
  { access, identity, leaseMs, stop, onState }: LeadOptions,
  held: { lease: Lease; until: number },
  lost: AbortController,
): Promise<void> {
  let isOther = false;
  let every = leaseMs / 3;
  while (!isOther && performance.now() < held.until) {
    await pause(Math.min(every, held.until - performance.now()), lost.signal);
    // Also while the work is coming to its end after `stop`: until then it is ours.
    if (lost.signal.aborted) return;
    const begun = performance.now();
    try {
      const limit = AbortSignal.timeout(Math.ceil(Math.max(held.until - begun, 1)));
      const lease = await access.write(identity, held.lease, limit);
      if (lease !== undefined) Object.assign(held, { lease, until: begun + trustedMs(leaseMs) });
      else isOther = !(await isStillOurs(access, identity, held, limit));
      every = leaseMs / 3;
    } catch (error) {
      onState({ kind: 'unsure', error });
      every = leaseMs / 12;
    }
  }
  if (isOther) held.until = 0;
  if (!stop.aborted) onState({ kind: 'lost', why: isOther ? 'somebody else holds it' : 'it could not be renewed' });
  lost.abort();
}

/** Our write was refused: either an earlier one was carried out and we did not hear of it, or somebody took over. */
async function isStillOurs(
  access: LeaseAccess,
  identity: string,
  held: { lease: Lease },
  limit: AbortSignal,
): Promise<boolean> {
  const lease = await access.read(limit);
  if (lease?.holder !== identity) return false;
  held.lease = lease;
  return true;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.max(ms, 0), undefined, { signal }).catch(() => undefined);
}
