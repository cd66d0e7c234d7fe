import type { Instant } from '../../instant.ts';
import { instantText, parseInstant } from '../../instant.ts';
import type { BlockerDraft } from './blocker-draft.ts';
import { compareText } from './order.ts';
import type { Blocker } from './status.ts';

/** A blocker with since when, before it is written out. */
export interface DatedBlocker {
  readonly blocker: BlockerDraft;
  readonly since: Instant;
  /** The same for the same thing in the way, whatever its numbers are now. */
  readonly key: string;
}

/** What is shown may be another loop's: a claim that was being uninstalled is running now. */
type AnyBlocker = Omit<Blocker, 'code'> & { readonly code: string };

/** What has not passed after this long is in the way. Before that it may be the ordinary course of a drain. */
const patience = 60_000;

/**
 * With since when: what the objects tell, else what the status shows already, else now. The oldest first, and each
 * once.
 */
export function dateBlockers(
  now: Instant,
  drafts: readonly BlockerDraft[],
  before: readonly AnyBlocker[] | undefined,
): DatedBlocker[] {
  if (drafts.length === 0) return [];
  const shownSince = new Map((before ?? []).map((blocker) => [keyOf(blocker), parseInstant(blocker.since)]));
  const byKey = new Map<string, DatedBlocker>();
  for (const blocker of drafts) {
    const key = keyOf(blocker);
    byKey.set(key, { blocker, since: Math.min(now, blocker.sinceAt ?? shownSince.get(key) ?? now), key });
  }
  return [...byKey.values()].sort((a, b) => a.since - b.since || compareText(a.key, b.key));
}

export function shownBlocker({ blocker: { sinceAt: _, ...blocker }, since }: DatedBlocker): Blocker {
  return { ...blocker, since: instantText(since) };
}

/** As it was dated when it was shown. */
export function datedAsShown({ since, ...blocker }: Blocker): DatedBlocker {
  return { blocker, since: parseInstant(since) ?? Number.NEGATIVE_INFINITY, key: keyOf(blocker) };
}

/** From when on it counts as stalled: at once if waiting will not end it. */
export function stallsAt({ blocker, since }: DatedBlocker): Instant {
  return blocker.permanent === true ? Number.NEGATIVE_INFINITY : since + patience;
}

export function isStalling(now: Instant, blocker: DatedBlocker): boolean {
  return now >= stallsAt(blocker);
}

/** Nothing but the volume may have a blank in it, so that comes last; a blank is before whatever a name goes on with. */
function keyOf({ code, pod, pdb, object, volume, finalizer }: Omit<AnyBlocker, 'since'>): string {
  return [code, pod?.namespace, pod?.name, pdb?.namespace, pdb?.name, object?.name, finalizer, volume].join(' ');
}
