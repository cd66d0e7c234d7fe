import type { LifecycleRecord } from '../resolve/state.ts';
import { isSame } from '../same.ts';
import type { Decision, DeliveryReport, Hold, LifecycleClaim, Mail } from './decision.ts';
import { withDeliveries } from './deliveries.ts';
import { type Draft, emptyRecord, held } from './draft.ts';
import { expire } from './expiry.ts';
import { day, textOf } from './instants.ts';
import { isDeletionTold, notify } from './notices.ts';
import { endOf, heedKubectl, noteOrders, observe } from './observed.ts';
import type { Scene } from './scene.ts';
import { schedule } from './schedules.ts';
import { termsOf } from './terms.ts';

/** How long the end of a claim waits for its owners to hear of it. */
const patience = day;

/**
 * What is to be done about one claim. Undefined when nothing is known of the time: then only a claim that has a record
 * is looked at, and only for what the cluster reports.
 */
export function decideClaim(scene: Scene): Decision | undefined {
  const begun = begin(scene);
  if (begun === undefined) return undefined;
  if (isKept(begun.record) && scene.claim.state !== 'Deleted') return decision(scene, held(begun, nameBlocked(scene)));
  const ordered = noteOrders(observe(begun, scene.resource, scene.time.now), scene);
  if (scene.claim.state === 'Deleted') return decision(scene, end(notify(ordered, scene, undefined), scene));
  const asked = heedKubectl(ordered, scene);
  if (asked.state === 'Deleted' || isNewTime(asked)) return decision(scene, asked);
  return decision(scene, keepTime(asked, scene));
}

/** Warnings count from now on, so none is sent before the record says so. */
function isNewTime({ events }: Draft): boolean {
  return events.some(({ kind }) => kind === 'deletionWithdrawn');
}

/** What follows from what time it is. A schedule needs no other machine's word: what it does can be taken back. */
function keepTime(draft: Draft, scene: Scene): Draft {
  const { now, trust } = scene.time;
  if (trust === 'disputed') return draft;
  if (trust === 'unconfirmed') return schedule(draft, scene);
  const expired = expire(draft, scene);
  if (expired.state === 'Deleted') return expired;
  return notify(schedule(expired, scene), scene, termsOf(now, { ...scene, record: expired.record }));
}

/** With a record of the present life of the claim, and what was delivered so far told in it. */
function begin(scene: Scene): Draft | undefined {
  const { claim, record, time, reports } = scene;
  if (record !== undefined && (isOfThisLife(record, scene) || isKept(record))) {
    return draftOf(claim, withDeliveries(completed(record, scene), reports), []);
  }
  // A record that began at a wrong time would have the claim expire too soon, or much too late.
  if (time.trust !== 'confirmed') return undefined;
  const origin = record?.origin ?? { file: `state/records/${claim.name}.yaml`, document: 0 };
  const first = completed(emptyRecord({ origin, name: claim.name }), scene);
  return draftOf(claim, withDeliveries(first, reports), [{ kind: 'firstSeen' }]);
}

function draftOf({ state }: LifecycleClaim, record: LifecycleRecord, events: Draft['events']): Draft {
  return { state, record, isOver: false, mails: [], holds: [], events };
}

function isOfThisLife({ uninstalled }: LifecycleRecord, { claim }: Scene): boolean {
  return uninstalled === undefined || claim.state === 'Deleted';
}

function isKept({ uninstalled }: LifecycleRecord): boolean {
  return uninstalled?.data === 'Kept';
}

function completed(record: LifecycleRecord, { claim, time }: Scene): LifecycleRecord {
  if (record.identity !== undefined && record.firstSeen !== undefined) return record;
  const { identity = claim.identity, firstSeen } = record;
  const seen = firstSeen ?? (time.trust === 'confirmed' ? textOf(time.now) : undefined);
  return { ...record, identity, ...(seen !== undefined && { firstSeen: seen }) };
}

function nameBlocked({ claim }: Scene): Hold {
  const message = `Volumes of an earlier ${claim.name} were kept: nothing is decided about this one.`;
  return { code: 'name-blocked-by-data', message };
}

/** Record first, in the same commit as the file's removal: neither is there without the other. */
function end(draft: Draft, scene: Scene): Draft {
  const uninstalled = scene.resource?.uninstalled;
  if (uninstalled === undefined || !isDeletionTold(draft, scene, patience)) return draft;
  const event = { kind: 'uninstalled', ...uninstalled } as const;
  return { ...draft, record: endOf(draft.record, uninstalled), isOver: true, events: [...draft.events, event] };
}

function decision({ claim, record, reports }: Scene, draft: Draft): Decision | undefined {
  const { identity = claim.identity } = draft.record;
  // A mail about a claim whose record is not written yet would be older than the record.
  const isSettled = record !== undefined && !draft.isOver;
  const mails = (isSettled ? draft.mails : []).flatMap((mail) => unreported({ ...mail, identity }, reports));
  const isNew = !isSame(draft.record, record);
  const isChanged = draft.state !== claim.state;
  if (!isNew && !isChanged && mails.length === 0 && draft.holds.length === 0) return undefined;
  return {
    kind: 'claim',
    name: claim.name,
    ...(isChanged && { state: { file: claim.origin.file, from: claim.state, to: draft.state } }),
    ...(draft.isOver && { remove: { file: claim.origin.file } }),
    ...(isNew && { record: { kind: 'write', record: draft.record } as const }),
    mails,
    holds: draft.holds,
    events: draft.events,
  };
}

/** A message that was tried in this run is not tried again in it, whatever became of it. */
function unreported(mail: Mail, reports: readonly DeliveryReport[]): Mail[] {
  const tried = new Set(reports.filter((report) => report.mail.kind === mail.kind).map(({ to }) => to));
  const to = mail.to.filter(({ email }) => !tried.has(email));
  return to.length === 0 ? [] : [{ ...mail, to }];
}
