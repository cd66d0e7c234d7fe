import type { Pool } from '../../sidecar/kube/intern.ts';
import { slimNode, slimVolume } from '../../sidecar/kube/slim.ts';
import { slimAnyPod } from '../../sidecar/kube/slim-pod.ts';
import { nodeAnnotations } from '../../sidecar/maintenance/record.ts';
import { type RawSeen, seenObject } from '../../sidecar/uninstall/project.ts';
import type { SnapshotController, SnapshotNode, SnapshotPod, SnapshotRelease, SnapshotVolume } from '../snapshot.ts';
import { amountsOf } from './amounts.ts';
import { nodeTerms, placementOf, type RawNodeTerm, type RawPlacement } from './placement.ts';

/** From what the API server sends to what a snapshot keeps. */

const annotations: readonly string[] = Object.values(nodeAnnotations);

export function nodeIn(raw: RawSeen): SnapshotNode {
  const { version: _, ...node } = slimNode(raw, annotations);
  const { status } = raw as RawSeen & { readonly status?: { readonly allocatable?: Readonly<Record<string, string>> } };
  return { ...node, labels: raw.metadata.labels ?? {}, allocatable: amountsOf(status?.allocatable) };
}

interface RawPod extends RawSeen {
  readonly spec: RawPlacement;
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly lastTransitionTime?: string;
    }[];
    readonly containerStatuses?: readonly { readonly restartCount?: number }[];
  };
}

export function podIn(raw: RawSeen, pool: Pool): SnapshotPod {
  const { version: _, priorityClassName, priority, owner, deletionAt, ...pod } = slimAnyPod(raw, pool);
  const { spec } = raw as RawPod;
  const isOfDaemonSet = owner?.kind === 'DaemonSet';
  const seconds = startedInSeconds(raw as RawPod);
  const { owners, rendered } = seenObject({ apiVersion: 'v1', kind: 'Pod' }, raw);
  const isPlain = owners.length === (owner === undefined ? 0 : 1);
  return {
    ...pod,
    ...(priorityClassName !== undefined && { priorityClassName }),
    ...(priority !== undefined && { priority }),
    ...(owner !== undefined && { owner }),
    ...(deletionAt !== undefined && { deletionAt }),
    placement: pool.data(placementOf(spec, { isOfDaemonSet })),
    ...(seconds !== undefined && { startedInSeconds: seconds }),
    ...(!isPlain && { owners }),
    ...(rendered && { rendered: true as const }),
  };
}

/** What has been restarted has become ready several times, and tells of the last. */
function startedInSeconds({ status: { conditions = [], containerStatuses = [] } = {} }: RawPod): number | undefined {
  if (containerStatuses.some(({ restartCount = 0 }) => restartCount > 0)) return undefined;
  const at = (type: string) => {
    const condition = conditions.find((each) => each.type === type && each.status === 'True');
    return Date.parse(condition?.lastTransitionTime ?? '');
  };
  const seconds = Math.round((at('Ready') - at('PodScheduled')) / 1000);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}

interface RawController extends RawSeen {
  readonly spec?: { readonly replicas?: number; readonly parallelism?: number; readonly podManagementPolicy?: string };
  readonly metadata: Omit<RawSeen['metadata'], 'ownerReferences'> & { readonly ownerReferences?: readonly RawOwner[] };
}

interface RawOwner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
}

export function controllerIn(apiVersion: string, kind: string, raw: RawSeen): SnapshotController {
  const { namespace = '', name, uid } = raw.metadata;
  const { spec = {}, metadata } = raw as RawController;
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  const replicas = spec.replicas ?? spec.parallelism;
  return {
    apiVersion,
    kind,
    namespace,
    name,
    uid,
    ...(replicas !== undefined && { replicas }),
    ...(owner !== undefined && {
      owner: { apiVersion: owner.apiVersion, kind: owner.kind, name: owner.name, uid: owner.uid },
    }),
    ...(spec.podManagementPolicy === 'Parallel' && { isParallel: true as const }),
  };
}

interface RawVolume extends RawSeen {
  readonly spec?: {
    readonly claimRef?: { readonly namespace?: string; readonly name?: string };
    readonly persistentVolumeReclaimPolicy?: string;
    readonly nodeAffinity?: { readonly required?: { readonly nodeSelectorTerms?: readonly RawNodeTerm[] } };
  };
  readonly status?: { readonly phase?: string };
}

export function volumeIn(raw: RawSeen): SnapshotVolume {
  const { metadata, spec = {}, status } = raw as RawVolume;
  const { namespace, name } = status?.phase === 'Released' ? {} : (spec.claimRef ?? {});
  const terms = spec.nodeAffinity?.required?.nodeSelectorTerms;
  const inUseAs = slimVolume(raw)?.inUseAs;
  return {
    name: metadata.name,
    ...(namespace !== undefined && name !== undefined && { claim: { namespace, name } }),
    ...(inUseAs !== undefined && { inUseAs }),
    reclaim: spec.persistentVolumeReclaimPolicy === 'Delete' ? 'Delete' : 'Retain',
    ...(terms !== undefined && { reach: nodeTerms(terms) }),
  };
}

/** A record of Helm as its labels tell of it; nothing for any other Secret. */
export function releaseIn({ metadata }: RawSeen): SnapshotRelease | undefined {
  const { labels = {}, namespace = '', creationTimestamp } = metadata;
  if (labels.owner !== 'helm' || labels.name === undefined) return undefined;
  const seconds = Number(labels.modifiedAt ?? labels.createdAt);
  return {
    namespace,
    name: labels.name,
    revision: Number(labels.version ?? 0),
    at: Number.isFinite(seconds) ? seconds * 1000 : Date.parse(creationTimestamp),
    status: labels.status ?? 'unknown',
  };
}
