import type { Instant } from '../../instant.ts';
import { parseInstant } from '../../instant.ts';
import { type ControlPlane, controlPlaneOf, isAtZero, missingBlocker, namespaceBlocker } from './control-plane.ts';
import { keptAwake } from './meddling.ts';
import type { Observation, ObservedPod } from './observation.ts';
import { mayBeDeletedAt, podBlockers } from './pods.ts';
import type { Standing } from './standing.ts';
import type { ClaimReason } from './status.ts';

export interface SleepLimits {
  /** So long nothing may come back before a claim counts as asleep. */
  readonly quietMs: number;
}

/**
 * Git says Sleeping. The virtual cluster's pods go only when its control plane is seen to be gone: one that still runs
 * makes them again. A control plane that comes back late (from a node that was away) makes them again too, so it is
 * looked at until a quiet period has passed, and ever after.
 */
export function fallAsleep(now: Instant, observation: Observation, limits: SleepLimits): Standing {
  const { claim, namespace } = observation;
  const controlPlane = controlPlaneOf(observation);
  if (namespace === 'terminating') {
    return sleeping('NamespaceTerminating', 'Its namespace is being deleted.', [namespaceBlocker(claim.spec)]);
  }
  if (controlPlane.missing.length > 0) {
    const [first] = controlPlane.missing;
    const message = `${first?.kind ?? 'Workload'} ${first?.name ?? ''} is not there, so it is not known to rest.`;
    return sleeping('WorkloadMissing', message, controlPlane.missing.map(missingBlocker));
  }
  const awake = controlPlane.workloads.flatMap((workload) => keptAwake(workload, claim.spec) ?? []);
  const [first] = awake;
  if (first !== undefined) {
    return sleeping(
      first.reason,
      first.blocker.message,
      awake.map(({ blocker }) => blocker),
    );
  }
  return stopping(now, observation, controlPlane) ?? sweeping(now, observation) ?? resting(now, observation, limits);
}

function sleeping(reason: ClaimReason, message: string, blockers: Standing['blockers']): Standing {
  return { phase: 'Sleeping', reason, message, isReached: false, blockers };
}

function stopping(now: Instant, { claim }: Observation, { workloads, pods }: ControlPlane): Standing | undefined {
  if (workloads.every(isAtZero) && pods.length === 0) return undefined;
  const { blockers, again } = podBlockers(now, pods, claim.spec.namespace);
  const left = Math.max(pods.length, ...workloads.map(({ observed }) => observed));
  const message = left === 0 ? 'Its control plane is scaled to 0.' : `${counted(left)} of its control plane left.`;
  return { ...sleeping('ControlPlaneStopping', message, blockers), step: 'wait for the control plane to end', again };
}

/** Every pod that it has synced, also one that has ended: as `vcluster pause` does. */
function sweeping(now: Instant, { claim, pods, answers }: Observation): Standing | undefined {
  const synced = pods.filter(({ part }) => part === 'synced');
  if (synced.length === 0) return undefined;
  const { blockers, again } = podBlockers(now, synced, claim.spec.namespace, answers);
  const staying = synced.filter(({ deletionAt }) => deletionAt === undefined);
  const timed = staying.map((pod) => ({ pod, at: mayBeDeletedAt(answers[pod.uid]) }));
  return {
    ...sleeping('RemovingPods', `${counted(synced.length)} of the virtual cluster left.`, blockers),
    step: 'remove the pods of the virtual cluster',
    sweep: inOrder(timed.filter(({ at }) => at <= now).map(({ pod }) => pod)),
    again: [...again, ...timed.filter(({ at }) => at > now).map(({ at }) => at)],
  };
}

function resting(
  now: Instant,
  { claim, aliveAt = 0, watchedSince = 0 }: Observation,
  { quietMs }: SleepLimits,
): Standing {
  // In a quiet period somebody has looked. What is asleep already does not wake because nobody did for a while.
  const seenSince = claim.status?.phase === 'Asleep' ? 0 : watchedSince;
  const quietSince = Math.min(now, Math.max(aliveAt, seenSince, shownQuietSince(claim.status) ?? now));
  const until = quietSince + quietMs;
  if (now >= until) {
    const message = 'Nothing of it runs; its volumes, Services and Secrets are kept.';
    return { phase: 'Asleep', reason: 'AtRest', message, isReached: true, blockers: [], quietSince };
  }
  const message = 'Nothing of it runs; it is watched for a while, in case something comes back.';
  const step = 'see that nothing comes back';
  return { ...sleeping('WatchingForReturn', message, []), step, quietSince, again: [until] };
}

/** The condition that tells of it is what outlives a process: without it the quiet period begins anew. */
function shownQuietSince(status: Observation['claim']['status']): Instant | undefined {
  const quiet = status?.conditions?.find(({ type }) => type === 'Quiet');
  return quiet?.status === 'True' ? parseInstant(quiet.lastTransitionTime) : undefined;
}

function inOrder(pods: readonly ObservedPod[]): readonly ObservedPod[] {
  return [...pods].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function counted(pods: number): string {
  return pods === 1 ? '1 pod' : `${pods} pods`;
}
