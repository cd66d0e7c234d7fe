import type { Instant } from '../instant.ts';
import type { DeliveredNotice } from '../resolve/state.ts';
import type { Mail } from './decision.ts';
import type { Draft } from './draft.ts';
import { at, day } from './instants.ts';
import type { Scene } from './scene.ts';
import type { Terms } from './terms.ts';
import { addressed, isAddressOf, isWorthTrying } from './warnings.ts';

/** After this, news is none. */
const toldFor = 7 * day;

/** What has happened to the claim and is in the tree, for owners who have not heard of it. Nothing waits for notices. */
export function notify(draft: Draft, scene: Scene, terms: Terms | undefined): Draft {
  const notice = asleepNotice(scene, terms) ?? deletionNotice(scene);
  if (notice === undefined || scene.mail.kind !== 'ready') return draft;
  const { about, happened, ...mail } = notice;
  const to = untold(draft, scene, about, happened);
  if (to.length === 0) return draft;
  const { state } = scene.claim;
  return { ...draft, mails: [...draft.mails, { ...addressed(scene.claim, to), state, ...mail }] };
}

type Notice = Pick<Mail, 'kind' | 'deadline' | 'since' | 'timeZone' | 'by'> & {
  readonly about: DeliveredNotice['about'];
  readonly happened: string;
};

function asleepNotice({ record, claim, settings }: Scene, terms: Terms | undefined): Notice | undefined {
  if (record?.asleep === undefined || terms?.isAsleep !== true || claim.state === 'Deleted') return undefined;
  return {
    kind: 'asleep',
    about: 'Asleep',
    happened: record.asleep.at,
    deadline: terms.delete,
    since: terms.since,
    timeZone: settings.lifecycle.timeZone,
  };
}

function deletionNotice({ record, claim, settings, time }: Scene): Notice | undefined {
  const { deletion } = record ?? {};
  if (deletion === undefined || deletion.withdrawnAt !== undefined || claim.state !== 'Deleted') return undefined;
  return {
    kind: 'deletionOrdered',
    about: 'DeletionOrdered',
    happened: deletion.at,
    deadline: at(deletion.at),
    since: record?.firstSeen === undefined ? time.now : at(record.firstSeen),
    by: deletion.by,
    timeZone: settings.lifecycle.timeZone,
  };
}

function untold({ record }: Draft, { claim, time }: Scene, about: DeliveredNotice['about'], happened: string) {
  if (time.now - at(happened) > toldFor) return [];
  const told = record.notices
    .filter((notice) => notice.about === about && notice.at === happened)
    .flatMap(({ to }) => to);
  return claim.owners.filter(
    (owner) => !told.some((address) => isAddressOf(owner, address)) && isWorthTrying(record, owner, time.now),
  );
}

/** Whether the owners have heard of the order to delete, or will not. */
export function isDeletionTold(draft: Draft, scene: Scene, patience: Instant): boolean {
  const notice = deletionNotice({ ...scene, record: draft.record });
  if (notice === undefined || scene.mail.kind === 'notConfigured') return true;
  if (scene.time.now - at(notice.happened) > patience) return true;
  return untold(draft, scene, notice.about, notice.happened).length === 0;
}
