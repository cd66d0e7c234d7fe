import type { ObservedNode, ObservedPod, Taint } from '../../sidecar/maintenance/observation.ts';
import { tolerates } from '../../sidecar/maintenance/taints.ts';

/**
 * When the taint manager removes a pod: at once, after what it tolerates, or never. Its patience begins anew with one
 * that has come to a tainted node. Mirrors tolerate all of it.
 */
export function dueByTaint(
  pod: ObservedPod,
  node: ObservedNode | undefined,
  executingSince: number | undefined,
): number {
  if (node === undefined || executingSince === undefined || pod.mirror || pod.deletionAt !== undefined) {
    return Number.POSITIVE_INFINITY;
  }
  const executing = node.taints.filter(({ effect }) => effect === 'NoExecute');
  const since = Math.max(executingSince, pod.createdAt);
  return Math.min(Number.POSITIVE_INFINITY, ...executing.map((taint) => since + patience(pod, taint) * 1000));
}

function patience({ tolerations }: ObservedPod, taint: Taint): number {
  const first = tolerations.find((toleration) => tolerates([toleration], taint));
  return first === undefined ? 0 : (first.tolerationSeconds ?? Number.POSITIVE_INFINITY);
}
