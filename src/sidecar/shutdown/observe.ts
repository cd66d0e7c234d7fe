import type { Leadership } from '../etcd-leader.ts';
import type { SlimPod } from '../kube/slim-pod.ts';
import type { Observation, ObservedBlock, ObservedNode, RefusedWrite } from '../maintenance/observation.ts';
import { etcdPods, type World } from '../world.ts';
import type { ObservedEtcdMember, ObservedUserClusters, ShutdownObservation } from './observation.ts';
import { observedPowerJob } from './power-job.ts';
import { claimAsCluster } from './user-clusters.ts';

export interface ObserveShutdownOptions {
  readonly world: World;
  readonly blocks: readonly ObservedBlock[];
  readonly nodes: readonly ObservedNode[];
  readonly unread: Observation['unread'];
  /** Whether the Jobs of power hooks are known. */
  readonly areJobsRead: boolean;
  /** Whether the claims are. */
  readonly areClaimsRead: boolean;
  /** By name of the Job. */
  readonly refusals: ReadonlyMap<string, RefusedWrite>;
  readonly leaderOf: (members: readonly SlimPod[]) => Leadership;
  /** Clusters of GKE on bare metal that this one manages. */
  readonly managed: () => ObservedUserClusters;
}

/** From the caches to what the decider is told of every ClusterShutdown, except for the drains, which are decided first. */
export function observeShutdowns(options: ObserveShutdownOptions): ShutdownObservation[] {
  const { world, blocks, nodes, unread, areJobsRead, refusals } = options;
  const shutdowns = [...world.shutdowns.values()];
  const etcd = shutdowns.length === 0 ? { etcd: [] } : etcdMembers(options);
  const known = isShutdownAsked(world) ? { userClusters: userClusters(options) } : {};
  return shutdowns.map(({ name, uid, generation, deletedAt, spec, status }) => ({
    shutdown: {
      name,
      uid,
      generation,
      ...(deletedAt !== undefined && { deletedAt }),
      spec,
      ...(status !== undefined && { status }),
    },
    nodes,
    ...etcd,
    ...known,
    jobs: [...world.powerJobs.values()].flatMap((job) => observedPowerJob(job, uid)),
    refusals: Object.fromEntries(refusals),
    blocks,
    drains: [],
    unread: areJobsRead ? unread : [...unread, 'Job'],
  }));
}

/** Before a cluster is shut down, and as long as that takes; a restart asks for nobody's rest. */
export function isShutdownAsked({ shutdowns }: World): boolean {
  return [...shutdowns.values()].some(({ spec }) => spec.action === 'Shutdown');
}

function userClusters({ world, areClaimsRead, managed }: ObserveShutdownOptions): ObservedUserClusters {
  const { clusters, unread } = managed();
  return {
    clusters: [...Array.from(world.claims.values(), claimAsCluster), ...clusters],
    unread: [...(areClaimsRead ? [] : ['VClusterClaim']), ...unread],
  };
}

/** Who leads is asked for only while somebody wants to know: each time is a request for every member. */
function etcdMembers({ world, leaderOf }: ObserveShutdownOptions): Pick<ShutdownObservation, 'etcd' | 'isLeaderAsked'> {
  const pods = [...world.pods.indexed(etcdPods)];
  const running = pods.filter(isRunning);
  const { leader, isAsked = false }: Partial<Leadership> = isShutdownAsked(world) ? leaderOf(running) : {};
  const etcd = pods.map(
    (pod): ObservedEtcdMember => ({
      pod: pod.name,
      node: pod.node,
      isRunning: isRunning(pod),
      ...(leader !== undefined && { isLeader: pod.uid === leader }),
    }),
  );
  return { etcd, ...(isAsked && { isLeaderAsked: true }) };
}

function isRunning({ phase, ready, deletionAt }: SlimPod): boolean {
  return phase === 'Running' && ready && deletionAt === undefined;
}
