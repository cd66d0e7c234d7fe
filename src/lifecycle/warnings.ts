import type { Instant } from '../instant.ts';
import type { LifecycleRecord, Owner } from '../resolve/state.ts';
import type { Hold, Mail, MailKind } from './decision.ts';
import { type Draft, held } from './draft.ts';
import { at, day, hour, nextMidnight, second } from './instants.ts';
import { clockTolerance, type Scene } from './scene.ts';
import type { Terms } from './terms.ts';

/**
 * Nothing is put to sleep or deleted within this of its warning, whatever the settings say: seven days, and what the
 * clocks that measure them may differ by.
 */
export const leastNotice = 7 * day + clockTolerance;
/** So much before its time a warning is due already: the runner looks once an hour, and a server may make us wait. */
export const lead = 6 * hour;
/** How long a mail may take from the decision to the server's answer. */
const transit = 5 * 60 * second;
/** An address that was refused is tried again after this. */
const retryRejected = day;

export type Stage = 'Sleep' | 'Deletion';

const kinds = { Sleep: 'sleepWarning', Deletion: 'deletionWarning' } as const satisfies Record<Stage, MailKind>;
const verbs = { Sleep: 'put to sleep', Deletion: 'deleted' } as const;

/** What a deadline of this claim has behind it. */
export interface Warned {
  readonly stage: Stage;
  readonly deadline: Instant;
  /** Owners without an accepted warning that names exactly this deadline and came in time. */
  readonly pending: readonly Owner[];
}

export function warnedOf(stage: Stage, draft: Draft, { claim }: Scene, terms: Terms): Warned {
  const deadline = stage === 'Sleep' ? terms.sleep : terms.delete;
  const told = new Set(
    draft.record.warnings
      .filter(({ about, ...warning }) => about === stage && at(warning.deadline) === deadline)
      .filter(({ deliveredAt }) => at(deliveredAt) >= terms.validFrom && at(deliveredAt) + leastNotice <= deadline)
      .flatMap(({ to }) => to.map((address) => address.toLowerCase())),
  );
  return { stage, deadline, pending: claim.owners.filter(({ email }) => !told.has(email.toLowerCase())) };
}

/** Asks for the warnings that are due, and says what keeps them from going out. */
export function warn(draft: Draft, scene: Scene, terms: Terms, warned: Warned): Draft {
  const { time, mail, settings } = scene;
  const isDue = time.now >= warned.deadline - settings.expiry.warnBefore * second - lead;
  if (!isDue || warned.pending.length === 0) return draft;
  if (mail.kind !== 'ready') return held(draft, { ...mailMissing(scene, warned), ...blocked(scene, warned) });
  const rejected = warned.pending.filter((owner) => isRejected(draft.record, owner));
  const to = warned.pending.filter((owner) => isWorthTrying(draft.record, owner, time.now));
  const asked = to.length === 0 ? draft : { ...draft, mails: [...draft.mails, warning(scene, terms, warned, to)] };
  if (rejected.length > 0) return held(asked, { ...addressRefused(warned, rejected), ...blocked(scene, warned) });
  return time.earliest < warned.deadline ? asked : held(asked, { ...owed(warned), ...blocked(scene, warned) });
}

/**
 * Names the deadline itself while that is far enough away; else a later one, at a midnight so that a repeat within the
 * day is the same mail, and a day more than needed so that every owner's server has time to take it. Whoever was warned
 * of the old deadline hears of the new one once it stands, not with every attempt to reach the others.
 */
function warning(
  { time, claim, settings }: Scene,
  terms: Terms,
  { stage, deadline }: Warned,
  to: readonly Owner[],
): Mail {
  const isLate = deadline < time.now + leastNotice + transit;
  const named = isLate ? nextMidnight(time.now + leastNotice + day) : deadline;
  const grace = claim.expiry === 'Never' ? 0 : claim.expiry.grace * second;
  return {
    kind: kinds[stage],
    ...addressed(claim, to),
    deadline: named,
    ...(stage === 'Sleep' && { deletion: Math.max(terms.delete, named + grace) }),
    since: terms.since,
    state: claim.state,
    timeZone: settings.lifecycle.timeZone,
  };
}

/** `identity` is filled in from the record when the decision is complete. */
export function addressed(
  { name, cluster, owners, identity }: Scene['claim'],
  to: readonly Owner[],
): Pick<Mail, 'claim' | 'identity' | 'cluster' | 'to' | 'owners'> {
  return { claim: name, identity, cluster, to, owners };
}

export function isWorthTrying({ rejections }: LifecycleRecord, owner: Owner, now: Instant): boolean {
  const refused = rejections.find(({ to }) => isAddressOf(owner, to));
  return refused === undefined || Math.abs(now - at(refused.at)) >= retryRejected;
}

function isRejected({ rejections }: LifecycleRecord, owner: Owner): boolean {
  return rejections.some(({ to }) => isAddressOf(owner, to));
}

export function isAddressOf({ email }: Owner, address: string): boolean {
  return email.toLowerCase() === address.toLowerCase();
}

function blocked({ time }: Scene, { stage, deadline }: Warned): Pick<Hold, 'blocks'> {
  return time.earliest < deadline ? {} : { blocks: stage === 'Sleep' ? 'sleep' : 'deletion' };
}

function mailMissing({ mail, claim }: Scene, { stage }: Warned): Hold {
  const what = `${claim.name} is not ${verbs[stage]} before its owners are warned`;
  return mail.kind === 'down'
    ? { code: 'mail-down', message: `${what}, and the mail server cannot be used: ${mail.why}.` }
    : { code: 'mail-not-configured', message: `${what}, and the settings have no "mail".` };
}

function addressRefused({ stage }: Warned, owners: readonly Owner[]): Hold {
  const who = owners.map(({ email }) => email).join(', ');
  return {
    code: 'mail-rejected',
    message: `The mail server refused ${who}; it is not ${verbs[stage]} before that is corrected below "owner" or "owners".`,
  };
}

function owed({ stage, pending }: Warned): Hold {
  const who = pending.map(({ email }) => email).join(', ');
  return { code: 'warning-owed', message: `It is not ${verbs[stage]} before ${who} could be warned 7 days ahead.` };
}
