import type { Instant } from '../instant.ts';
import type { LifecycleRecord, RecordedRenewal } from '../resolve/state.ts';
import type { LifecycleClaim } from './decision.ts';
import { without } from './draft.ts';
import { at, atOr, second, textOf } from './instants.ts';
import type { Renewal, RenewalRequest, RenewalSubject } from './renewal.ts';
import { deadlinesOf, termsOf } from './terms.ts';

/** Older ones are in git's history. */
const renewalsKept = 20;

/**
 * What a press of the button does at an instant: a new record, or nothing the second time. The claim's state stays as it
 * is: one that sleeps goes on sleeping, with all its data, until somebody or a schedule wakes it. Only when git could not
 * be written in time, and the deletion was ordered after the press, the order is taken back.
 */
export function renew(now: Instant, subject: RenewalSubject, request: RenewalRequest): Renewal {
  const { claim, record } = subject;
  if (claim === undefined || record === undefined) return { kind: 'refused', code: 'unknown-claim' };
  if (record.identity !== request.identity) return { kind: 'refused', code: 'foreign' };
  const whole = Math.floor(now / second) * second;
  const isBeaten = claim.state === 'Deleted' && isOrderedSince(whole, record);
  if (claim.state === 'Deleted' && !isBeaten) return { kind: 'refused', code: 'deletion-ordered' };
  if (isRenewedBy(record, request)) return answer(whole, { ...subject, claim, record }, 'alreadyRenewed');
  if (now >= request.deadline) return { kind: 'refused', code: 'expired' };
  const awake = isBeaten ? ({ ...claim, state: 'Sleeping' } as const) : claim;
  const answered = answer(whole, { ...subject, claim: awake, record: renewed(whole, record, request) }, 'renewed');
  if (answered.kind !== 'renewed' || !isBeaten) return answered;
  return { ...answered, state: { file: claim.origin.file, from: 'Deleted', to: 'Sleeping' } };
}

/** By expiry, at a deadline that was still ahead when the button was pressed, and nothing is known to be gone yet. */
function isOrderedSince(now: Instant, { deletion, uninstalled }: LifecycleRecord): boolean {
  const isStanding = deletion?.by === 'Expiry' && deletion.withdrawnAt === undefined && uninstalled === undefined;
  return isStanding && now < atOr(deletion.deadline, Number.NEGATIVE_INFINITY);
}

/** By this link, or after it was sent: who has two mails and uses both has renewed once. */
function isRenewedBy({ renewals }: LifecycleRecord, { deadline, issuedAt }: RenewalRequest): boolean {
  return renewals.some((renewal) => renewal.deadline === textOf(deadline) || at(renewal.at) >= issuedAt);
}

function renewed(now: Instant, record: LifecycleRecord, { deadline, by }: RenewalRequest): LifecycleRecord {
  const renewal: RecordedRenewal = { at: textOf(now), ...(by !== undefined && { by }), deadline: textOf(deadline) };
  const renewals = [...record.renewals, renewal].slice(-renewalsKept);
  // What was said of the time before is void; a new time begins.
  const { deletion } = record;
  const ended = deletion === undefined || deletion.withdrawnAt !== undefined ? {} : { withdrawnAt: deletion.at };
  return {
    ...without(record, 'asleep'),
    renewals,
    warnings: [],
    notices: [],
    ...(deletion !== undefined && { deletion: { ...deletion, ...ended } }),
  };
}

function answer(
  now: Instant,
  { claim, record, settings }: RenewalSubject & { readonly claim: LifecycleClaim; readonly record: LifecycleRecord },
  kind: 'renewed' | 'alreadyRenewed',
): Renewal {
  const terms = termsOf(now, { claim, record, settings });
  if (terms === undefined) return { kind: 'refused', code: 'never-expires' };
  const deadlines = deadlinesOf(terms, claim, settings);
  if (kind === 'alreadyRenewed') return { kind, deadlines };
  const published = { sleep: textOf(terms.sleep), delete: textOf(terms.delete) };
  return { kind, record: { ...record, deadlines: published }, deadlines };
}
