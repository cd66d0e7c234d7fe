import type { ObservedBudget, ObservedPod } from '../../sidecar/maintenance/observation.ts';
import type { Workload } from './cluster.ts';

type Status = NonNullable<ObservedBudget['status']>;

/**
 * What the disruption controller works out (kubernetes `pkg/controller/disruption`, trySync). `pods` are those that the
 * budget's selector matches, whatever their state. Pods without a controller count as healthy and not as expected.
 */
export function budgetStatus(
  budget: ObservedBudget,
  pods: readonly ObservedPod[],
  scaleOf: (owner: string) => Workload['scale'],
): ObservedBudget['status'] {
  const currentHealthy = pods.filter(({ ready, deletionAt }) => ready && deletionAt === undefined).length;
  const counted = typeof budget.minAvailable === 'number' ? pods.length : expectedScale(pods, scaleOf);
  if (counted === 'none') return syncFailed(budget);
  if (counted === 'unknown') return budget.status && asSeen(budget.status, currentHealthy);
  const desiredHealthy = desired(budget, counted);
  const isSpare = counted > 0 && currentHealthy > desiredHealthy;
  return {
    observedGeneration: budget.generation,
    disruptionsAllowed: isSpare ? currentHealthy - desiredHealthy : 0,
    currentHealthy,
    desiredHealthy,
    expectedPods: counted,
    reason: isSpare ? 'SufficientPods' : 'InsufficientPods',
    message: '',
  };
}

/** The sum over the controllers of the pods. One without a scale stops the count, one that is not known leaves it open. */
function expectedScale(
  pods: readonly ObservedPod[],
  scaleOf: (owner: string) => Workload['scale'],
): number | 'none' | 'unknown' {
  const scales = new Map<string, number>();
  for (const owner of new Set(pods.flatMap((pod) => pod.owner?.uid ?? []))) {
    const scale = scaleOf(owner);
    if (scale === 'none') return 'none';
    if (scale === undefined) return 'unknown';
    scales.set(scale.uid, scale.replicas);
  }
  return [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
}

/** Nothing but what is allowed is written then. */
function syncFailed({ status }: ObservedBudget): Status {
  const before = status ?? { observedGeneration: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
  return { ...before, disruptionsAllowed: 0, reason: 'SyncFailed', message: 'found no controllers with scale' };
}

function asSeen(seen: Status, currentHealthy: number): Status {
  if (seen.reason === 'SyncFailed') return seen;
  const isSpare = seen.expectedPods > 0 && currentHealthy > seen.desiredHealthy;
  return {
    ...seen,
    currentHealthy,
    disruptionsAllowed: isSpare ? currentHealthy - seen.desiredHealthy : 0,
    reason: isSpare ? 'SufficientPods' : 'InsufficientPods',
  };
}

function desired({ minAvailable, maxUnavailable }: ObservedBudget, expected: number): number {
  if (maxUnavailable === undefined && minAvailable !== undefined) return scaled(minAvailable, expected);
  return Math.max(0, expected - scaled(maxUnavailable ?? 1, expected));
}

/** Percentages are rounded up. */
function scaled(value: number | string, of: number): number {
  return typeof value === 'number' ? value : Math.ceil((Number.parseInt(value, 10) * of) / 100);
}
