import type { ReadOwner } from '../kube/owners.ts';
import type { SlimBudget, SlimNode } from '../kube/slim.ts';
import type { SlimOwner, SlimPod } from '../kube/slim-pod.ts';
import { type Kind, volumeIndex, type World } from '../world.ts';
import type {
  AnsweredEviction,
  Observation,
  ObservedBlock,
  ObservedBudget,
  ObservedKind,
  ObservedNode,
  ObservedPod,
  ObservedVolume,
  RefusedWrite,
} from './observation.ts';
import { select } from './selection.ts';

/** What is observed besides the cluster itself: what it answered us. Lost with the process, which costs a repetition. */
export interface Recollection {
  /** By UID of the Pod. */
  readonly answers: Map<string, AnsweredEviction>;
  /** By name of the node. */
  readonly refusals: Map<string, RefusedWrite>;
  /** Names of the nodes that were selected when we looked last: changes of what is on others do not matter. */
  held: ReadonlySet<string>;
}

export interface ObserveOptions {
  readonly world: World;
  readonly seen: SeenNodes;
  /** What others than blocks ask for. */
  readonly asked: readonly ObservedBlock[];
  readonly recollection: Recollection;
  readonly ownerOf: (namespace: string, owner: SlimOwner) => ReadOwner | undefined;
}

type SeenNodes = Pick<Observation, 'blocks' | 'nodes' | 'unread'>;

/** What says which nodes are selected. Kinds that only other loops need do not matter here. */
export function observeNodes(world: World, unread: readonly Kind[]): SeenNodes {
  return {
    blocks: [...world.blocks.values()].map(observedBlock),
    nodes: [...world.nodes.values()].map((node) => observedNode(node, world)),
    unread: unread.flatMap((kind) => observedKinds[kind] ?? []),
  };
}

/** From the caches to what the decider is told, without a request. */
export function observeMaintenance({ world, seen, asked, recollection, ownerOf }: ObserveOptions): Observation {
  const { blocks, nodes, unread } = seen;
  const held = [...select({ blocks: [...blocks, ...asked], nodes }).held.keys()];
  recollection.held = new Set(held);
  const pods = held.flatMap((node) => [...world.pods.indexed(node)].map((pod) => observedPod(pod, world)));
  const namespaces = new Set(pods.map(({ namespace }) => namespace));
  forget(recollection, world);
  return {
    blocks,
    nodes,
    pods,
    budgets: [...namespaces].flatMap((namespace) => [...world.budgets.indexed(namespace)].map(observedBudget)),
    priorityClasses: Object.fromEntries([...world.priorityClasses.values()].map(({ name, value }) => [name, value])),
    csiDrivers: [...world.csiDrivers.values()].map(({ name }) => name),
    terminatingNamespaces: [...namespaces].filter((name) => world.namespaces.get(name)?.terminating === true),
    owners: ownersOf(pods, recollection, ownerOf),
    volumes: volumesOf(held, world),
    answers: Object.fromEntries(recollection.answers),
    refusals: Object.fromEntries(recollection.refusals),
    unread,
  };
}

const observedKinds: Readonly<Partial<Record<Kind, ObservedKind>>> = {
  blocks: 'MaintenanceBlock',
  shutdowns: 'ClusterShutdown',
  nodes: 'Node',
  pods: 'Pod',
  budgets: 'PodDisruptionBudget',
  priorityClasses: 'PriorityClass',
  csiDrivers: 'CSIDriver',
  csiNodes: 'CSINode',
  namespaces: 'Namespace',
  volumes: 'Volume',
};

type SlimBlock = ReturnType<World['blocks']['get']> & object;

function observedBlock({ name, uid, generation, deletedAt, spec, status }: SlimBlock): ObservedBlock {
  return {
    name,
    uid,
    generation,
    ...(deletedAt !== undefined && { deletedAt }),
    spec,
    ...(status !== undefined && { status }),
  };
}

/** A node's drivers are in an object of its own. */
function observedNode(node: SlimNode, { csiNodes }: World): ObservedNode {
  const drivers = csiNodes.get(node.name)?.drivers;
  return drivers === undefined ? node : { ...node, csiDrivers: drivers };
}

/** Field by field: there may be twenty thousand, and copying with spreads takes several times as long. */
function observedPod(pod: SlimPod, { volumes }: World): ObservedPod {
  const { namespace, priorityClassName, priority, owner, deletionAt, claims } = pod;
  const observed: { -readonly [Field in keyof ObservedPod]: ObservedPod[Field] } = {
    namespace,
    name: pod.name,
    uid: pod.uid,
    node: pod.node,
    createdAt: pod.createdAt,
    labels: pod.labels,
    phase: pod.phase,
    ready: pod.ready,
    mirror: pod.mirror,
    graceSeconds: pod.graceSeconds,
    finalizers: pod.finalizers,
    tolerations: pod.tolerations,
    volumes: claims.flatMap((claim) =>
      Array.from(volumes.indexed(volumeIndex.claim(namespace, claim)), ({ inUseAs }) => inUseAs),
    ),
    registersPlugins: pod.registersPlugins,
  };
  if (priorityClassName !== undefined) observed.priorityClassName = priorityClassName;
  if (priority !== undefined) observed.priority = priority;
  if (owner !== undefined) observed.owner = owner;
  if (deletionAt !== undefined) observed.deletionAt = deletionAt;
  return observed;
}

/** From a cache to what the decider is told. */
export function observedBudget({ namespace, name, generation, spec, status }: SlimBudget): ObservedBudget {
  const { selector, minAvailable, maxUnavailable, unhealthyPodEvictionPolicy } = spec;
  return {
    namespace,
    name,
    generation,
    ...(selector !== undefined && { selector }),
    ...(minAvailable !== undefined && { minAvailable }),
    ...(maxUnavailable !== undefined && { maxUnavailable }),
    ...(unhealthyPodEvictionPolicy !== undefined && { unhealthyPodEvictionPolicy }),
    ...(isWorkedOn(status) && { status: budgetStatus(status) }),
  };
}

/** A budget that could never be worked out has a condition that says so, and no generation that was seen. */
function isWorkedOn(status: SlimBudget['status']): status is NonNullable<SlimBudget['status']> {
  return status?.observedGeneration !== undefined || (status?.conditions ?? []).length > 0;
}

function budgetStatus(status: NonNullable<SlimBudget['status']>): NonNullable<ObservedBudget['status']> {
  const { reason, message } = status.conditions?.find(({ type }) => type === 'DisruptionAllowed') ?? {};
  return {
    observedGeneration: status.observedGeneration ?? 0,
    disruptionsAllowed: status.disruptionsAllowed ?? 0,
    currentHealthy: status.currentHealthy ?? 0,
    desiredHealthy: status.desiredHealthy ?? 0,
    expectedPods: status.expectedPods ?? 0,
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message }),
  };
}

/** They are read one by one and serve for words only: of Pods whose eviction was refused, or that something holds. */
function ownersOf(
  pods: readonly ObservedPod[],
  { answers }: Recollection,
  ownerOf: ObserveOptions['ownerOf'],
): ReadOwner[] {
  const owners = new Map<string, ReadOwner>();
  for (const { uid, namespace, owner, finalizers } of pods) {
    const answer = answers.get(uid)?.answer.kind;
    const isRefused = answer !== undefined && answer !== 'evicted';
    if (owner === undefined || (!isRefused && finalizers.length === 0)) continue;
    const found = ownerOf(namespace, owner);
    if (found !== undefined) owners.set(found.uid, found);
  }
  return [...owners.values()];
}

function volumesOf(held: readonly string[], { nodes, volumes }: World): ObservedVolume[] {
  const inUse = new Set(held.flatMap((name) => nodes.get(name)?.volumesInUse ?? []));
  return [...inUse].flatMap((inUseAs) =>
    [...volumes.indexed(volumeIndex.inUseAs(inUseAs))].map(({ name, claim }) => ({
      name: inUseAs,
      persistentVolume: name,
      ...(claim !== undefined && { claim }),
    })),
  );
}

/** Of Pods and nodes that are gone nothing needs to be remembered. */
function forget({ answers, refusals }: Recollection, { pods, nodes }: World): void {
  for (const uid of answers.keys()) if (pods.get(uid) === undefined) answers.delete(uid);
  for (const name of refusals.keys()) if (nodes.get(name) === undefined) refusals.delete(name);
}
