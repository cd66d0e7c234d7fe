import type { Instant } from '../../instant.ts';
import type { ObservedPod, Taint } from './observation.ts';
import { compareNamed } from './order.ts';
import { tolerates, toleratesForGood } from './taints.ts';

/** The pods of one node, by what maintenance means for them; each in a fixed order. */
export interface NodePods {
  /** They are to go, through the Eviction API. */
  readonly draining: readonly ObservedPod[];
  /**
   * They would be back at once: they tolerate the taint that keeps new pods away, but not the one that removes pods,
   * and are a DaemonSet's or have already come back. Evicting them would never end, so they are counted out, and go
   * when NoExecute arrives.
   */
  readonly returning: readonly ObservedPod[];
  /** They tolerate maintenance for good: nobody touches them. */
  readonly staying: readonly ObservedPod[];
  /** Mirrors of what the kubelet runs by itself, and pods that are finished: there is nothing to wait for. */
  readonly beside: readonly ObservedPod[];
}

export interface MaintenanceTaints {
  /** That this block adds. */
  readonly taints: readonly Taint[];
  readonly drainStarted?: Instant;
}

type Role = keyof NodePods;

export function sortPods(pods: readonly ObservedPod[], maintenance: MaintenanceTaints): NodePods {
  const sorted: Record<Role, ObservedPod[]> = { draining: [], returning: [], staying: [], beside: [] };
  for (const pod of [...pods].sort(compareNamed)) sorted[roleOf(pod, maintenance)].push(pod);
  return sorted;
}

function roleOf(pod: ObservedPod, { taints, drainStarted }: MaintenanceTaints): Role {
  if (pod.mirror || isFinished(pod)) return 'beside';
  if (toleratesMaintenance(pod, taints)) return 'staying';
  const keepingAway = taints.filter(({ effect }) => effect === 'NoSchedule');
  if (!keepingAway.every((taint) => tolerates(pod.tolerations, taint))) return 'draining';
  const hasComeBack = drainStarted !== undefined && pod.createdAt > drainStarted;
  return isOfDaemonSet(pod) || hasComeBack ? 'returning' : 'draining';
}

/** It would be left where it is by the taints of a node in maintenance, without a limit of time. */
function toleratesMaintenance({ tolerations }: ObservedPod, taints: readonly Taint[]): boolean {
  const removing = taints.filter(({ effect }) => effect === 'NoExecute');
  return removing.length > 0 && removing.every((taint) => toleratesForGood(tolerations, taint));
}

/** Its containers have stopped; what is left is an entry in the API. */
function isFinished({ phase }: ObservedPod): boolean {
  return phase === 'Succeeded' || phase === 'Failed';
}

/** Kind and group, as `kubectl drain` has it: anybody may call a kind DaemonSet. */
export function isOfDaemonSet({ owner }: ObservedPod): boolean {
  return owner?.kind === 'DaemonSet' && owner.apiVersion.startsWith('apps/');
}
