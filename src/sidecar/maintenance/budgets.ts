import { matcher } from './label-selector.ts';
import type { ObservedBudget, ObservedPod } from './observation.ts';
import { compareNamed } from './order.ts';

/** What stands between a pod and its eviction, as the API server would judge it now. */
export type BudgetView =
  /** No budget, or one that does not count for this pod. */
  | { readonly kind: 'free' }
  | { readonly kind: 'allows'; readonly budget: ObservedBudget }
  /** Until others are healthy again. */
  | { readonly kind: 'exhausted'; readonly budget: ObservedBudget }
  /** The pod is not ready, and too few of the others are for it to go. */
  | { readonly kind: 'unhealthy'; readonly budget: ObservedBudget }
  /** It never lets a pod go, however healthy all of them are. */
  | { readonly kind: 'never'; readonly budget: ObservedBudget }
  | { readonly kind: 'unobserved'; readonly budget: ObservedBudget }
  | { readonly kind: 'syncFailed'; readonly budget: ObservedBudget }
  /** The eviction subresource does not support it. */
  | { readonly kind: 'several'; readonly budgets: readonly ObservedBudget[] };

/**
 * Budgets of a pod, by name. Each selector is read once, and asked once of labels that many pods share: the pods of one
 * workload have one copy of them.
 */
export function budgetFinder(budgets: readonly ObservedBudget[]): (pod: ObservedPod) => readonly ObservedBudget[] {
  const byNamespace = new Map<string, Candidates>();
  for (const budget of [...budgets].sort(compareNamed)) {
    const candidates: Candidates = byNamespace.get(budget.namespace) ?? { all: [], found: new Map() };
    candidates.all.push({ budget, matches: matcher(budget.selector) });
    byNamespace.set(budget.namespace, candidates);
  }
  return ({ namespace, labels }) => {
    const { all, found } = byNamespace.get(namespace) ?? nobody;
    const known = found.get(labels);
    if (known !== undefined || all.length === 0) return known ?? [];
    const matching = all.filter(({ matches }) => matches(labels)).map(({ budget }) => budget);
    found.set(labels, matching);
    return matching;
  };
}

interface Candidates {
  readonly all: { readonly budget: ObservedBudget; readonly matches: ReturnType<typeof matcher> }[];
  readonly found: Map<ObservedPod['labels'], readonly ObservedBudget[]>;
}

const nobody: Candidates = { all: [], found: new Map() };

/**
 * In the order of the API server's own checks (kubernetes `pkg/registry/core/pod/storage/eviction.go`): what it lets
 * pass without looking at budgets, then how many there are, then a pod that is not ready, then the numbers. It only says
 * of a budget that it is not processed yet where the disruption controller has tried in vain and says why
 * (`pkg/controller/disruption`, failSafe, which leaves the observed generation as it was): that is what people are told.
 */
export function viewBudgets(pod: ObservedPod, matching: readonly ObservedBudget[]): BudgetView {
  const [budget, ...others] = matching;
  if (budget === undefined || pod.deletionAt !== undefined || passesAnyBudget(pod)) return { kind: 'free' };
  if (others.length > 0) return { kind: 'several', budgets: matching };
  const { status } = budget;
  if (!pod.ready) {
    if (budget.unhealthyPodEvictionPolicy === 'AlwaysAllow') return { kind: 'free' };
    if (status !== undefined && status.currentHealthy >= status.desiredHealthy && status.desiredHealthy > 0) {
      return { kind: 'free' };
    }
  }
  if (status?.reason === 'SyncFailed') return { kind: 'syncFailed', budget };
  if (status === undefined || status.observedGeneration < budget.generation) return { kind: 'unobserved', budget };
  if (status.disruptionsAllowed > 0) return { kind: 'allows', budget };
  if (letsNobodyGo(budget)) return { kind: 'never', budget };
  return pod.ready ? { kind: 'exhausted', budget } : { kind: 'unhealthy', budget };
}

function passesAnyBudget({ phase }: Pick<ObservedPod, 'phase'>): boolean {
  return phase === 'Pending' || phase === 'Succeeded' || phase === 'Failed';
}

/** `maxUnavailable: 0`, `minAvailable` of all of them, or a percentage that is rounded up to that. */
function letsNobodyGo({ minAvailable, maxUnavailable, status }: ObservedBudget): boolean {
  if (isZero(maxUnavailable) || minAvailable === '100%') return true;
  return status !== undefined && status.expectedPods > 0 && status.desiredHealthy >= status.expectedPods;
}

function isZero(value: number | string | undefined): boolean {
  return value === 0 || value === '0' || value === '0%';
}

export function budgetKey({ namespace, name }: Pick<ObservedBudget, 'namespace' | 'name'>): string {
  return `${namespace}/${name}`;
}
