import type { KubeClient } from './kube/client.ts';
import { Refused } from './kube/failures.ts';
import { list } from './kube/list.ts';
import { type Resource, resources } from './kube/resource.ts';
import type { ObservedUserClusters } from './shutdown/observation.ts';
import { type ClusterFacts, type PoolFacts, userClustersAmong } from './shutdown/user-clusters.ts';

export interface ManagedClusters {
  /** What is known; asks for what is not known, or not of now, and `wake` tells when to look again. */
  look(): ObservedUserClusters;
  /** Over when there is an answer. */
  read(): Promise<void>;
}

interface ManagedClustersOptions {
  readonly client: KubeClient;
  readonly pageSize: number;
  /** Asks for a pass, which is to look again. */
  wake(inMs: number): void;
}

/** Few clusters know these kinds at all; the others are asked now and then, should one become an admin cluster. */
const freshMs = { known: 10_000, unknown: 300_000 } as const;

type Answer = ObservedUserClusters & { readonly at: number; readonly freshMs: number };

const nobodyKnows: ObservedUserClusters = { clusters: [], unread: ['Cluster', 'NodePool'] };

/**
 * The clusters that an admin cluster of GKE on bare metal manages, from its Cluster and NodePool resources. Listed only
 * while somebody looks, since a watch of kinds that hardly any cluster knows would be broken for ever on all others.
 */
export function openManagedClusters(options: ManagedClustersOptions): ManagedClusters {
  const { wake } = options;
  let known: Answer | undefined;
  let reading: Promise<void> | undefined;

  const ask = async () => {
    known = { ...(await answer(options)), at: performance.now() };
    reading = undefined;
    wake(0);
  };
  const read = (): Promise<void> => {
    reading ??= ask();
    return reading;
  };
  return {
    look: () => {
      const good = known === undefined ? 0 : known.at + known.freshMs - performance.now();
      if (good > 0) wake(good);
      else void read();
      return known === undefined ? nobodyKnows : { clusters: known.clusters, unread: known.unread };
    },
    read,
  };
}

async function answer(options: ManagedClustersOptions): Promise<Omit<Answer, 'at'>> {
  const [clusters, pools] = await Promise.all([
    all(options, resources.bareMetalClusters, clusterFacts),
    all(options, resources.bareMetalNodePools, poolFacts),
  ]);
  if (clusters === 'no such kind') return { clusters: [], unread: [], freshMs: freshMs.unknown };
  const unread = [
    ...(clusters === 'unread' ? ['Cluster'] : []),
    ...(pools === 'unread' || pools === 'no such kind' ? ['NodePool'] : []),
  ];
  if (typeof clusters === 'string' || typeof pools === 'string')
    return { clusters: [], unread, freshMs: freshMs.known };
  return { clusters: userClustersAmong(clusters, pools), unread, freshMs: freshMs.known };
}

/** A kind that is not served is an answer, too: there is none of it. */
async function all<T>(
  { client, pageSize }: ManagedClustersOptions,
  resource: Resource,
  factsOf: (item: never) => T,
): Promise<readonly T[] | 'no such kind' | 'unread'> {
  const found: T[] = [];
  const onItem = (item: unknown) => found.push(factsOf(item as never));
  try {
    await list(client, resource, { pageSize, onItem, onRestart: () => found.splice(0) });
    return found;
  } catch (error) {
    return error instanceof Refused && error.status === 404 ? 'no such kind' : 'unread';
  }
}

interface Metadata {
  readonly name: string;
  readonly namespace?: string;
}

interface RawCluster {
  readonly metadata: Metadata;
  readonly spec?: {
    readonly type?: string;
    readonly maintenanceBlocks?: { readonly cidrBlocks?: readonly string[] };
  };
}

function clusterFacts({ metadata, spec = {} }: RawCluster): ClusterFacts {
  const { name, namespace = '' } = metadata;
  const maintained = spec.maintenanceBlocks?.cidrBlocks ?? [];
  return { name, namespace, maintained, ...(spec.type !== undefined && { type: spec.type }) };
}

interface RawPool {
  readonly metadata: Metadata;
  readonly spec?: { readonly clusterName?: string; readonly nodes?: readonly { readonly address: string }[] };
  readonly status?: {
    readonly readyNodes?: number;
    readonly reconcilingNodes?: number;
    readonly stalledNodes?: number;
    readonly underMaintenanceNodes?: number;
    readonly unknownNodes?: number;
  };
}

function poolFacts({ metadata, spec = {}, status }: RawPool): PoolFacts {
  const { name, namespace = '' } = metadata;
  const addresses = (spec.nodes ?? []).map(({ address }) => address);
  return { name, namespace, cluster: spec.clusterName ?? '', addresses, ...(status && { counts: countsOf(status) }) };
}

function countsOf({
  readyNodes: ready = 0,
  reconcilingNodes: reconciling = 0,
  stalledNodes: stalled = 0,
  underMaintenanceNodes: underMaintenance = 0,
  unknownNodes: unknown = 0,
}: NonNullable<RawPool['status']>): NonNullable<PoolFacts['counts']> {
  return { ready, reconciling, stalled, underMaintenance, unknown };
}
