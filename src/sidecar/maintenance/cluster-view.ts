import type { Instant } from '../../instant.ts';
import { type BudgetView, budgetFinder, viewBudgets } from './budgets.ts';
import type {
  AnsweredEviction,
  Observation,
  ObservedKind,
  ObservedOwner,
  ObservedPod,
  ObservedVolume,
  RefusedWrite,
} from './observation.ts';

/** An observation, arranged for looking things up. */
export interface ClusterView {
  readonly observation: Observation;
  readonly podsOn: (node: string) => readonly ObservedPod[];
  readonly budgetView: (pod: ObservedPod) => BudgetView;
  readonly answerTo: (pod: ObservedPod) => AnsweredEviction | undefined;
  readonly refusalOf: (node: string) => RefusedWrite | undefined;
  readonly ownerOf: (pod: ObservedPod) => ObservedOwner | undefined;
  readonly volume: (name: string) => ObservedVolume | undefined;
  readonly isTerminating: (namespace: string) => boolean;
  /** Kinds without which it is not known which pods are to go, or in which order. */
  readonly unread: readonly ObservedKind[];
}

/** Without these a drain goes on all the same: they are read for words only. */
const forWordsOnly: readonly ObservedKind[] = ['Namespace', 'Owner', 'Volume'];

export function viewCluster(now: Instant, observation: Observation): ClusterView {
  const pods = groupBy(observation.pods, ({ node }) => node);
  const budgetsOf = budgetFinder(observation.budgets);
  const owners = new Map(observation.owners.map((owner) => [owner.uid, owner]));
  const volumes = new Map(observation.volumes.map((volume) => [volume.name, volume]));
  const answers = past(now, observation.answers);
  const refusals = past(now, observation.refusals);
  const terminating = new Set(observation.terminatingNamespaces);
  const views = new Map<ObservedPod, BudgetView>();
  return {
    observation,
    podsOn: (node) => pods.get(node) ?? [],
    budgetView: (pod) => remembered(views, pod, () => viewBudgets(pod, budgetsOf(pod))),
    answerTo: ({ uid }) => answers.get(uid),
    refusalOf: (node) => refusals.get(node),
    ownerOf: ({ owner }) => (owner === undefined ? undefined : owners.get(owner.uid)),
    volume: (name) => volumes.get(name),
    isTerminating: (namespace) => terminating.has(namespace),
    unread: [...new Set(observation.unread)].filter((kind) => !forWordsOnly.includes(kind)).sort(),
  };
}

/** What was answered in the future was answered before the clock went backwards: nobody waits for it to come round. */
function past<T extends { readonly at: Instant }>(
  now: Instant,
  answers: Readonly<Record<string, T>>,
): ReadonlyMap<string, T> {
  return new Map(Object.entries(answers).filter(([, { at }]) => at <= now));
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

function remembered<K, V>(known: Map<K, V>, key: K, find: () => V): V {
  const found = known.get(key) ?? find();
  known.set(key, found);
  return found;
}
