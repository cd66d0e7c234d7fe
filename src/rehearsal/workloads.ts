import { recordOf } from '../sidecar/maintenance/record.ts';
import type { Pace } from './pace.ts';
import type { PodTemplate, Replaces, Workload } from './simulate/cluster.ts';
import type { Snapshot, SnapshotController, SnapshotPod } from './snapshot.ts';

/** The pods of one controller. */
export interface Crew extends NonNullable<SnapshotPod['owner']> {
  readonly namespace: string;
  readonly pods: readonly SnapshotPod[];
}

/** The kubelet's own pods, which have a Node for a controller, are nobody's. */
export function crewsOf({ pods }: Pick<Snapshot, 'pods'>): readonly Crew[] {
  const crews = new Map<string, { readonly first: SnapshotPod; readonly pods: SnapshotPod[] }>();
  for (const pod of pods) {
    if (pod.owner === undefined || pod.mirror) continue;
    const crew = crews.get(pod.owner.uid);
    if (crew === undefined) crews.set(pod.owner.uid, { first: pod, pods: [pod] });
    else crew.pods.push(pod);
  }
  return [...crews.values()].flatMap(({ first: { owner, namespace }, pods: mates }) =>
    owner === undefined ? [] : [{ ...owner, namespace, pods: mates }],
  );
}

/** Kinds that the snapshot lists: one of them that is not in it is not there. */
const listedKinds: readonly string[] = [
  'apps/v1/ReplicaSet',
  'apps/v1/StatefulSet',
  'apps/v1/DaemonSet',
  'batch/v1/Job',
  'v1/ReplicationController',
];

export function isListedKind({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): boolean {
  return listedKinds.includes(`${apiVersion}/${kind}`);
}

/** Its controller is gone, so nobody makes it again. */
export function isOrphan(snapshot: Snapshot, { owner }: SnapshotPod): boolean {
  if (owner === undefined || !isListedKind(owner)) return false;
  const isRead = snapshot.unread.every(({ what }) => what !== `${owner.apiVersion}/${owner.kind}`);
  return isRead && controllerIn(snapshot, owner.uid) === undefined;
}

const indices = new WeakMap<Snapshot, ReadonlyMap<string, SnapshotController>>();

function controllerIn(snapshot: Snapshot, uid: string): SnapshotController | undefined {
  const index = indices.get(snapshot) ?? new Map(snapshot.controllers.map((each) => [each.uid, each]));
  indices.set(snapshot, index);
  return index.get(uid);
}

export function workloadOf(
  crew: Crew,
  template: PodTemplate,
  { snapshot, pace }: { readonly snapshot: Snapshot; readonly pace: Pace },
): Workload {
  const { apiVersion, kind, namespace, name, uid, pods } = crew;
  const controller = controllerIn(snapshot, uid);
  const scale = scaleOf(snapshot, crew, controller);
  const replaces = replacesOf(crew, controller, pods[0] !== undefined && isOrphan(snapshot, pods[0]));
  return {
    apiVersion,
    kind,
    namespace,
    name,
    uid,
    replaces,
    replicas: replicasOf(crew, controller, pace),
    ...(replaces === 'on-each-node' && { among: nodesOf(crew, snapshot) }),
    ...(scale !== undefined && { scale }),
    template,
  };
}

function replacesOf({ kind }: Crew, controller: SnapshotController | undefined, isOrphaned: boolean): Replaces {
  if (isOrphaned) return 'never';
  switch (kind) {
    case 'StatefulSet':
      return controller?.isParallel === true ? 'by-name' : 'in-order';
    case 'DaemonSet':
      return 'on-each-node';
    default:
      return 'at-once';
  }
}

/** So many missing pods of one controller are made; a number that somebody mistyped would take all memory. */
export const mostMissing = 1000;

/** Controllers that have pods and lack more than are made, as `Kind namespace/name`. */
export function farFromComplete(snapshot: Snapshot): readonly string[] {
  return crewsOf(snapshot).flatMap(({ kind, namespace, name, uid, pods }) => {
    const replicas = kind === 'Job' ? 0 : (controllerIn(snapshot, uid)?.replicas ?? 0);
    return replicas > pods.length + mostMissing ? [`${kind} ${namespace}/${name}`] : [];
  });
}

/**
 * What is missing already when the snapshot is taken may come, or may never. Of a Job and of what is not known, as many
 * as are there.
 */
function replicasOf({ kind, pods }: Crew, controller: SnapshotController | undefined, pace: Pace): number {
  const { length } = pods.filter(({ phase, deletionAt }) => {
    return phase !== 'Succeeded' && phase !== 'Failed' && (deletionAt === undefined || kind === 'StatefulSet');
  });
  if (controller?.replicas === undefined || kind === 'Job') return length;
  const wanted = Math.min(controller.replicas, pods.length + mostMissing);
  return kind === 'StatefulSet' || pace === 'soonest' ? wanted : Math.min(wanted, length + terminating(pods));
}

function terminating(pods: readonly SnapshotPod[]): number {
  return pods.filter(({ deletionAt }) => deletionAt !== undefined).length;
}

/** Where a DaemonSet has a pod, and where it may have one again once maintenance is over. */
function nodesOf({ pods }: Crew, { nodes }: Snapshot): ReadonlySet<string> {
  const held = nodes.filter((node) => recordOf(node) !== undefined).map(({ name }) => name);
  return new Set([...pods.map(({ node }) => node), ...held]);
}

/** As the disruption controller finds it: of the Deployment above a ReplicaSet, else its own. */
function scaleOf(
  snapshot: Snapshot,
  { kind, uid }: Crew,
  controller: SnapshotController | undefined,
): Workload['scale'] {
  if (kind === 'DaemonSet' || kind === 'Job' || kind === 'Node') return 'none';
  if (controller?.replicas === undefined) return undefined;
  const above = controller.owner?.kind === 'Deployment' ? controllerIn(snapshot, controller.owner.uid) : undefined;
  return { uid: above?.uid ?? uid, replicas: above?.replicas ?? controller.replicas };
}
