import { shown } from '../../validate/grammar/fault.ts';
import { aboutPod, type BlockerDraft, podText, type Who } from './blocker-draft.ts';
import type { BudgetView } from './budgets.ts';
import type { ObservedBudget, ObservedPod } from './observation.ts';
import type { Blocker, BudgetNumbers } from './status.ts';

/** Of a pod that NoExecute is to remove, at the same moment as others of its budget. */
export function removalBlocker(pod: ObservedPod, view: BudgetView): BlockerDraft | undefined {
  if (view.kind !== 'allows') return budgetBlocker(pod, view);
  const count = view.budget.status?.disruptionsAllowed ?? 0;
  const text = `${podText(pod)} would be removed together with others, and ${wordsOf(view.budget).text} lets only ${count} go at once.`;
  return { ...aboutPod(pod, 'pdb-budget', 'workload-owner', text), ...wordsOf(view.budget).numbers };
}

export function budgetBlocker(pod: ObservedPod, view: BudgetView): BlockerDraft | undefined {
  if (view.kind === 'free' || view.kind === 'allows') return undefined;
  if (view.kind === 'several') {
    const [first] = view.budgets;
    const firstNumbers = first === undefined ? {} : wordsOf(first).numbers;
    const names = view.budgets.map(({ name }) => shown(name)).join(' and ');
    const text = `${podText(pod)} is in ${view.budgets.length} PodDisruptionBudgets, ${names}: the eviction API refuses such a pod for ever.`;
    return { ...aboutPod(pod, 'pdb-several', 'workload-owner', text), permanent: true, ...firstNumbers };
  }
  const { code, who, permanent, text } = budgetWords[view.kind];
  return {
    ...aboutPod(pod, code, who, text(podText(pod), wordsOf(view.budget).text, view.budget.status)),
    ...(permanent && { permanent }),
    ...wordsOf(view.budget).numbers,
  };
}

interface BudgetWords {
  readonly code: Blocker['code'];
  readonly who: Who;
  readonly permanent: boolean;
  readonly text: (pod: string, budget: string, status: ObservedBudget['status']) => string;
}

const budgetWords: Readonly<Record<'exhausted' | 'unhealthy' | 'never' | 'unobserved' | 'syncFailed', BudgetWords>> = {
  exhausted: {
    code: 'pdb-budget',
    who: 'workload-owner',
    permanent: false,
    text: (pod, budget, status) => `${pod} waits for ${budget}: ${needs(status)}.`,
  },
  unhealthy: {
    code: 'pdb-unhealthy',
    who: 'workload-owner',
    permanent: false,
    text: (pod, budget, status) =>
      `${pod} is not ready, and too few others are for ${budget}: ${needs(status)}. With "unhealthyPodEvictionPolicy: AlwaysAllow" it could go.`,
  },
  never: {
    code: 'pdb-never',
    who: 'workload-owner',
    permanent: true,
    text: (pod, budget, status) =>
      `${budget} never lets ${pod} go: of ${status?.expectedPods ?? 0} pods ${status?.desiredHealthy ?? 0} have to be healthy.`,
  },
  unobserved: {
    code: 'pdb-unobserved',
    who: 'operators',
    permanent: false,
    text: (pod, budget) => `${pod} waits until the disruption controller has worked out ${budget}.`,
  },
  syncFailed: {
    code: 'pdb-sync-failed',
    who: 'workload-owner',
    permanent: true,
    text: (pod, budget, status) =>
      `${budget} lets nobody go, since its controller cannot work it out: ${shown(status?.message ?? '')}. ${pod} waits for it.`,
  },
};

function needs(status: ObservedBudget['status']): string {
  return `it needs ${status?.desiredHealthy ?? 0} healthy pods and has ${status?.currentHealthy ?? 0}`;
}

interface BudgetAsTold {
  readonly text: string;
  readonly numbers: { readonly pdb: BudgetNumbers };
}

/** Worked out once for each budget that was observed: a thousand pods may wait for it. */
const told = new WeakMap<ObservedBudget, BudgetAsTold>();

function wordsOf(budget: ObservedBudget): BudgetAsTold {
  const known = told.get(budget);
  if (known !== undefined) return known;
  const words = { text: `PodDisruptionBudget ${shown(budget.name)}`, numbers: numbersOf(budget) };
  told.set(budget, words);
  return words;
}

/** A negative number of disruptions is the budget's fault, and no count. */
function numbersOf(budget: ObservedBudget): BudgetAsTold['numbers'] {
  const { namespace, name, status } = budget;
  if (status === undefined) return { pdb: { namespace, name } };
  const { disruptionsAllowed, currentHealthy, desiredHealthy } = status;
  return {
    pdb: { namespace, name, disruptionsAllowed: Math.max(0, disruptionsAllowed), currentHealthy, desiredHealthy },
  };
}
