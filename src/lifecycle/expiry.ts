import type { Hold } from './decision.ts';
import { type Draft, held, recorded, without } from './draft.ts';
import { at, atOr, day, latest, nextMidnight, second, textOf } from './instants.ts';
import type { Scene } from './scene.ts';
import { type Terms, termsOf } from './terms.ts';
import { leastNotice, warn, warnedOf } from './warnings.ts';

/** What never expires: warnings and sleeps from before are void, so that it starts with new ones should it expire again. */
function exempt(draft: Draft, { time }: Scene): Draft {
  const { warnings, asleep, warnedAnewFrom } = draft.record;
  const hasSlept = asleep !== undefined && at(asleep.at) >= atOr(warnedAnewFrom, Number.NEGATIVE_INFINITY);
  if (warnings.length === 0 && !hasSlept) return draft;
  return recorded(draft, { warnings: [], warnedAnewFrom: textOf(time.now) }, { kind: 'exempted' });
}

/** Warn, sleep, warn, delete: at most one of them at a time. */
export function expire(draft: Draft, scene: Scene): Draft {
  const { now } = scene.time;
  const terms = termsOf(now, { ...scene, record: draft.record });
  if (terms === undefined) return exempt(wokenUp(draft, false), scene);
  const published = publish(wokenUp(draft, terms.isAsleep), scene, terms);
  const standing = published === draft ? terms : (termsOf(now, { ...scene, record: published.record }) ?? terms);
  const noted = standing.isCapped ? held(published, capped(scene)) : published;
  return standing.isAsleep ? towardsDeletion(noted, scene, standing) : towardsSleep(noted, scene, standing);
}

/**
 * That expiry put it to sleep is forgotten when it runs again and its time does, too. In the grace it is not: there a
 * claim that somebody woke is still one that goes.
 */
function wokenUp(draft: Draft, isInGrace: boolean): Draft {
  if (draft.record.asleep === undefined || isInGrace || draft.state !== 'Running') return draft;
  return { ...draft, record: without(draft.record, 'asleep') };
}

/** Deadlines stand in the record before anything follows from them. The first ones leave time for a warning. */
function publish(draft: Draft, { time, claim }: Scene, terms: Terms): Draft {
  const published = draft.record.deadlines;
  const isFirst = published?.sleep === undefined;
  const soonest = isFirst ? nextMidnight(time.now + leastNotice + day) : terms.sleep;
  const sleep = latest(terms.sleep, isFirst && terms.sleep < time.now + leastNotice ? soonest : undefined);
  const grace = claim.expiry === 'Never' ? 0 : claim.expiry.grace * second;
  const end = latest(terms.delete, sleep + grace);
  if (atOr(published?.sleep, undefined) === sleep && atOr(published?.delete, undefined) === end) return draft;
  const deadlines = { sleep: textOf(sleep), delete: textOf(end) };
  return recorded(draft, { deadlines }, { kind: 'deadlinesMoved', sleep, delete: end });
}

function towardsSleep(draft: Draft, scene: Scene, terms: Terms): Draft {
  const warned = warnedOf('Sleep', draft, scene, terms);
  if (warned.pending.length > 0) return warn(draft, scene, terms, warned);
  if (scene.time.earliest < terms.sleep) return draft;
  if (scene.mail.kind === 'notConfigured') return held(draft, { ...noMail, blocks: 'sleep' });
  return sleep(draft, scene, terms);
}

/** A sleep that comes late by more than a day moves its deadline, so that the grace after it is a whole one. */
function sleep(draft: Draft, { time, claim }: Scene, terms: Terms): Draft {
  const grace = claim.expiry === 'Never' ? 0 : claim.expiry.grace * second;
  const deadline = time.now - terms.sleep > day ? time.now : terms.sleep;
  const record = {
    asleep: { at: textOf(time.now), deadline: textOf(deadline) },
    deadlines: { sleep: textOf(deadline), delete: textOf(latest(terms.delete, deadline + grace)) },
  };
  return { ...recorded(draft, record, { kind: 'expired', deadline: terms.sleep }), state: 'Sleeping' };
}

function towardsDeletion(draft: Draft, scene: Scene, terms: Terms): Draft {
  const warned = warnedOf('Deletion', draft, scene, terms);
  if (warned.pending.length > 0) return warn(draft, scene, terms, warned);
  if (scene.time.earliest < terms.delete) return draft;
  const reason = reasonToKeep(scene, terms);
  if (reason !== undefined) return held(draft, { ...reason, blocks: 'deletion' });
  const deadline = textOf(terms.delete);
  const deletion = { at: textOf(scene.time.now), by: 'Expiry', deadline } as const;
  const event = { kind: 'deletionOrdered', by: 'Expiry', deadline: terms.delete } as const;
  return { ...recorded(draft, { deletion }, event), state: 'Deleted' };
}

/** What is not known is no reason to delete: the cluster, the resource, and what it says of the deadline. */
function reasonToKeep({ mail, claim, cluster, resource }: Scene, terms: Terms): Hold | undefined {
  if (mail.kind === 'notConfigured') return noMail;
  if (cluster.kind === 'unknown') {
    const message = `What runs on ${claim.cluster} is not known: ${cluster.why}.`;
    return { code: 'cluster-unknown', message };
  }
  if (resource === undefined) {
    return { code: 'resource-missing', message: `${claim.cluster} has no VClusterClaim ${claim.name}.` };
  }
  if (resource.deadlines?.delete !== terms.delete) {
    const message = `The status of ${claim.name} on ${claim.cluster} does not show the deadline ${textOf(terms.delete)} yet.`;
    return { code: 'deadline-unpublished', message };
  }
  return undefined;
}

const noMail: Hold = {
  code: 'mail-not-configured',
  message: 'Nothing expires while the settings have no "mail".',
};

function capped({ claim, settings }: Scene): Hold {
  const days = Math.round((settings.expiry.maxExtension * second) / day);
  const message = `"extendedUntil" of ${claim.name} asks for more than the ${days} days that the settings allow.`;
  return { code: 'extension-capped', message };
}
