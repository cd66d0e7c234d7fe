import type { Instant } from '../../instant.ts';
import { shown } from '../../validate/grammar/fault.ts';
import type { BlockerDraft } from '../maintenance/blocker-draft.ts';
import type { RefusedWrite } from '../maintenance/observation.ts';
import { mayBeWrittenAt } from '../maintenance/pacing.ts';
import type { NodeStatus } from '../maintenance/status.ts';
import type { PowerAction } from './action.ts';
import { stillAtWork } from './earlier-jobs.ts';
import { jobsAt } from './jobs-at.ts';
import { isPresent, isReady, isSilent, type Member, type PresentMember, rankOf } from './members.ts';
import type { ObservedPowerJob, Power, ShutdownObservation } from './observation.ts';
import type { PowerState } from './status.ts';

export interface PowerPlan {
  readonly actions: readonly PowerAction[];
  readonly blockers: readonly BlockerDraft[];
  /** When waiting becomes worth a word. */
  readonly wake: readonly Instant[];
}

const nothing: PowerPlan = { actions: [], blockers: [], wake: [] };

/** A machine needs about so long from the end of its hook until nobody hears of it, or until it is back. */
const takesEffect = 300_000;

/** The newest Job of this generation for a machine. */
function jobFor(observation: ShutdownObservation, { address }: Member, power: Power): ObservedPowerJob | undefined {
  return jobsAt(observation, address)
    .filter((job) => job.power === power && job.generation === observation.shutdown.generation)
    .sort((a, b) => b.startedAt - a.startedAt || (a.name < b.name ? -1 : 1))[0];
}

/** What was seen of a machine. */
export function powerState(observation: ShutdownObservation, member: Member): PowerState {
  const power = observation.shutdown.spec.action === 'Restart' ? 'On' : 'Off';
  const job = jobFor(observation, member, power);
  const isThere = power === 'On' ? isReady(member) : isSilent(member) || member.node === undefined;
  if (!isThere && job?.state === 'Failed') return 'Failed';
  if (!isThere && job?.state === 'Active') return power === 'On' ? 'TurningOn' : 'TurningOff';
  if (member.node === undefined || isSilent(member)) return 'Off';
  return isReady(member) ? 'Ready' : 'On';
}

/**
 * Who is turned off next. Machines of one rank go together and the next when they are off; etcd goes one by one and
 * only as long as the rest of it has a majority: without one nothing can be observed or written any more, so the last
 * ones are named for people to turn off.
 */
export function powerOff(now: Instant, observation: ShutdownObservation, members: readonly Member[]): PowerPlan {
  const left = members.filter(isPresent).filter((member) => !isSilent(member));
  const [first] = left;
  if (first === undefined) return nothing;
  const group = left.filter((member) => rankOf(member) === rankOf(first));
  const hook = observation.shutdown.spec.powerHook;
  if (hook === undefined) return { ...nothing, blockers: group.map((member) => byHand(member, 'Off')) };
  const drains = new Map(observation.drains.map((drain) => [drain.node, drain]));
  if (group.some(({ node }) => !isQuiet(drains.get(node.name)))) return nothing;
  const turn = rankOf(first) < rankOf({ role: 'control-plane', etcd: 'Follower' }) ? group : [first];
  const hasUnknownLeader = !observation.etcd.some(({ isLeader }) => isLeader === true);
  const isEtcd = first.etcd !== undefined;
  if (isEtcd && observation.isLeaderAsked === true) return nothing;
  if (isEtcd && (hasUnknownLeader || !leavesMajority(members))) {
    return { ...nothing, blockers: left.map((member) => lastByHand(member, hasUnknownLeader)) };
  }
  const runOn = left.at(-1);
  return runOn === undefined ? nothing : collect(now, observation, turn, { power: 'Off', runOn });
}

/** In reverse: etcd and the control plane, load balancers, workers; each rank when the one before is ready. */
export function powerOn(now: Instant, observation: ShutdownObservation, members: readonly Member[]): PowerPlan {
  const off = members.filter(isPresent).filter((member) => !isReady(member));
  const last = off.at(-1);
  if (last === undefined) return nothing;
  const tier = (member: Member) => Math.min(2, rankOf(member));
  const group = off.filter((member) => tier(member) === tier(last)).reverse();
  if (observation.shutdown.spec.powerHook === undefined) {
    return { ...nothing, blockers: group.map((member) => byHand(member, 'On')) };
  }
  const runOn = members.filter(isPresent).filter(isReady).at(-1);
  return runOn === undefined ? nothing : collect(now, observation, group, { power: 'On', runOn });
}

function collect(
  now: Instant,
  observation: ShutdownObservation,
  turn: readonly PresentMember[],
  { power, runOn }: { readonly power: Power; readonly runOn: PresentMember },
): PowerPlan {
  const each = turn.map((member) => turnOver(now, observation, member, { power, runOn }));
  return {
    actions: each.flatMap(({ actions }) => actions),
    blockers: each.flatMap(({ blockers }) => blockers),
    wake: each.flatMap(({ wake }) => wake),
  };
}

/** A Job that failed is not made again by itself: a machine that is half off is for people to look at. */
function turnOver(
  now: Instant,
  observation: ShutdownObservation,
  member: PresentMember,
  { power, runOn }: { readonly power: Power; readonly runOn: PresentMember },
): PowerPlan {
  const earlier = stillAtWork(observation, member.address);
  if (earlier !== undefined) return { ...nothing, blockers: [busy(member, earlier)] };
  const job = jobFor(observation, member, power);
  if (job === undefined) return orderOrWait(now, observation, member, order(observation, member, power, runOn));
  switch (job.state) {
    case 'Active':
      return nothing;
    case 'Failed':
      return { ...nothing, blockers: [failed(member, job)] };
    case 'Complete': {
      const due = (job.finishedAt ?? job.startedAt) + takesEffect;
      return now < due ? { ...nothing, wake: [due] } : { ...nothing, blockers: [withoutEffect(member, job)] };
    }
  }
}

function order(
  { shutdown }: ShutdownObservation,
  { node, address }: PresentMember,
  power: Power,
  runOn: PresentMember,
): PowerAction[] {
  const { powerHook: hook } = shutdown.spec;
  if (hook === undefined) return [];
  const { generation, name } = shutdown;
  return [
    {
      kind: 'power',
      shutdown: name,
      uid: shutdown.uid,
      job: jobName(hook.name, [shutdown.uid, generation, power, address]),
      power,
      node: node.name,
      address,
      generation,
      hook,
      runOn: runOn.node.name,
      events: [
        {
          type: 'Normal',
          reason: power === 'Off' ? 'TurningOff' : 'TurningOn',
          action: 'Power',
          regarding: { apiVersion: 'v1', kind: 'Node', name: node.name, uid: node.uid },
          related: { apiVersion: 'quiesce.dev/v1alpha1', kind: 'ClusterShutdown', name },
          note: `The power hook ${hook.name} turns ${node.name} ${power.toLowerCase()}.`,
        },
      ],
    },
  ];
}

/** What was refused is tried again, ever more slowly: a quota or an admission rule has to be changed first. */
function orderOrWait(
  now: Instant,
  { refusals }: ShutdownObservation,
  member: PresentMember,
  actions: readonly PowerAction[],
): PowerPlan {
  const refused = actions.flatMap((action) => {
    const refusal = refusals[action.job];
    return refusal === undefined ? [] : [{ action, refusal, at: mayBeWrittenAt(refusal) }];
  });
  return {
    actions: actions.filter((action) => !refused.some((each) => each.action === action && each.at > now)),
    // Once may be that we knew too little: the next pass knows more.
    blockers: refused
      .filter(({ refusal }) => refusal.attempts > 1)
      .map(({ action, refusal }) => notMade(member, action, refusal)),
    wake: refused.map(({ at }) => at),
  };
}

/** Every pod that has to go is gone, or will never be: then turning the machine off is what frees it. */
function isQuiet(drain: NodeStatus | undefined): boolean {
  if (drain === undefined) return false;
  const stuck = (drain.blockers ?? []).filter(
    ({ code }) => code === 'stuck-terminating' || code === 'finalizer',
  ).length;
  return (drain.podsLeft ?? 0) <= stuck;
}

/** Whether etcd has a majority without one more. Members that are off are members all the same. */
function leavesMajority(members: readonly Member[]): boolean {
  const etcd = members.filter((member) => member.etcd !== undefined);
  const up = etcd.filter((member) => !isSilent(member)).length;
  return up - 1 > etcd.length / 2;
}

/** A DNS label: the hook's name, cut, and a hash (FNV-1a, 32 bits) of what the Job is for. */
function jobName(hook: string, parts: readonly (string | number)[]): string {
  let hash = 0x811c9dc5;
  for (const char of parts.join('|')) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return `${hook.slice(0, 54).replace(/-+$/, '')}-${hash.toString(16).padStart(8, '0')}`;
}

function about({ node }: PresentMember, code: BlockerDraft['code'], message: string): BlockerDraft {
  return { code, who: 'operators', message, object: { apiVersion: 'v1', kind: 'Node', name: node.name } };
}

function byHand(member: PresentMember, power: Power): BlockerDraft {
  const { node, address } = member;
  return about(
    member,
    'power-by-hand',
    `Turn ${power.toLowerCase()} node ${node.name} (${address}): there is no power hook.`,
  );
}

function lastByHand(member: PresentMember, hasUnknownLeader: boolean): BlockerDraft {
  const { node, address } = member;
  const why = hasUnknownLeader
    ? 'which etcd member leads could not be found out (it is in its metrics: --listen-metrics-urls), and it goes last'
    : 'without it etcd has no majority, and nothing here can act any more';
  return about(
    member,
    'etcd-quorum',
    `Turn off node ${node.name} (${address}) by hand, in the order of the list: ${why}.`,
  );
}

function notMade(member: PresentMember, { job, power }: PowerAction, { status, text }: RefusedWrite): BlockerDraft {
  const why = status === 0 ? 'no answer' : `HTTP ${status}`;
  const what = `Job ${job}, which is to turn node ${member.node.name} ${power.toLowerCase()}, cannot be made`;
  return about(member, 'power-hook-refused', `${what} (${why}): ${shown(text)}.`);
}

function busy(member: PresentMember, { name, power }: ObservedPowerJob): BlockerDraft {
  const what = `Job ${name} of an earlier order still turns node ${member.node.name} ${power.toLowerCase()}`;
  return about(member, 'power-hook-busy', `${what}: the next hook waits until it has ended.`);
}

function failed(member: PresentMember, { name, power, message }: ObservedPowerJob): BlockerDraft {
  const why = message === undefined ? '' : ` (${message})`;
  return about(
    member,
    'power-hook-failed',
    `Job ${name} could not turn node ${member.node.name} ${power.toLowerCase()}${why}: turn it ${power.toLowerCase()} by hand, or delete the Job to have it tried again.`,
  );
}

function withoutEffect(member: PresentMember, { name, power }: ObservedPowerJob): BlockerDraft {
  const seen = power === 'Off' ? 'is still heard of' : 'is not ready';
  return about(member, 'power-without-effect', `Job ${name} has ended, but node ${member.node.name} ${seen}.`);
}
