import type { Instant } from '../../instant.ts';
import { earliest } from '../maintenance/wake.ts';
import { isBlind } from '../uninstall/stopped.ts';
import type { Action, ClaimDecision, FinalizerChange, PodDeletion, StatusWrite } from './action.ts';
import { claimEvent } from './events.ts';
import type { Observation, ObservedClaim, ObservedPod } from './observation.ts';
import { show } from './show.ts';
import { fallAsleep, type SleepLimits } from './sleep.ts';
import type { Standing } from './standing.ts';
import { isUninstalling } from './status.ts';
import { isUninstalled, uninstall } from './uninstall.ts';
import { comeUp } from './wake.ts';

/** Held by us from the first look on: a claim that is deleted with kubectl stays until its uninstall is over. */
const finalizer = 'quiesce.dev/uninstall';

const defaultLimits: SleepLimits = { quietMs: 20_000 };

/**
 * What is to be done for one claim and what its status is. Pure: what has to be known of earlier passes is in the status
 * that is shown. `now` is best the API server's clock, since every other instant in here is.
 */
export function decideClaim(
  now: Instant,
  observation: Observation,
  limits: SleepLimits = defaultLimits,
): ClaimDecision {
  const { claim, unread } = observation;
  if (claim.spec.state === 'Deleted') return decideDeletion(now, observation);
  if (unread.length > 0) return { claim: claim.name, actions: [] };
  if (isTakenBack(claim)) return { claim: claim.name, actions: release(claim, 'withdrawn') };
  return decideLife(now, observation, limits);
}

function decideLife(now: Instant, observation: Observation, limits: SleepLimits): ClaimDecision {
  const { claim } = observation;
  const standing = standingOf(now, observation, limits);
  const { status, write, again } = show(now, observation, standing);
  const requeueAt = earliest(now, [...again, ...(standing.again ?? [])]);
  const actions: Action[] = [
    ...hold(claim),
    ...(standing.sweep ?? []).map((pod) => deletion(claim, pod)),
    ...(write === undefined ? [] : [write]),
  ];
  return { claim: claim.name, actions, status, ...(requeueAt !== undefined && { requeueAt }) };
}

function standingOf(now: Instant, observation: Observation, limits: SleepLimits): Standing {
  const { claim } = observation;
  if (claim.deletedAt !== undefined) return notInGit(claim);
  return claim.spec.state === 'Sleeping' ? fallAsleep(now, observation, limits) : comeUp(now, observation);
}

/**
 * Git says Deleted. That this value has arrived is the proof that the applier has stopped rendering everything else of
 * the claim: whatever is deleted now, nobody makes again.
 */
function decideDeletion(now: Instant, observation: Observation): ClaimDecision {
  const { claim } = observation;
  if (observation.unread.includes('VClusterClaim')) return stayUnderWay(now, observation);
  if (claim.deletedAt !== undefined && isUninstalled(observation)) {
    return { claim: claim.name, actions: release(claim, 'uninstalled') };
  }
  const { write, ...course } = isOrderShown(claim) ? goOn(now, observation) : begin(now, observation);
  const actions = [...hold(claim), ...(write === undefined ? [] : [write])];
  return { claim: claim.name, actions, ...course };
}

/** What git says now is not known: nothing is done, and an uninstall that has begun shows why it does not go on. */
function stayUnderWay(now: Instant, observation: Observation): ClaimDecision {
  const { claim } = observation;
  const { look } = observation.uninstall ?? {};
  const isUnderWay = isOrderShown(claim) && !isUninstalled(observation) && look !== undefined && isBlind(look);
  const step = isUnderWay ? uninstall(now, observation) : undefined;
  if (step === undefined) return { claim: claim.name, actions: [] };
  const { write, requeueAt, status } = step;
  const actions = write === undefined ? [] : [write];
  return { claim: claim.name, actions, status, ...(requeueAt !== undefined && { requeueAt }) };
}

/** The order is written down before anything is deleted: if git takes it back, that has to be seen. */
function isOrderShown({ status }: ObservedClaim): boolean {
  return isUninstalling(status?.phase) && status?.reason !== 'NotInGit';
}

type Step = Omit<ClaimDecision, 'claim' | 'actions'> & { readonly write?: StatusWrite };

function begin(now: Instant, observation: Observation): Step {
  const { status, write } = show(now, observation, ordered);
  return { status, ...(write !== undefined && { write }) };
}

/** Between two looks what is shown stays; after the last one it is true of every later generation as well. */
function goOn(now: Instant, observation: Observation): Step {
  const { name, uid, generation, status: shown } = observation.claim;
  const step = uninstall(now, observation);
  if (step !== undefined || shown === undefined) return step ?? {};
  if (!isUninstalled(observation) || shown.observedGeneration === generation) return { status: shown };
  const status = { ...shown, observedGeneration: generation };
  return { status, write: { kind: 'status', claim: name, uid, status, events: [] } };
}

const ordered: Standing = {
  phase: 'DeletePending',
  reason: 'Ordered',
  message: 'Git says Deleted: what is left of it is looked for.',
  isReached: false,
  blockers: [],
};

/**
 * Deleted with kubectl. Nothing is uninstalled until git says Deleted as well: an applier that still renders the claim
 * would make again what we delete.
 */
function notInGit({ name, spec }: ObservedClaim): Standing {
  const message = `It was deleted with kubectl, and git says ${spec.state}: nothing is removed until git says Deleted.`;
  const remedy = `To delete it, "quiesce delete ${name}" (the lifecycle runner does it by itself, unless the claim is protected); to keep it, "kubectl annotate vcc ${name} quiesce.dev/withdraw-deletion=".`;
  return {
    phase: 'DeletePending',
    reason: 'NotInGit',
    message,
    isReached: false,
    blockers: [{ code: 'not-in-git', who: 'lifecycle', message: `${message} ${remedy}` }],
  };
}

/**
 * The one way back from a deletion with kubectl, which cannot be undone as such: the finalizer is let go without
 * uninstalling, and the applier makes the resource again. Git said Deleted before and does not any more, or somebody
 * has asked for it before git said so.
 */
function isTakenBack(claim: ObservedClaim): boolean {
  const { deletedAt, spec, isWithdrawn } = claim;
  if (deletedAt === undefined || spec.state === 'Deleted') return false;
  return isWithdrawn || isOrderShown(claim);
}

function hold(claim: ObservedClaim): FinalizerChange[] {
  const { name, uid, resourceVersion, finalizers, deletedAt } = claim;
  // None can be added to what is being deleted.
  if (deletedAt !== undefined || finalizers.includes(finalizer)) return [];
  const all = [...finalizers, finalizer];
  return [{ kind: 'finalizer', claim: name, uid, resourceVersion, why: 'hold', finalizers: all, events: [] }];
}

function release(claim: ObservedClaim, why: 'uninstalled' | 'withdrawn'): FinalizerChange[] {
  const { name, uid, resourceVersion, finalizers, spec } = claim;
  if (!finalizers.includes(finalizer)) return [];
  const rest = finalizers.filter((each) => each !== finalizer);
  const note = `Git says ${spec.state}: the resource is let go without uninstalling, and the applier makes it again.`;
  const events = why === 'withdrawn' ? [claimEvent(claim, 'Warning', 'DeletionWithdrawn', note)] : [];
  return [{ kind: 'finalizer', claim: name, uid, resourceVersion, why, finalizers: rest, events }];
}

function deletion({ name: claim, spec }: ObservedClaim, { namespace, name, uid }: ObservedPod): PodDeletion {
  return { kind: 'pod', claim, namespace: namespace ?? spec.namespace, name, uid };
}
