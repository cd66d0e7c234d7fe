import { subjectOf } from '../commit/message.ts';
import type { Decision, DeliveryReport, LifecycleEvent, MailKind, ScheduleTick } from '../lifecycle/decision.ts';

export interface Message {
  readonly subject: string;
  readonly body: readonly string[];
}

/** What a commit says: in the subject what happens to whom, gravest first; in the body each event and each mail. */
export function messageFor(decisions: readonly Decision[], reports: readonly DeliveryReport[]): Message {
  const accepted = reports.filter(({ outcome }) => outcome === 'accepted');
  const doings = [
    ...decisions.flatMap(({ name, events }) => doingsOf(events).map((doing) => ({ name, doing }))),
    ...accepted.map(({ mail }) => ({ name: mail.claim, doing: mailDoings[mail.kind] })),
  ];
  const clauses = order.flatMap((doing) => {
    const names = [...new Set(doings.filter((each) => each.doing === doing).map(({ name }) => name))];
    return names.length === 0 ? [] : [clause(doing, names)];
  });
  const subject = subjectOf(clauses);
  return {
    subject: subject === '' ? 'Record what was observed' : subject.charAt(0).toUpperCase() + subject.slice(1),
    body: [
      ...decisions.flatMap(({ name, events }) => events.map((event) => `- ${name}: ${describe(event)}`)),
      ...accepted.map(({ mail, to }) => `- ${mail.claim}: ${mailWords[mail.kind]} was accepted for ${to}`),
    ],
  };
}

/** In the order in which a reader wants to know of them. */
const order = [
  'order deletion of',
  'forget',
  'put to sleep',
  'wake',
  'take back deletion of',
  'record uninstall of',
  'warn owners of',
  'tell owners of',
  'set deadlines of',
  'record first sight of',
  'record state of',
] as const;

type Doing = (typeof order)[number];

/** Whoever is seen for the first time gets deadlines: that goes without saying. */
function doingsOf(events: readonly LifecycleEvent[]): readonly Doing[] {
  const isNew = events.some(({ kind }) => kind === 'firstSeen');
  return events.filter(({ kind }) => !isNew || kind !== 'deadlinesMoved').map(doingOf);
}

function doingOf(event: LifecycleEvent): Doing {
  switch (event.kind) {
    case 'firstSeen':
      return 'record first sight of';
    case 'deadlinesMoved':
    case 'exempted':
      return 'set deadlines of';
    case 'expired':
      return 'put to sleep';
    case 'scheduled':
      return event.to === 'Sleeping' ? 'put to sleep' : 'wake';
    case 'deletionOrdered':
      return 'order deletion of';
    case 'deletionWithdrawn':
      return 'take back deletion of';
    case 'uninstalled':
      return 'record uninstall of';
    case 'recordEnded':
      return 'forget';
    case 'tickPassed':
    case 'observed':
      return 'record state of';
  }
}

const mailDoings: Readonly<Record<MailKind, Doing>> = {
  sleepWarning: 'warn owners of',
  deletionWarning: 'warn owners of',
  asleep: 'tell owners of',
  deletionOrdered: 'tell owners of',
};

const mailWords: Readonly<Record<MailKind, string>> = {
  sleepWarning: 'the warning before sleep',
  deletionWarning: 'the warning before deletion',
  asleep: 'the notice of sleep',
  deletionOrdered: 'the notice of deletion',
};

const shownNames = 3;

function clause(doing: Doing, names: readonly string[]): string {
  return names.length <= shownNames ? `${doing} ${names.join(', ')}` : `${doing} ${names.length} claims`;
}

/** One event in words, for the body of a commit. */
function describe(event: LifecycleEvent): string {
  switch (event.kind) {
    case 'firstSeen':
      return 'seen for the first time';
    case 'deadlinesMoved':
      return `sleeps on ${dayOf(event.sleep)} and is deleted on ${dayOf(event.delete)} unless it is renewed`;
    case 'exempted':
      return 'does not expire any more';
    case 'expired':
      return `put to sleep: nobody has renewed it by ${dayOf(event.deadline)}`;
    case 'scheduled':
      return `${event.to === 'Sleeping' ? 'put to sleep' : 'woken'} by its schedule ${scheduleOf(event.schedule)}`;
    case 'tickPassed':
      return `its schedule ${scheduleOf(event.schedule)} found it as it wants it`;
    case 'deletionOrdered':
      return `deletion ordered: ${orderedBy(event)}`;
    case 'deletionWithdrawn':
      return 'somebody has taken the order to delete it back';
    case 'observed':
      return `the cluster says ${event.phase}${event.reason === undefined ? '' : ` (${event.reason})`}`;
    case 'uninstalled':
      return `nothing of it is left${event.data === 'Kept' ? ' but its volumes' : ''}`;
    case 'recordEnded':
      return 'its record has served its purpose: the name is free';
  }
}

function dayOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

function scheduleOf({ line, timeZone }: ScheduleTick): string {
  return `"${line}" (${timeZone})`;
}

function orderedBy({ by, deadline }: Extract<LifecycleEvent, { readonly kind: 'deletionOrdered' }>): string {
  if (by === 'Kubectl') return 'with "kubectl delete"';
  if (by === 'Person' || deadline === undefined) return 'somebody has written so';
  return `its owners were warned, and nobody has renewed it by ${dayOf(deadline)}`;
}
