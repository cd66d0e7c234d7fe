import { contains, parseAddress, parseBlock } from '../../validate/grammar/addresses.ts';
import type { BlockerDraft } from '../maintenance/blocker-draft.ts';
import type { ObservedUserCluster } from './observation.ts';

/** What counts of a VClusterClaim. */
interface ClaimFacts {
  readonly name: string;
  readonly generation: number;
  readonly spec: { readonly state: string };
  readonly status?: { readonly phase?: string; readonly observedGeneration?: number };
}

/** What counts of a Cluster of GKE on bare metal; an admin cluster has one for each cluster that it manages. */
export interface ClusterFacts {
  readonly name: string;
  readonly namespace: string;
  /** `admin`, `hybrid` and `standalone` are the cluster itself. */
  readonly type?: string;
  /** `spec.maintenanceBlocks.cidrBlocks` */
  readonly maintained: readonly string[];
}

/** Of each of its node pools, those of the control plane and of load balancers included. */
export interface PoolFacts {
  readonly name: string;
  readonly namespace: string;
  readonly cluster: string;
  readonly addresses: readonly string[];
  /** Absent while nobody has counted. */
  readonly counts?: PoolCounts;
}

/** Each node is in one of them: the columns of `kubectl get nodepools`. */
interface PoolCounts {
  readonly ready: number;
  readonly reconciling: number;
  readonly stalled: number;
  readonly underMaintenance: number;
  readonly unknown: number;
}

/** One is down when it is seen to be at rest as git asks for it now; what was seen of an earlier order counts for nothing. */
export function claimAsCluster({ name, generation, spec, status = {} }: ClaimFacts): ObservedUserCluster {
  const identity = { apiVersion: 'quiesce.dev/v1alpha1', kind: 'VClusterClaim', name } as const;
  const { phase, observedGeneration = 0 } = status;
  const isAtRest =
    (spec.state === 'Sleeping' && phase === 'Asleep') || (spec.state === 'Deleted' && phase === 'Deleted');
  if (isAtRest && observedGeneration >= generation) return identity;
  return { ...identity, standing: phase === undefined || isAtRest ? 'not looked at yet' : phase };
}

export function userClustersAmong(
  clusters: readonly ClusterFacts[],
  pools: readonly PoolFacts[],
): readonly ObservedUserCluster[] {
  const own = ['admin', 'hybrid', 'standalone'];
  return clusters
    .filter(({ type = '' }) => !own.includes(type))
    .map((cluster) => {
      const { name, namespace } = cluster;
      const standing = standingOf(
        cluster,
        pools.filter((pool) => pool.namespace === namespace && pool.cluster === name),
      );
      const identity = { apiVersion: 'baremetal.cluster.gke.io/v1', kind: 'Cluster', namespace, name } as const;
      return { ...identity, ...(standing !== undefined && { standing }) };
    });
}

/** Nothing, if every node of every pool is in maintenance, or was put into it and is not heard of any more. */
function standingOf(cluster: ClusterFacts, pools: readonly PoolFacts[]): string | undefined {
  if (pools.length === 0) return 'no node pool of it was found';
  const standings = pools.flatMap((pool) => poolStanding(pool, cluster) ?? []);
  return standings.length === 0 ? undefined : standings.join(', ');
}

function poolStanding({ name, addresses, counts }: PoolFacts, { maintained }: ClusterFacts): string | undefined {
  if (counts === undefined) return `${name}: nodes not counted yet`;
  const { underMaintenance, unknown, ...up } = counts;
  const words = Object.entries(up).filter(([, count]) => count > 0);
  if (words.length > 0) return `${name}: ${words.map(([column, count]) => `${count} ${column}`).join(', ')}`;
  const missing = addresses.length - underMaintenance - unknown;
  if (missing > 0) return `${name}: ${missing} of ${addresses.length} nodes not counted yet`;
  // Not heard of may be a broken line as well as a machine without power, unless it was put to rest before.
  const isAsked = addresses.every((address) => isMaintained(address, maintained));
  return unknown > 0 && !isAsked ? `${name}: ${unknown} unknown, and not in maintenanceBlocks` : undefined;
}

function isMaintained(text: string, maintained: readonly string[]): boolean {
  const { value: address } = parseAddress(text);
  if (address === undefined) return false;
  return maintained.some((written) => {
    const { value: block } = parseBlock(written);
    return block !== undefined && contains(block, address);
  });
}

/** One for each that still runs: who owns it has to act. */
export function userClusterBlocker({ standing, ...object }: ObservedUserCluster): BlockerDraft[] {
  if (standing === undefined) return [];
  const { kind, name } = object;
  const isClaim = kind === 'VClusterClaim';
  const remedy = isClaim ? `"quiesce sleep ${name}" puts it to rest` : 'put every node of it into maintenance first';
  return [
    {
      code: 'user-cluster-up',
      who: isClaim ? 'workload-owner' : 'operators',
      message: `${kind} ${name} would lose the cluster that it depends on (${standing}): ${remedy}.`,
      object,
    },
  ];
}
