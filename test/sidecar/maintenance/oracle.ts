import type { SimulatedCluster } from '../../../src/rehearsal/simulate/cluster.ts';
import { evictionAnswer } from '../../../src/rehearsal/simulate/eviction.ts';
import type { Decision } from '../../../src/sidecar/maintenance/action.ts';
import type {
  Observation,
  ObservedBlock,
  ObservedNode,
  ObservedPod,
} from '../../../src/sidecar/maintenance/observation.ts';
import { key, priorityClasses } from './random-cluster.ts';

/**
 * What must hold, read off the cluster and not off the decider's own reports, and worked out in another way than the
 * decider does: by the names that the random clusters give to what pods tolerate.
 */
export function faultsOf(observation: Observation, { actions }: Decision): string[] {
  return actions.flatMap((action) => {
    if (action.kind === 'status') return [];
    const node = observation.nodes.find(({ name }) => name === action.node);
    if (node === undefined) return [`${action.node} is not there`];
    if (action.kind === 'node') {
      const { taints = node.taints } = action;
      const lost = node.taints.filter(
        (taint) => !owned(node).includes(`${taint.key}:${taint.effect}`) && !taints.includes(taint),
      );
      return lost.map((taint) => `${node.name} loses the foreign taint ${taint.key}:${taint.effect}`);
    }
    const pod = observation.pods.find(({ uid }) => uid === action.uid);
    if (pod === undefined) return [`${action.name} is not there`];
    return [...untouchable(pod), ...outOfOrder(pod, node, observation), ...unprotected(node)].map(
      (fault) => `evicting ${pod.name}: ${fault}`,
    );
  });
}

function untouchable(pod: ObservedPod): string[] {
  if (pod.mirror) return ['it is a mirror'];
  if (pod.phase === 'Succeeded' || pod.phase === 'Failed') return ['it is finished'];
  if (pod.deletionAt !== undefined) return ['it terminates already'];
  return toleratesAll(pod) ? ['it tolerates maintenance'] : [];
}

function unprotected(node: ObservedNode): string[] {
  const has = (effect: string) => node.taints.some((taint) => taint.key === key && taint.effect === effect);
  return [
    ...(has('NoSchedule') ? [] : ['nothing keeps others away']),
    ...(has('NoExecute') ? ['NoExecute is there'] : []),
  ];
}

function outOfOrder(pod: ObservedPod, node: ObservedNode, { pods }: Observation): string[] {
  const others = pods.filter((other) => other.node === node.name && isToGo(other, node));
  const earlier = others
    .filter((other) => rank(other, node) < rank(pod, node))
    .map(({ name }) => `${name} is before it`);
  if (rank(pod, node) < rankOfDrivers) return earlier;
  const used = new Set(pods.filter((other) => other.node === node.name).flatMap(({ volumes }) => volumes));
  return [...earlier, ...node.volumesInUse.filter((volume) => !used.has(volume)).map((name) => `${name} is in use`)];
}

function isToGo(pod: ObservedPod, node: ObservedNode): boolean {
  if (pod.mirror || pod.phase === 'Succeeded' || pod.phase === 'Failed' || toleratesAll(pod)) return false;
  const began = Date.parse(node.annotations['quiesce.dev/maintenance-drain-started'] ?? '');
  const comesBack = pod.owner?.kind === 'DaemonSet' || pod.createdAt > began;
  return !(pod.labels.profile === 'scheduling' && comesBack);
}

function toleratesAll({ mirror, labels: { profile } }: ObservedPod): boolean {
  return mirror || profile === 'everything' || profile === 'maintenance';
}

const rankOfDrivers = 4_000_000_000;

/** One number for the whole order: without class, of a DaemonSet, then by the class, then drivers. */
function rank(pod: ObservedPod, node: ObservedNode): number {
  if (pod.registersPlugins && (node.csiDrivers ?? []).length > 0) return rankOfDrivers;
  const name = pod.priorityClassName;
  if (name === undefined) return pod.owner?.kind === 'DaemonSet' ? -1 : -2;
  return Object.entries(priorityClasses).find(([known]) => known === name)?.[1] ?? 0;
}

function owned({ annotations }: ObservedNode): readonly string[] {
  return (annotations['quiesce.dev/maintenance-owns'] ?? '').split(',');
}

/** Pods that our NoExecute removed although a budget would have refused it, before the deadline. */
export function budgetFaults(removals: readonly Removal[], deadlines: ReadonlyMap<string, number>): string[] {
  return removals.flatMap(({ at, pod, budgets }) => {
    if (at >= (deadlines.get(pod.node) ?? 0)) return [];
    const cluster = { budgets, terminatingNamespaces: [] };
    const { body } = evictionAnswer({ pod, name: pod.name, uid: pod.uid, cluster });
    return body.status === 'Success' ? [] : [`${pod.name} was removed past its budget: ${String(body.message)}`];
  });
}

/** A pod that a taint removed, with the budgets as they were right before. */
export interface Removal {
  readonly at: number;
  readonly pod: ObservedPod;
  readonly budgets: Observation['budgets'];
}

/**
 * Until when a node's budgets count: to its deadline, or not at all where they are to be ignored. With two blocks it may
 * have been the other one's for a while, so a node of two is left out if either ignores them.
 */
export function budgetDeadlines(cluster: SimulatedCluster, { nodes }: Observation): Map<string, number> {
  const ignores = ({ spec }: ObservedBlock) => spec.ignorePdb;
  const blocks = cluster.blocks.length > 1 && cluster.blocks.some(ignores) ? [] : cluster.blocks;
  return new Map(
    nodes.flatMap(({ name, annotations }) => {
      const began = Date.parse(annotations['quiesce.dev/maintenance-drain-started'] ?? '');
      const block = blocks.find((each) => each.name === annotations['quiesce.dev/maintenance-block']);
      if (block === undefined || ignores(block)) return [];
      return [[name, began + block.spec.deadlineSeconds * 1000] as const];
    }),
  );
}

/** Nobody is asked for more often than once in two seconds. */
export function pacingFaults(): (decision: Decision, now: number) => string[] {
  const asked = new Map<string, number>();
  return ({ actions }, now) =>
    actions.flatMap((action) => {
      if (action.kind !== 'evict') return [];
      const isTooSoon = now - (asked.get(action.uid) ?? Number.NEGATIVE_INFINITY) < 2000;
      asked.set(action.uid, now);
      return isTooSoon ? [`${action.name} is asked again too soon`] : [];
    });
}

/** A node where nothing has moved for two minutes, and whose status names nothing. */
export function silenceFaults(): (observation: Observation, decision: Decision, now: number) => string[] {
  const progress = new Map<string, { readonly state: string; readonly at: number }>();
  return ({ nodes, pods }, { statuses }, now) =>
    statuses
      .flatMap(({ status }) => status.nodes ?? [])
      .flatMap(({ node: name, phase, blockers = [] }) => {
        if (phase !== 'Draining' || name === undefined) return [];
        const volumes = nodes.find((node) => node.name === name)?.volumesInUse;
        const there = pods.filter(({ node }) => node === name).map(({ uid, deletionAt }) => [uid, deletionAt]);
        const state = JSON.stringify([volumes, there]);
        const last = progress.get(name);
        if (last?.state !== state) progress.set(name, { state, at: now });
        else if (now - last.at > 120_000 && blockers.length === 0) return [`${name} stands still and nobody says why`];
        return [];
      });
}
