import type { Instant } from '../instant.ts';
import type { LifecycleRecord, Settings } from '../resolve/state.ts';
import type { Deadlines, LifecycleClaim, ObservedResource } from './decision.ts';
import { at, atOr, latest, second } from './instants.ts';

/** What holds for a claim that can expire. */
export interface Terms {
  /** The last renewal, else when it was first seen. */
  readonly since: Instant;
  readonly sleep: Instant;
  readonly delete: Instant;
  /** Whether expiry has put it to sleep at that deadline: whatever happens from then on, its deletion date stands. */
  readonly isAsleep: boolean;
  /** Warnings delivered before this are void. */
  readonly validFrom: Instant;
  /** The claim asks for a longer extension than the settings allow. */
  readonly isCapped: boolean;
}

export interface TermsOf {
  readonly claim: LifecycleClaim;
  readonly record: LifecycleRecord;
  readonly resource?: ObservedResource | undefined;
  readonly settings: Pick<Settings, 'expiry'>;
}

/**
 * Undefined for what never expires. Whatever the settings, the claim or a restored backup say, a deadline that was
 * published once, in the record or in the resource's status, only moves later.
 */
export function termsOf(now: Instant, { claim, record, resource, settings }: TermsOf): Terms | undefined {
  if (claim.protected || claim.expiry === 'Never') return undefined;
  const { after, grace } = claim.expiry;
  const since = sinceOf(now, claim, record);
  const nominal = since + after * second;
  const longest = nominal + settings.expiry.maxExtension * second;
  const asked = atOr(claim.extendedUntil, nominal);
  const published = record.deadlines;
  const sleep = latest(
    nominal,
    Math.min(asked, longest),
    atOr(published?.sleep, undefined),
    resource?.deadlines?.sleep,
  );
  const end = latest(sleep + grace * second, atOr(published?.delete, undefined), resource?.deadlines?.delete);
  const anew = atOr(record.warnedAnewFrom, undefined);
  // One from the future was written by a clock that had jumped; heeding it would have us warn again and again.
  const validFrom = latest(since, anew !== undefined && anew <= now ? anew : undefined);
  const { asleep } = record;
  const isAsleep = asleep !== undefined && at(asleep.deadline) === sleep && at(asleep.at) >= validFrom;
  return { since, sleep, delete: end, isAsleep, validFrom, isCapped: asked > longest };
}

/** Whether it sleeps because it expired and nobody has renewed it since, so that no schedule may wake it. */
export function isAsleepByExpiry(now: Instant, claim: LifecycleClaim, record: LifecycleRecord): boolean {
  return record.asleep !== undefined && at(record.asleep.at) >= sinceOf(now, claim, record);
}

/** A renewal in the older system's annotation counts as soon as its time has come. */
function sinceOf(now: Instant, { renewedAt }: LifecycleClaim, { firstSeen, renewals }: LifecycleRecord): Instant {
  const annotated = atOr(renewedAt, undefined);
  const renewed = latest(lastOf(renewals), annotated !== undefined && annotated <= now ? annotated : undefined);
  return Number.isFinite(renewed) ? renewed : atOr(firstSeen, now);
}

/** Remembered: a record is asked for its terms several times, and one that is written anew has the same list. */
function lastOf(renewals: LifecycleRecord['renewals']): Instant {
  const known = lastOfList.get(renewals) ?? latest(...renewals.map((renewal) => at(renewal.at)));
  lastOfList.set(renewals, known);
  return known;
}

const lastOfList = new WeakMap<LifecycleRecord['renewals'], Instant>();

/** As people and the resource's status see them. */
export function deadlinesOf(terms: Terms, { state }: LifecycleClaim, settings: Pick<Settings, 'expiry'>): Deadlines {
  const ahead = settings.expiry.warnBefore * second;
  const sleepsFirst = !terms.isAsleep && state === 'Running';
  return {
    warnSleep: terms.sleep - ahead,
    sleep: terms.sleep,
    warnDelete: terms.delete - ahead,
    delete: terms.delete,
    next: sleepsFirst ? terms.sleep : terms.delete,
  };
}
