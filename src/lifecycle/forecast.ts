import type { Instant } from '../instant.ts';
import { decide } from './decide.ts';
import type {
  Decision,
  DeliveryReport,
  Hold,
  LifecycleClaim,
  LifecycleDecisions,
  LifecycleInput,
  Mail,
  MailKind,
  ObservedResource,
  ScheduleTick,
} from './decision.ts';
import { ticksOf } from './ticks.ts';

/** What will happen to one claim if nobody renews it, every mail is accepted, and the runner looks when it is to. */
export interface ClaimForecast {
  readonly name: string;
  readonly cluster: string;
  readonly owners: readonly string[];
  /** As it is now. */
  readonly state: LifecycleClaim['state'];
  /** In the order of time. */
  readonly events: readonly ForecastEvent[];
  /** What is held back now, and would be until somebody acts. */
  readonly holds: readonly Hold[];
}

export type ForecastEvent =
  | {
      readonly kind: 'mail';
      readonly at: Instant;
      readonly mail: MailKind;
      readonly deadline: Instant;
      readonly to: readonly string[];
    }
  /** Put to sleep because its time is over; deletion follows at `deletion`. */
  | { readonly kind: 'expires'; readonly at: Instant; readonly deletion: Instant }
  | { readonly kind: 'sleeps' | 'wakes'; readonly at: Instant; readonly schedule: ScheduleTick }
  | { readonly kind: 'deletionOrdered'; readonly at: Instant };

export interface ForecastInput {
  readonly settings: LifecycleInput['settings'];
  readonly isMailConfigured: boolean;
  readonly claims: LifecycleInput['claims'];
  readonly records: LifecycleInput['records'];
  readonly unreadable: LifecycleInput['unreadable'];
}

/** Of every claim, sorted by name, from now to an instant. It is the decider itself that is asked, with a stepped clock. */
export function forecast(now: Instant, until: Instant, input: ForecastInput): ClaimForecast[] {
  const { schedule, timeZone } = input.settings.lifecycle;
  const looks = ticksOf(schedule, timeZone);
  const nextLook = (instant: Instant): Instant => looks.next(instant - 1) ?? Number.POSITIVE_INFINITY;
  return [...input.claims]
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map((claim) => forecastOf(claim, input, { now, until, nextLook }));
}

interface Clock {
  readonly now: Instant;
  readonly until: Instant;
  /** When the runner looks next, at an instant or after it. */
  readonly nextLook: (instant: Instant) => Instant;
}

function forecastOf(claim: LifecycleClaim, input: ForecastInput, { now, until, nextLook }: Clock): ClaimForecast {
  let life: Life = { claim, record: input.records.get(claim.name), resource: {} };
  const events: ForecastEvent[] = [];
  let holds: readonly Hold[] | undefined;
  for (let at = nextLook(now); at <= until; ) {
    const { decided, mails } = look(at, life, input);
    const [decision] = decided.decisions;
    events.push(...eventsOf(at, decision, decided), ...mails);
    holds ??= decision?.holds ?? [];
    life = carriedOut(life, decision, decided);
    const isChanged = (decision?.record ?? decision?.state) !== undefined;
    // What was written may have more in its train: a notice, or the warning of a new deadline.
    const next = isChanged ? at + 1 : decided.next.get(claim.name);
    if (next === undefined) break;
    at = nextLook(Math.max(next, at + 1));
  }
  return {
    name: claim.name,
    cluster: claim.cluster,
    owners: claim.owners.map(({ email }) => email),
    state: claim.state,
    events,
    holds: holds ?? [],
  };
}

interface Life {
  readonly claim: LifecycleClaim;
  readonly record: ReturnType<LifecycleInput['records']['get']>;
  readonly resource: ObservedResource;
}

interface Look {
  readonly decided: LifecycleDecisions;
  readonly mails: readonly ForecastEvent[];
}

function look(at: Instant, life: Life, input: ForecastInput): Look {
  const first = decide(at, inputOf(life, input, []));
  const mails = first.decisions.flatMap((decision) => decision.mails);
  if (mails.length === 0) return { decided: first, mails: [] };
  const reports = mails.flatMap((mail) => mail.to.map(({ email }) => accepted(at, mail, email)));
  const events = mails.map((mail): ForecastEvent => {
    const { kind, deadline, to } = mail;
    return { kind: 'mail', at, mail: kind, deadline, to: to.map(({ email }) => email) };
  });
  return { decided: decide(at, inputOf(life, input, reports)), mails: events };
}

function accepted(at: Instant, mail: Mail, to: string): DeliveryReport {
  return { mail, to, at, outcome: 'accepted' };
}

function inputOf(
  { claim, record, resource }: Life,
  input: ForecastInput,
  reports: readonly DeliveryReport[],
): LifecycleInput {
  const { settings, isMailConfigured, unreadable } = input;
  return {
    settings,
    mail: { kind: isMailConfigured ? 'ready' : 'notConfigured' },
    reports,
    clocks: [{ from: claim.cluster, ahead: 0 }],
    claims: [claim],
    installations: [],
    records: new Map(record === undefined ? [] : [[claim.name, record]]),
    unreadable,
    clusters: new Map([
      [claim.cluster, { kind: 'known', claims: new Map([[claim.name, resource]]), installations: new Map() }],
    ]),
    compiled: undefined,
  };
}

function carriedOut(
  { claim, record, resource }: Life,
  decision: Decision | undefined,
  decided: LifecycleDecisions,
): Life {
  const deadlines = decided.deadlines.get(claim.name);
  return {
    claim: decision?.state === undefined ? claim : { ...claim, state: decision.state.to },
    record: decision?.record?.kind === 'write' ? decision.record.record : record,
    resource: deadlines === undefined ? resource : { deadlines: { sleep: deadlines.sleep, delete: deadlines.delete } },
  };
}

function eventsOf(at: Instant, decision: Decision | undefined, { deadlines }: LifecycleDecisions): ForecastEvent[] {
  return (decision?.events ?? []).flatMap((event): ForecastEvent[] => {
    if (event.kind === 'expired') {
      return [{ kind: 'expires', at, deletion: deadlines.get(decision?.name ?? '')?.delete ?? at }];
    }
    if (event.kind === 'scheduled') {
      return [{ kind: event.to === 'Running' ? 'wakes' : 'sleeps', at, schedule: event.schedule }];
    }
    // An order that people have given already is nothing that is going to happen.
    return event.kind === 'deletionOrdered' && event.by === 'Expiry' ? [{ kind: 'deletionOrdered', at }] : [];
  });
}
