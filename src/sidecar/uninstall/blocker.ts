import type { Instant } from '../../instant.ts';
import { instantText, parseInstant } from '../../instant.ts';
import { compareText } from '../maintenance/order.ts';
import type { Blocker } from '../maintenance/status.ts';
import { keyOf } from './belongs.ts';

/** What is in the way of an uninstall. Scripts look the code up; the message may change. */
export interface UninstallBlocker extends Omit<Blocker, 'code'> {
  readonly code: UninstallBlockerCode;
}

/** Each is explained in docs/uninstall.md. */
export const blockerCodes = [
  'confirm-missing',
  'data-owned',
  'dependency-cycle',
  'dependents',
  'finalizer',
  'forbidden',
  'hook-failed',
  'hook-image',
  'hook-overdue',
  'instances-left',
  'made-anew',
  'namespace-stuck',
  'namespace-unread',
  'not-in-git',
  'refused',
  'release-deletes-more',
  'release-failed',
  'release-pending',
  'release-unreadable',
  'resource-policy',
  'server-error',
  'terminating',
  'unread',
  'webhook-refused',
] as const;

type UninstallBlockerCode = (typeof blockerCodes)[number];

/** Before it is known since when it has been in the way. */
export interface BlockerDraft extends Omit<UninstallBlocker, 'since' | 'who'> {
  readonly who: Who;
  /** Where the objects themselves tell. */
  readonly sinceAt?: Instant;
}

/** Who has to act. */
type Who = 'operators' | 'object-owner' | 'controller' | 'applier' | 'workload-owner';

/** What has not passed after this long is in the way. Before that it may be the ordinary course. */
const patience = 60_000;

/** With since when: what the objects tell, else what the status shows already, else now. The oldest first, each once. */
export function dateBlockers(
  now: Instant,
  drafts: readonly BlockerDraft[],
  before: readonly UninstallBlocker[] = [],
): UninstallBlocker[] {
  const shownSince = new Map(before.map((blocker) => [identity(blocker), parseInstant(blocker.since)]));
  const byIdentity = new Map<string, { readonly blocker: UninstallBlocker; readonly since: Instant }>();
  for (const { sinceAt, ...draft } of drafts) {
    const key = identity(draft);
    const since = Math.min(now, sinceAt ?? shownSince.get(key) ?? now);
    byIdentity.set(key, { blocker: { ...draft, since: instantText(since) }, since });
  }
  return [...byIdentity]
    .sort(([keyA, a], [keyB, b]) => a.since - b.since || compareText(keyA, keyB))
    .map(([, { blocker }]) => blocker);
}

export function isStalling(now: Instant, { permanent, since }: UninstallBlocker): boolean {
  return permanent === true || now - (parseInstant(since) ?? now) >= patience;
}

/** When one of them comes to count as stalled. */
export function stallsAt({ since }: UninstallBlocker): Instant {
  return (parseInstant(since) ?? 0) + patience;
}

/** The same for the same thing in the way, whatever the words are now. */
function identity({ code, object, finalizer, who }: Omit<UninstallBlocker, 'since'>): string {
  return [code, object === undefined ? '' : keyOf(object), finalizer ?? '', who ?? ''].join(' ');
}
