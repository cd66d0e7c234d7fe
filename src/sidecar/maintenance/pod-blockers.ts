import type { Instant } from '../../instant.ts';
import { shown } from '../../validate/grammar/fault.ts';
import { aboutPod, type BlockerDraft, podText } from './blocker-draft.ts';
import { budgetBlocker } from './budget-blockers.ts';
import type { ClusterView } from './cluster-view.ts';
import type { ObservedNode, ObservedOwner, ObservedPod } from './observation.ts';
import { refusalBlocker } from './refusal-blockers.ts';

export interface Place {
  readonly node: ObservedNode;
  readonly cluster: ClusterView;
  readonly started?: Instant;
}

/** A kubelet may need this long after the grace period to clean up and say so. */
export const cleaningUp = 30_000;

/** The scheduler may have bound a pod so long after the taint without having seen it. */
const bindingDelay = 60_000;

/** What keeps a pod that is to be evicted, if anything does. */
export function evictionBlocker(now: Instant, pod: ObservedPod, place: Place): BlockerDraft | undefined {
  if (pod.deletionAt !== undefined) return terminationBlocker(now, pod, place);
  return (
    orphanedFinalizer(pod, place) ??
    budgetBlocker(pod, place.cluster.budgetView(pod)) ??
    refusalBlocker(pod, place.cluster.answerTo(pod)) ??
    boundAnyway(pod, place)
  );
}

/** What keeps a pod that is on its way out, if it is late. Of an unreachable node nothing else is to be expected. */
export function terminationBlocker(now: Instant, pod: ObservedPod, place: Place): BlockerDraft | undefined {
  const { deletionAt, graceSeconds } = pod;
  if (deletionAt === undefined) return undefined;
  const sinceAt = deletionAt - graceSeconds * 1000;
  const orphaned = orphanedFinalizer(pod, place);
  if (orphaned !== undefined) return { ...orphaned, sinceAt };
  if (now <= deletionAt + cleaningUp || place.node.ready?.status === 'Unknown') return undefined;
  const [finalizer] = pod.finalizers;
  if (finalizer !== undefined) {
    return {
      ...aboutPod(
        pod,
        'finalizer',
        'controller',
        `${podText(pod)} has ended, but its finalizer ${shown(finalizer)} holds it.`,
      ),
      finalizer,
      sinceAt,
    };
  }
  const text = `${podText(pod)} has not ended although its grace period is over: restart the node. Deleting it by force could corrupt its data.`;
  return { ...aboutPod(pod, 'stuck-terminating', 'operators', text), sinceAt };
}

/** Whoever would release the finalizer is gone, so nobody will: known before the pod is even asked to leave. */
function orphanedFinalizer(pod: ObservedPod, { cluster }: Place): BlockerDraft | undefined {
  const [finalizer] = pod.finalizers;
  const owner = cluster.ownerOf(pod);
  if (finalizer === undefined || owner?.missing !== true) return undefined;
  const text = `${podText(pod)} has the finalizer ${shown(finalizer)}, and its ${ownerText(owner)} is gone: remove the finalizer.`;
  return { ...aboutPod(pod, 'finalizer', 'workload-owner', text), finalizer, permanent: true };
}

/** It goes like any other, but will not be the last. */
function boundAnyway(pod: ObservedPod, { started }: Place): BlockerDraft | undefined {
  if (started === undefined || pod.createdAt <= started + bindingDelay) return undefined;
  const text = `${podText(pod)} was put on this node after its taint: something sets spec.nodeName past the scheduler.`;
  return { ...aboutPod(pod, 'bound-anyway', 'workload-owner', text), sinceAt: pod.createdAt };
}

function ownerText({ kind, name }: ObservedOwner): string {
  return `${kind} ${name}`;
}
