import type { Decision, LifecycleClaim, Mail } from '../../../src/lifecycle/decision.ts';
import { at } from '../../../src/lifecycle/instants.ts';
import type { LifecycleRecord } from '../../../src/resolve/state.ts';
import { day } from '../sample.ts';
import type { World } from './world.ts';

/** What an instance promises, told by what really happened: servers that took mails, and true time. */
class Broken extends Error {
  override readonly name = 'Broken';
}

function demand(holds: boolean, rule: string, what: () => unknown): void {
  if (!holds) throw new Broken(`${rule}: ${JSON.stringify(what(), undefined, 1)}`);
}

export interface Landing {
  readonly claim: LifecycleClaim;
  readonly before: LifecycleRecord | undefined;
  readonly decision: Decision;
}

type Rule = (world: World, landing: Landing) => void;

/** Checked whenever a decision of the runner lands in git. */
export function check(world: World, landing: Landing): void {
  for (const rule of rules) rule(world, landing);
}

/** Checked whenever a press of the button lands in git: it gives time to the claim of the mail, and never takes any. */
export function checkPress(
  world: World,
  { identity }: Mail,
  before: LifecycleRecord | undefined,
  after: LifecycleRecord,
): void {
  const context = () => ({ now: new Date(world.now), identity, before, after });
  demand(before?.identity === identity, 'no renewal by a mail about another claim of this name', context);
  const [known, given] = [before?.deadlines ?? {}, after.deadlines ?? {}];
  for (const stage of ['sleep', 'delete'] as const)
    demand(at(given[stage] ?? '') >= at(known[stage] ?? ''), `no earlier ${stage} by a press`, context);
}

interface Shown {
  readonly sleep?: number;
  readonly delete?: number;
}

/** Checked whenever the status of a resource is written. */
export function checkPublished(world: World, before: Shown | undefined, after: Shown): void {
  const context = () => ({ now: new Date(world.now), before, after });
  for (const stage of ['sleep', 'delete'] as const)
    demand((after[stage] ?? 0) >= (before?.[stage] ?? 0), `no earlier ${stage} in the status`, context);
}

function recordOf({ decision, before }: Landing): LifecycleRecord | undefined {
  return decision.record?.kind === 'write' ? decision.record.record : before;
}

function isOrderedByExpiry({ decision }: Landing): boolean {
  return decision.events.some((event) => event.kind === 'deletionOrdered' && event.by === 'Expiry');
}

/** 1. An accepted warning for every owner, which names exactly this deadline, seven days ahead of it. */
const deletionIsWarned: Rule = (world, landing) => {
  if (!isOrderedByExpiry(landing)) return;
  const record = recordOf(landing);
  const deadline = at(record?.deletion?.deadline ?? '');
  const isTold = (email: string): boolean =>
    (world.taken.get(landing.claim.name) ?? []).some(
      (mail) =>
        mail.kind === 'deletionWarning' &&
        mail.to === email &&
        mail.deadline === deadline &&
        mail.at + 7 * day <= deadline,
    );
  const isRecorded = record?.warnings.some(
    (warning) => warning.about === 'Deletion' && at(warning.deadline) === deadline,
  );
  const context = () => ({ now: new Date(world.now), landing, taken: world.taken.get(landing.claim.name) });
  demand(
    landing.claim.owners.every(({ email }) => isTold(email)),
    'no deletion without a warning',
    context,
  );
  demand(isRecorded === true, 'no deletion without a recorded warning', context);
  demand(world.now >= deadline, 'no deletion before its deadline', context);
};

/** The same for sleep. */
const sleepIsWarned: Rule = (world, landing) => {
  const expired = landing.decision.events.find(({ kind }) => kind === 'expired');
  if (expired?.kind !== 'expired') return;
  const isTold = (email: string): boolean =>
    (world.taken.get(landing.claim.name) ?? []).some(
      (mail) => mail.to === email && mail.deadline === expired.deadline && mail.at + 7 * day <= world.now,
    );
  const context = () => ({ now: new Date(world.now), landing });
  demand(
    landing.claim.owners.every(({ email }) => isTold(email)),
    'no sleep without a warning',
    context,
  );
};

/** 2. What a record calls delivered was taken by the server before. */
const deliveredIsTaken: Rule = (world, landing) => {
  const known = new Set(landing.before?.warnings ?? []);
  for (const warning of recordOf(landing)?.warnings ?? []) {
    if (known.has(warning)) continue;
    const kind = warning.about === 'Sleep' ? 'sleepWarning' : 'deletionWarning';
    const mails = (world.taken.get(landing.claim.name) ?? []).filter((mail) => mail.kind === kind);
    const isTaken = (to: string) => mails.some((mail) => mail.to === to && mail.deadline === at(warning.deadline));
    demand(warning.to.every(isTaken), 'no record of a warning that was not accepted', () => ({ warning, mails }));
  }
};

/** 3. A published deadline moves later or not at all, also after a backup was restored over it. */
const deadlinesMoveLater: Rule = (world, landing) => {
  const record = recordOf(landing);
  const shown = world.resources.get(landing.claim.name)?.deadlines;
  const context = () => ({ now: new Date(world.now), landing, shown });
  const isNewLife = landing.decision.events.some(({ kind }) => kind === 'firstSeen');
  const known = isNewLife ? undefined : landing.before?.deadlines;
  if (record?.deadlines?.sleep !== undefined && known?.sleep !== undefined)
    demand(at(record.deadlines.sleep) >= at(known.sleep), 'no earlier sleep', context);
  if (record?.deadlines?.delete !== undefined && known?.delete !== undefined)
    demand(at(record.deadlines.delete) >= at(known.delete), 'no earlier deletion', context);
  const isByTime = landing.decision.events.some(({ kind }) => kind === 'deadlinesMoved' || kind === 'expired');
  if (isByTime && !world.weather.unknownClusters.has(landing.claim.cluster)) {
    demand(at(record?.deadlines?.delete ?? '') >= (shown?.delete ?? 0), 'no earlier deletion than shown', context);
  }
  if (isOrderedByExpiry(landing)) {
    demand(shown?.delete === at(record?.deletion?.deadline ?? ''), 'no deletion but when the status shows', context);
  }
};

/** 4. Waking in the grace stands: expiry does not put it to sleep twice for one deadline, and schedules do not wake it. */
const wakingStands: Rule = (world, landing) => {
  const { asleep } = landing.before ?? {};
  const expired = landing.decision.events.find(({ kind }) => kind === 'expired');
  if (expired?.kind === 'expired' && asleep !== undefined)
    demand(at(asleep.deadline) !== expired.deadline, 'no second sleep for one deadline', () => landing);
  if (landing.decision.state?.to !== 'Running' || asleep === undefined) return;
  const renewals = [...(landing.before?.renewals ?? []).map((each) => each.at), landing.claim.renewedAt ?? ''];
  const isInGrace = renewals.every((renewal) => !(at(renewal) >= at(asleep.at) && at(renewal) <= world.now + day));
  demand(!isInGrace, 'no schedule wakes what expiry put to sleep', () => landing);
};

/** 5. What is not known is no reason to do something that cannot be taken back. */
const unknownKeeps: Rule = ({ weather, resources }, landing) => {
  const expired = landing.decision.events.some(({ kind }) => kind === 'expired');
  const context = () => ({ landing, weather });
  if (expired || isOrderedByExpiry(landing)) {
    demand(weather.isMailConfigured, 'nothing expires without mail', context);
    demand(Math.abs(weather.clockAhead) < day / 96, 'nothing expires by a wrong clock', context);
    demand(!weather.unreadable.has(landing.claim.name), 'nothing expires without its record', context);
    demand(weather.unknownClusters.size < 2, 'nothing expires when no cluster is seen', context);
  }
  if (!isOrderedByExpiry(landing)) return;
  demand(!weather.unknownClusters.has(landing.claim.cluster), 'no deletion on a cluster that is not seen', context);
  demand(resources.has(landing.claim.name), 'no deletion of what is not there', context);
};

/** 6. Protected claims and those that never expire are left alone. */
const exemptIsExempt: Rule = (_, landing) => {
  if (!landing.claim.protected && landing.claim.expiry !== 'Never') return;
  const isTouched = landing.decision.events.some(({ kind }) => kind === 'expired') || isOrderedByExpiry(landing);
  demand(!isTouched, 'what never expires is left alone', () => landing);
  if (landing.claim.protected) demand(landing.decision.state?.to !== 'Deleted', 'protected stays', () => landing);
};

const rules: readonly Rule[] = [
  deletionIsWarned,
  sleepIsWarned,
  deliveredIsTaken,
  deadlinesMoveLater,
  wakingStands,
  unknownKeeps,
  exemptIsExempt,
];
