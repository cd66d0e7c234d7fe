import { partOf, type SlimClaim, type SlimWorkload, slimClaim, slimWorkload } from './claims/slim.ts';
import { type SlimInstallation, slimInstallation } from './installations/slim.ts';
import { type Cache, type CacheOptions, type Change, openCache, type Slim, type WritableCache } from './kube/cache.ts';
import type { KubeClient } from './kube/client.ts';
import { openPool } from './kube/intern.ts';
import { list } from './kube/list.ts';
import { type ReflectState, reflect } from './kube/reflect.ts';
import { type Resource, resources, type Scope } from './kube/resource.ts';
import {
  type SlimBudget,
  type SlimCsiNode,
  type SlimNamespace,
  type SlimNode,
  type SlimPriorityClass,
  type SlimResource,
  type SlimVolume,
  slimBudget,
  slimCsiNode,
  slimName,
  slimNamespace,
  slimNode,
  slimPriorityClass,
  slimResource,
  slimVolume,
} from './kube/slim.ts';
import { type SlimJob, slimJob } from './kube/slim-job.ts';
import { type SlimPod, slimPod } from './kube/slim-pod.ts';
import type { RawObject } from './kube/watch.ts';
import type { BlockSpec } from './maintenance/observation.ts';
import { nodeAnnotations } from './maintenance/record.ts';
import type { BlockStatus } from './maintenance/status.ts';
import type { ShutdownSpec } from './shutdown/observation.ts';
import { powerHookLabel } from './shutdown/power-job.ts';
import type { ShutdownStatus } from './shutdown/status.ts';

/** The cluster as far as the loops look at it; each kind is watched once, however many loops there are. */
export interface World {
  readonly blocks: Cache<SlimBlock>;
  readonly nodes: Cache<SlimNode>;
  /** By node; those of etcd also by `etcdPods`, those of virtual clusters also by `virtualClusterPods`. */
  readonly pods: Cache<SlimPod>;
  readonly budgets: Cache<SlimBudget>;
  readonly priorityClasses: Cache<SlimPriorityClass>;
  readonly csiDrivers: Cache<Slim>;
  readonly csiNodes: Cache<SlimCsiNode>;
  /** By the marker of the virtual cluster that has made it. */
  readonly namespaces: Cache<SlimNamespace>;
  /** By the names of `volumeIndex`. */
  readonly volumes: Cache<SlimVolume>;
  readonly shutdowns: Cache<SlimShutdown>;
  /** Of power hooks, in our own namespace. */
  readonly powerJobs: Cache<SlimJob>;
  readonly claims: Cache<SlimClaim>;
  readonly installations: Cache<SlimInstallation>;
  /** Rendered for claims; by namespace, as Deployments are. */
  readonly statefulSets: Cache<SlimWorkload>;
  readonly deployments: Cache<SlimWorkload>;
}

export type Kind = keyof World;

export const volumeIndex = {
  claim: (namespace: string, name: string) => `claim ${namespace}/${name}`,
  inUseAs: (name: string) => `volume ${name}`,
} as const;

/** Of a cluster that runs etcd in Pods, as kubeadm and GKE on bare metal label them. No name of a node has a `=`. */
export const etcdPods = 'component=etcd';

/** Of a namespace: those of a control plane and those that it has synced. No name of a node has a blank. */
export function virtualClusterPods(namespace: string): string {
  return `virtual cluster ${namespace}`;
}

export interface WorldOptions {
  readonly client: KubeClient;
  /** Where we run. */
  readonly namespace: string;
  readonly pageSize: number;
  readonly random: () => number;
  onChange(kind: Kind, change: Change<Slim>): void;
  onState(kind: Kind, state: ReflectState): void;
}

export interface OpenWorld {
  readonly world: World;
  /** What we wrote ourselves, from the answer: it need not wait for the watch. */
  wrote(kind: Kind, object: object): void;
  /** Kinds whose content is not known, or not known to be of now. */
  unread(): readonly Kind[];
  /** How long all of these have been watched without a gap that is worth a word. */
  watchedMs(kinds: readonly Kind[]): number;
  sizes(): readonly (readonly [Kind, number])[];
  /** Watches everything until the signal ends it. */
  follow(signal: AbortSignal): Promise<void>;
  /** Reads everything once. Kinds that cannot be read stay unread. */
  readOnce(): Promise<void>;
}

/** A watch that broke is begun again in less; what is older may be wrong in too many ways. */
const trustedMs = 15_000;

interface Entry {
  readonly kind: Kind;
  readonly resource: Resource;
  readonly scope: Scope;
  readonly cache: WritableCache<Slim>;
  /** Since when it is not known to be of now; undefined: it is. */
  behind: number | undefined;
  /** Since when it is watched without such a gap. */
  watchedSince: number;
}

export function openWorld(options: WorldOptions): OpenWorld {
  const entries: Entry[] = [];
  const add: Add = (kind, resource, cache, scope = {}) => {
    const opened = openCache({ ...cache, onChange: (change) => options.onChange(kind, change) });
    entries.push({
      kind,
      resource,
      scope,
      cache: opened,
      behind: Number.NEGATIVE_INFINITY,
      watchedSince: Number.POSITIVE_INFINITY,
    });
    return opened;
  };
  const world = addKinds(add, options.namespace);
  return {
    world,
    wrote: (kind, object) => entries.find((entry) => entry.kind === kind)?.cache.changed(object),
    unread: () => {
      const limit = performance.now() - trustedMs;
      return entries.filter(({ behind }) => behind !== undefined && behind < limit).map(({ kind }) => kind);
    },
    watchedMs: (kinds) => {
      const all = entries.filter(({ kind }) => kinds.includes(kind));
      return performance.now() - Math.max(...all.map(({ watchedSince }) => watchedSince));
    },
    sizes: () => entries.map(({ kind, cache }) => [kind, cache.size] as const),
    follow: async (signal) => {
      await Promise.all(entries.map((entry) => follow(entry, options, signal)));
    },
    readOnce: async () => {
      await Promise.all(entries.map((entry) => readOnce(entry, options)));
    },
  };
}

type Add = <T extends Slim>(kind: Kind, resource: Resource, cache: CacheOptions<T>, scope?: Scope) => Cache<T>;

function addKinds(add: Add, ownNamespace: string): World {
  const pool = openPool();
  const annotations: readonly string[] = Object.values(nodeAnnotations);
  return {
    blocks: add('blocks', resources.maintenanceBlocks, { project: slimBlock }),
    nodes: add('nodes', resources.nodes, { project: (object) => slimNode(object, annotations) }),
    pods: add('pods', resources.pods, {
      project: (object) => slimPod(object, pool),
      index: podIndex,
    }),
    budgets: add('budgets', resources.podDisruptionBudgets, {
      project: slimBudget,
      index: ({ namespace }) => [namespace],
    }),
    priorityClasses: add('priorityClasses', resources.priorityClasses, { project: slimPriorityClass }),
    csiDrivers: add('csiDrivers', resources.csiDrivers, { project: slimName }),
    csiNodes: add('csiNodes', resources.csiNodes, { project: slimCsiNode }),
    namespaces: add('namespaces', resources.namespaces, {
      project: slimNamespace,
      index: ({ syncedBy }) => (syncedBy === undefined ? [] : [syncedBy]),
    }),
    volumes: add('volumes', resources.persistentVolumes, {
      project: slimVolume,
      index: ({ claim, inUseAs }) => [
        volumeIndex.inUseAs(inUseAs),
        ...(claim === undefined ? [] : [volumeIndex.claim(claim.namespace, claim.name)]),
      ],
    }),
    shutdowns: add('shutdowns', resources.clusterShutdowns, { project: slimResource<ShutdownSpec, ShutdownStatus> }),
    powerJobs: add(
      'powerJobs',
      resources.jobs,
      { project: slimJob },
      { namespace: ownNamespace, labelSelector: powerHookLabel },
    ),
    claims: add('claims', resources.vclusterClaims, { project: slimClaim }),
    installations: add('installations', resources.installations, { project: slimInstallation }),
    statefulSets: add('statefulSets', resources.statefulSets, workloads, ofClaims),
    deployments: add('deployments', resources.deployments, workloads, ofClaims),
  };
}

const workloads: CacheOptions<SlimWorkload> = { project: slimWorkload, index: ({ namespace }) => [namespace] };

/** On everything that is rendered for a claim. */
const ofClaims: Scope = { labelSelector: 'quiesce.dev/claim' };

function podIndex(pod: SlimPod): readonly string[] {
  const { node, namespace, labels } = pod;
  const isVirtual = labels['vcluster.loft.sh/managed-by'] !== undefined || partOf(labels) !== 'other';
  return [node, ...(isEtcd(pod) ? [etcdPods] : []), ...(isVirtual ? [virtualClusterPods(namespace)] : [])];
}

/** Anybody may label a Pod; those in this namespace are the cluster's own. */
export function isEtcd({ namespace, labels }: SlimPod): boolean {
  return namespace === 'kube-system' && labels.component === 'etcd';
}

type SlimShutdown = SlimResource<ShutdownSpec, ShutdownStatus>;

type SlimBlock = SlimResource<BlockSpec, BlockStatus>;

/** A list that was emptied is not there at all. */
function slimBlock(object: RawObject): SlimBlock {
  const block = slimResource<Partial<BlockSpec> & Omit<BlockSpec, 'nodes'>, BlockStatus>(object);
  return { ...block, spec: { ...block.spec, nodes: block.spec.nodes ?? [] } };
}

async function follow(entry: Entry, options: WorldOptions, signal: AbortSignal): Promise<void> {
  const { kind, resource, scope, cache } = entry;
  const { client, pageSize, random } = options;
  await reflect({
    client,
    resource,
    scope,
    cache,
    pageSize,
    random,
    signal,
    onState: (state) => {
      if (state.kind === 'live') caughtUp(entry);
      else entry.behind ??= performance.now();
      options.onState(kind, state);
    },
  });
}

function caughtUp(entry: Entry): void {
  const now = performance.now();
  if (entry.behind !== undefined && entry.behind < now - trustedMs) entry.watchedSince = now;
  entry.behind = undefined;
}

async function readOnce(entry: Entry, { client, pageSize, onState }: WorldOptions): Promise<void> {
  const { kind, resource, scope, cache } = entry;
  try {
    cache.beginList();
    const onItem = (item: unknown) => cache.listed(item as object);
    await list(client, resource, { ...scope, pageSize, onItem, onRestart: () => cache.beginList() });
    cache.endList();
    caughtUp(entry);
    onState(kind, { kind: 'live' });
  } catch (error) {
    onState(kind, { kind: 'behind', error: error instanceof Error ? error : new Error(String(error)) });
  }
}
