import type { Instant } from '../../instant.ts';
import type { BlockerDraft } from '../maintenance/blocker-draft.ts';
import { type ControlPlane, controlPlaneOf, isFull, missingBlocker, namespaceBlocker } from './control-plane.ts';
import { keptDown, type Meddling } from './meddling.ts';
import type { Observation } from './observation.ts';
import type { Standing } from './standing.ts';
import type { ClaimReason } from './status.ts';

/**
 * Git says Running. Waking ends when everything of the control plane is ready at its full count. From then on it is
 * shown as running while one replica is ready, and never while none is.
 */
export function comeUp(now: Instant, observation: Observation): Standing {
  const { claim, namespace } = observation;
  if (namespace === 'terminating') {
    return waking('NamespaceTerminating', 'Its namespace is being deleted.', [namespaceBlocker(claim.spec)]);
  }
  const controlPlane = controlPlaneOf(observation);
  if (controlPlane.missing.length > 0) {
    const missing = controlPlane.missing.map(missingBlocker);
    return waking('WorkloadMissing', missing[0]?.message ?? '', missing);
  }
  const meddlings = controlPlane.workloads.flatMap((workload) => keptDown(workload, claim.spec) ?? []);
  if (meddlings.length === 0 && controlPlane.workloads.every((workload) => isFull(workload, claim.spec.replicas))) {
    const message = `All of its control plane is ready: ${claim.spec.replicas} of ${claim.spec.replicas}.`;
    return { phase: 'Running', reason: 'Ready', message, isReached: true, blockers: [] };
  }
  return short(now, observation, controlPlane, meddlings);
}

/** Not at its full count. */
function short(
  now: Instant,
  { claim }: Observation,
  { workloads, pods }: ControlPlane,
  meddlings: readonly Meddling[],
): Standing {
  const wasRunning = claim.status?.phase === 'Running';
  const isUp = workloads.every(({ ready }) => ready > 0);
  const [first] = meddlings;
  const ready = workloads.map((workload) => readyText(workload.name, workload.ready, workload.replicas)).join(', ');
  const blockers = [...meddlings.map(({ blocker }) => blocker), ...unreadyPods(now, pods, claim.spec.namespace)];
  const message = first?.blocker.message ?? `${ready}.`;
  if (wasRunning && isUp) {
    return { phase: 'Running', reason: first?.reason ?? 'Degraded', message, isReached: false, blockers };
  }
  const lost = wasRunning || claim.status?.reason === 'NotReady';
  return waking(first?.reason ?? (lost ? 'NotReady' : 'Starting'), message, blockers);
}

function waking(reason: ClaimReason, message: string, blockers: Standing['blockers']): Standing {
  return { phase: 'Waking', reason, message, isReached: false, blockers };
}

function readyText(name: string, ready: number, replicas: number): string {
  return `${name}: ${ready} of ${replicas} ready`;
}

/** Images are pulled and volumes attached within this. */
const startTime = 60_000;

function unreadyPods(now: Instant, pods: ControlPlane['pods'], namespace: string): BlockerDraft[] {
  const waiting = pods.filter((pod) => !pod.ready && pod.deletionAt === undefined && now >= pod.createdAt + startTime);
  return waiting.map(({ name, createdAt }) => ({
    code: 'pod-not-ready',
    who: 'operators',
    message: `Pod ${namespace}/${name} of the control plane is not ready: "kubectl -n ${namespace} describe pod ${name}" says why.`,
    pod: { namespace, name },
    sinceAt: createdAt,
  }));
}
