import type { Instant } from '../../instant.ts';
import { parseInstant } from '../../instant.ts';
import { isSame } from '../../same.ts';
import type { BlockerDraft } from '../maintenance/blocker-draft.ts';
import { dateBlockers, shownBlocker } from '../maintenance/blockers.ts';
import { datedCondition, type Fact, stalled } from '../maintenance/conditions.ts';
import { heartbeat, nextHeartbeat, sinceShown } from '../maintenance/heartbeat.ts';
import type { Blocker } from '../maintenance/status.ts';
import { earliest } from '../maintenance/wake.ts';
import type { ShutdownDecision } from './action.ts';
import { forgetEarlier } from './earlier-jobs.ts';
import { phaseEvents } from './events.ts';
import { type Gate, gatesOf, hasBegun } from './gates.ts';
import { isPresent, isReady, isSilent, type Member, membersOf } from './members.ts';
import type { ShutdownObservation } from './observation.ts';
import { type PowerPlan, powerOff, powerOn, powerState } from './power.ts';
import type { GateStatus, PowerStatus, ShutdownPhase, ShutdownStatus } from './status.ts';
import { userClusterBlocker } from './user-clusters.ts';

/** As many as the CRD has room for. */
const mostBlockers = 50;

/**
 * What is to be done for a ClusterShutdown beside draining (`shutdownBlock` asks for that), and its status. Every step
 * is read off the nodes and the Jobs, so it goes on where it was, whoever asks: the sidecar will be turned off with the
 * cluster, and comes back with it.
 */
export function decideShutdown(now: Instant, observation: ShutdownObservation): ShutdownDecision {
  const members = membersOf(observation);
  const gates = gatesOf(observation, members);
  const phase = phaseOf(observation, members, gates);
  const plan = planPower(now, observation, members, { phase, gates });
  const status = statusOf(now, observation, { members, gates, phase, plan });
  const { shutdown } = observation;
  const earlier = forgetEarlier(now, observation);
  const wakes = [...plan.wake, ...earlier.wake, ...nextHeartbeat(now, status.heartbeat)];
  const requeueAt = earliest(now, wakes);
  const { name, uid } = shutdown;
  const write = { kind: 'status' as const, shutdown: name, uid, status, events: phaseEvents(shutdown, status) };
  return {
    shutdown: name,
    actions: [...plan.actions, ...earlier.actions, ...(isSame(status, shutdown.status) ? [] : [write])],
    status,
    ...(requeueAt !== undefined && { requeueAt }),
  };
}

function phaseOf(
  observation: ShutdownObservation,
  members: readonly Member[],
  gates: readonly Gate[],
): Exclude<ShutdownPhase, 'Error'> {
  const present = members.filter(isPresent);
  switch (observation.shutdown.spec.action) {
    case 'None':
      return 'Idle';
    case 'Shutdown':
      if (!hasBegun(members) && gates.some(({ open }) => !open)) return 'Waiting';
      if (present.some((member) => !member.isInMaintenance && !isSilent(member))) return 'Draining';
      return present.every(isSilent) ? 'Off' : 'PoweringOff';
    case 'Restart': {
      const core = present.filter(({ role }) => role !== 'worker');
      if (!core.every(isReady)) return 'PoweringOn';
      if (present.some((member) => member.isOurs && isReady(member))) return 'Leaving';
      return present.every(isReady) ? 'Done' : 'PoweringOn';
    }
  }
}

/** Power is turned off only while every gate is open; it may always be turned on. */
function planPower(
  now: Instant,
  observation: ShutdownObservation,
  members: readonly Member[],
  { phase, gates }: { readonly phase: ShutdownPhase; readonly gates: readonly Gate[] },
): PowerPlan {
  const idle: PowerPlan = { actions: [], blockers: [], wake: [] };
  if (observation.unread.length > 0 || observation.shutdown.deletedAt !== undefined) return idle;
  if (observation.shutdown.spec.action === 'Restart') return powerOn(now, observation, members);
  if (phase !== 'PoweringOff' || gates.some(({ open }) => !open)) return idle;
  return powerOff(now, observation, members);
}

interface Course {
  readonly members: readonly Member[];
  readonly gates: readonly Gate[];
  readonly phase: ShutdownPhase;
  readonly plan: PowerPlan;
}

function statusOf(
  now: Instant,
  observation: ShutdownObservation,
  { members, gates, plan, ...course }: Course,
): ShutdownStatus {
  const { shutdown, drains } = observation;
  const { status: before, generation, spec } = shutdown;
  const hasFailed = plan.blockers.some(({ code }) => code === 'power-hook-failed');
  const phase = hasFailed ? 'Error' : course.phase;
  const ours = new Set(members.filter(({ isOurs }) => isOurs).map(({ node }) => node?.name));
  const draining = drains
    .filter(({ node, phase: at }) => ours.has(node) && at === 'Draining')
    .flatMap(({ blockers = [] }) => blockers);
  const running = (observation.userClusters?.clusters ?? []).flatMap(userClusterBlocker);
  const drafts = [...plan.blockers, ...running, ...draining.map(asDraft)];
  const blockers = dateBlockers(now, drafts, before?.blockers).slice(0, mostBlockers).map(shownBlocker);
  const left = members.filter((member) => isLeft(member, course.phase)).length;
  const closed = spec.action === 'Shutdown' ? gates.find(({ open }) => !open)?.name : undefined;
  const waitingFor = closed ?? blockers[0]?.code;
  const isAtWork = !['Idle', 'Waiting', 'Off', 'Done'].includes(phase);
  return {
    observedGeneration: generation,
    phase,
    since: sinceShown(now, before?.phase === phase, before?.since),
    ...(waitingFor !== undefined && { waitingFor }),
    gates: gates.map((gate) => gateStatus(now, gate, before?.gates)),
    powerOffOrder: powerStatuses(now, observation, members),
    nodesLeft: left,
    ...(isAtWork && { heartbeat: heartbeat(now, before?.heartbeat) }),
    done: members.length - left,
    total: members.length,
    ...(blockers.length > 0 && { blockers }),
    conditions: facts(phase, left, members.length, [...plan.blockers, ...draining]).map((fact) =>
      datedCondition(now, fact, shutdown),
    ),
  };
}

/** At rest is ready: shut down, started again, or nothing asked for. */
function facts(phase: ShutdownPhase, left: number, all: number, blockers: readonly Omit<Blocker, 'since'>[]): Fact[] {
  const isReadyNow = ['Idle', 'Off', 'Done'].includes(phase);
  const isMoving = !isReadyNow && phase !== 'Waiting' && phase !== 'Error';
  const message = `${left} of ${all} machines are still to come.`;
  const stuck = blockers.filter(({ code, permanent }) => permanent === true || code === 'power-hook-failed');
  return [
    { type: 'Ready', status: isReadyNow, reason: phase, message },
    { type: 'Reconciling', status: isMoving, reason: phase, message },
    stalled(stuck),
  ];
}

/** What is still to come for a machine in this phase. */
function isLeft(member: Member, phase: ShutdownPhase): boolean {
  if (member.node === undefined) return false;
  switch (phase) {
    case 'Waiting':
    case 'Draining':
      return !member.isInMaintenance;
    case 'PoweringOff':
      return !isSilent(member);
    case 'PoweringOn':
    case 'Leaving':
      return member.isOurs || !isReady(member);
    case 'Idle':
    case 'Off':
    case 'Done':
    case 'Error':
      return false;
  }
}

function asDraft({ since: text, ...blocker }: NonNullable<ShutdownStatus['blockers']>[number]): BlockerDraft {
  const sinceAt = parseInstant(text);
  return { ...blocker, ...(sinceAt !== undefined && { sinceAt }) };
}

function gateStatus(
  now: Instant,
  { name, open, message }: Gate,
  before: readonly GateStatus[] | undefined,
): GateStatus {
  const last = before?.find((gate) => gate.name === name);
  return {
    name,
    open,
    ...(message !== undefined && { message }),
    since: sinceShown(now, last?.open === open, last?.since),
  };
}

function powerStatuses(
  now: Instant,
  observation: ShutdownObservation,
  members: readonly Member[],
): readonly PowerStatus[] {
  const shown = observation.shutdown.status?.powerOffOrder ?? [];
  const before = new Map(shown.map((each) => [each.address, each]));
  return members.map((member) => {
    const { address, node, role, etcd } = member;
    const state = powerState(observation, member);
    const last = before.get(address);
    return {
      address,
      ...(node !== undefined && { node: node.name }),
      role,
      ...(etcd !== undefined && { etcd }),
      state,
      since: sinceShown(now, last?.state === state, last?.since),
    };
  });
}
