import type { Instant } from '../../instant.ts';
import { kindKey } from '../../sidecar/uninstall/kinds.ts';
import type { SeenObject } from '../../sidecar/uninstall/observation.ts';
import type { Snapshot, SnapshotPod, SnapshotVolume, SnapshotWorkload } from '../snapshot.ts';

/** One object as the deciders see it, and what tells how it goes. */
export interface PicturedObject extends SeenObject {
  readonly pod?: PicturedPod;
  /** Of StatefulSets and Deployments of claims. */
  readonly workload?: SnapshotWorkload;
  readonly volume?: PicturedVolume;
  /** Of Jobs that an uninstall has begun. */
  readonly endsAt?: Instant;
}

type PicturedPod = Pick<SnapshotPod, 'node' | 'graceSeconds' | 'claims'> & { readonly isFinished: boolean };

interface PicturedVolume {
  /** It goes with its claim. */
  readonly isReclaimed: boolean;
  readonly claimUid?: string;
}

/** Every object of a snapshot, each once. */
export function picture(snapshot: Snapshot): readonly PicturedObject[] {
  const { pods, objects, volumes, claimWorkloads } = snapshot;
  const claims = new Map(objects.filter(isVolumeClaim).map((claim) => [placeKey(claim), claim.uid]));
  const volumeByName = new Map(volumes.map((volume) => [volume.name, volume]));
  const workloads = new Map(claimWorkloads.map((workload) => [`${workload.kind} ${placeKey(workload)}`, workload]));
  return [
    ...objects.map((object): PicturedObject => {
      const workload = workloads.get(`${object.kind} ${placeKey(object)}`);
      const volume = kindKey(object) === '/PersistentVolume' ? volumeByName.get(object.name) : undefined;
      return {
        ...object,
        ...(workload !== undefined && { workload }),
        ...(volume !== undefined && { volume: picturedVolume(volume, claims) }),
      };
    }),
    ...pods.map(picturedPod),
  ];
}

function isVolumeClaim(object: SeenObject): boolean {
  return kindKey(object) === '/PersistentVolumeClaim';
}

function placeKey({ namespace, name }: { readonly namespace?: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}

function picturedVolume({ claim, reclaim }: SnapshotVolume, claims: ReadonlyMap<string, string>): PicturedVolume {
  const claimUid = claim && claims.get(placeKey(claim));
  return { isReclaimed: reclaim === 'Delete', ...(claimUid !== undefined && { claimUid }) };
}

function picturedPod(pod: SnapshotPod): PicturedObject {
  const { node, graceSeconds, claims, phase } = pod;
  const isFinished = phase === 'Succeeded' || phase === 'Failed';
  return { ...podObject(pod), pod: { node, graceSeconds, claims, isFinished } };
}

function podObject(pod: SnapshotPod): SeenObject {
  const { namespace, name, uid, createdAt, deletionAt, labels, finalizers, owner, rendered = false } = pod;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    namespace,
    name,
    uid,
    resourceVersion: '',
    createdAt,
    ...(deletionAt !== undefined && { deletedAt: deletionAt }),
    labels,
    finalizers,
    owners: pod.owners ?? (owner === undefined ? [] : [owner]),
    rendered,
  };
}
