import type { BlockSpec, ObservedBlock, ObservedOwner, ObservedPod } from '../sidecar/maintenance/observation.ts';
import { compareText } from '../sidecar/maintenance/order.ts';
import type { Pace } from './pace.ts';
import { cleanUpSeconds, finalizerSeconds, isLongUnready, startSeconds, stopSeconds, unmountSeconds } from './pace.ts';
import type { PodTemplate, SimulatedCluster, SimulatedPod } from './simulate/cluster.ts';
import type { Snapshot, SnapshotPod, SnapshotVolume } from './snapshot.ts';
import { crewsOf, isOrphan, workloadOf } from './workloads.ts';

/** A snapshot with the blocks that git asks for, ready to be lived on at a pace. */
export function sceneOf(
  snapshot: Snapshot,
  blocks: readonly { readonly name: string; readonly spec: BlockSpec }[],
  pace: Pace,
): SimulatedCluster {
  const crews = crewsOf(snapshot);
  const volumes = volumesByClaim(snapshot.volumes);
  const starts = new Map(crews.map(({ uid, pods }) => [uid, startOf(pods, snapshot, pace)]));
  const dress = (pod: SnapshotPod): SimulatedPod => {
    const workload = pod.owner !== undefined && starts.has(pod.owner.uid) ? pod.owner.uid : undefined;
    const start = starts.get(workload ?? '') ?? startOf([pod], snapshot, pace);
    const template = templateOf(pod, { snapshot, pace, start, volumes });
    const { claims: _, placement: __, startedInSeconds: ___, owners: ____, rendered: _____, ...rest } = pod;
    return {
      pod: { ...rest, volumes: template.volumes },
      ...(workload !== undefined && { workload }),
      template,
    };
  };
  const pods = shared(snapshot.pods.map(dress));
  const first = new Map(pods.toReversed().map(({ workload, template }) => [workload, template]));
  return {
    now: snapshot.takenAt,
    nodes: snapshot.nodes.map((node) => ({ ...node, unmountSeconds: unmountSeconds[pace] })),
    workloads: crews.flatMap((crew) => {
      const template = first.get(crew.uid);
      return template === undefined ? [] : [workloadOf(crew, template, { snapshot, pace })];
    }),
    pods,
    budgets: snapshot.budgets,
    blocks: blocks.map(({ name, spec }): ObservedBlock => ({ name, uid: `block ${name}`, generation: 1, spec })),
    priorityClasses: snapshot.priorityClasses,
    csiDrivers: snapshot.csiDrivers,
    terminatingNamespaces: snapshot.namespaces.filter(({ terminating }) => terminating).map(({ name }) => name),
    owners: ownersForWords(snapshot),
    volumes: snapshot.volumes.flatMap(({ name, inUseAs, claim }) =>
      inUseAs === undefined ? [] : [{ name: inUseAs, persistentVolume: name, ...(claim !== undefined && { claim }) }],
    ),
    unread: [],
  };
}

interface Told {
  readonly snapshot: Snapshot;
  readonly pace: Pace;
  /** Seconds that its like takes to start. */
  readonly start: number;
  readonly volumes: ReadonlyMap<string, SnapshotVolume>;
}

function templateOf(pod: SnapshotPod, { snapshot, pace, start, volumes }: Told): PodTemplate {
  const { labels, tolerations, priorityClassName, priority, graceSeconds, finalizers, registersPlugins } = pod;
  const mounted = pod.claims.flatMap((claim) => volumes.get(`${pod.namespace}/${claim}`) ?? []);
  return {
    labels,
    tolerations,
    ...(priorityClassName !== undefined && { priorityClassName }),
    ...(priority !== undefined && { priority }),
    graceSeconds,
    startSeconds: isLongUnready(pod, snapshot.takenAt) ? Number.POSITIVE_INFINITY : start,
    stopSeconds: stopSeconds(pace, graceSeconds),
    cleanUpSeconds: cleanUpSeconds[pace],
    finalizers,
    finalizerSeconds: finalizerSeconds(pace, finalizers, isOrphan(snapshot, pod)),
    volumes: mounted.flatMap(({ inUseAs }) => inUseAs ?? []),
    hasOwnVolume: false,
    reach: mounted.flatMap(({ reach }) => (reach === undefined ? [] : [reach])),
    registersPlugins,
    placement: pod.placement,
  };
}

/** Where one of them has not become ready, another may not either. */
function startOf(pods: readonly SnapshotPod[], { takenAt }: Snapshot, pace: Pace): number {
  const isDoubtful = pace === 'latest' && pods.some((pod) => isLongUnready(pod, takenAt));
  return isDoubtful ? Number.POSITIVE_INFINITY : startSeconds(pace, pods);
}

/** One template for all that are alike: what holds of one of them holds of all. */
function shared(pods: readonly SimulatedPod[]): SimulatedPod[] {
  const known = new Map<string, PodTemplate>();
  return pods.map((each) => {
    const key = `${each.workload} ${JSON.stringify(each.template)}`;
    const template = known.get(key) ?? each.template;
    known.set(key, template);
    return { ...each, template };
  });
}

function volumesByClaim(volumes: readonly SnapshotVolume[]): ReadonlyMap<string, SnapshotVolume> {
  return new Map(
    volumes.flatMap((volume) => (volume.claim ? [[`${volume.claim.namespace}/${volume.claim.name}`, volume]] : [])),
  );
}

/** As the sidecar reads them, of pods that something holds. */
function ownersForWords(snapshot: Snapshot): ObservedOwner[] {
  const held = snapshot.pods.filter(({ finalizers, owner }) => finalizers.length > 0 && owner !== undefined);
  const owners = new Map(
    held.flatMap((pod) => (pod.owner ? [[pod.owner.uid, ownerFor(snapshot, pod, pod.owner)]] : [])),
  );
  return [...owners.values()].sort((a, b) => compareText(a.uid, b.uid));
}

function ownerFor(snapshot: Snapshot, pod: SnapshotPod, owner: NonNullable<ObservedPod['owner']>): ObservedOwner {
  const { namespace } = pod;
  return { ...owner, namespace, ...(isOrphan(snapshot, pod) && { missing: true }) };
}
