import { type Slim, versionOf } from './cache.ts';
import type { RawObject } from './watch.ts';

/** Projections of everything but Pods. What the API server sends is trusted to have the types of its own schema. */

export interface SlimNode extends Slim {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly createdAt: number;
  readonly addresses: readonly string[];
  readonly taints: readonly SlimTaint[];
  readonly unschedulable: boolean;
  readonly annotations: Readonly<Record<string, string>>;
  readonly ready?: { readonly status: 'True' | 'False' | 'Unknown'; readonly since: number };
  readonly volumesInUse: readonly string[];
}

interface SlimTaint {
  readonly key: string;
  readonly value?: string;
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
  readonly timeAdded?: string;
}

interface Raw {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly generation?: number;
    readonly creationTimestamp: string;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

interface RawNode extends Raw {
  readonly spec?: { readonly taints?: readonly SlimTaint[]; readonly unschedulable?: boolean };
  readonly status?: {
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: 'True' | 'False' | 'Unknown';
      readonly lastTransitionTime?: string;
    }[];
    readonly volumesInUse?: readonly string[];
  };
}

/** Of its annotations only those that are asked for. */
export function slimNode(object: RawObject, annotations: readonly string[]): SlimNode {
  const { metadata, spec = {}, status = {} } = object as RawNode;
  const ready = status.conditions?.find(({ type }) => type === 'Ready');
  const since = Date.parse(ready?.lastTransitionTime ?? metadata.creationTimestamp);
  return {
    ...named(metadata),
    uid: metadata.uid,
    resourceVersion: metadata.resourceVersion,
    createdAt: Date.parse(metadata.creationTimestamp),
    addresses: (status.addresses ?? []).filter(({ type }) => type === 'InternalIP').map(({ address }) => address),
    taints: spec.taints ?? [],
    unschedulable: spec.unschedulable === true,
    annotations: pick(metadata.annotations ?? {}, annotations),
    ...(ready !== undefined && { ready: { status: ready.status, since } }),
    volumesInUse: status.volumesInUse ?? [],
  };
}

function pick(all: Readonly<Record<string, string>>, keys: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(all).filter(([key]) => keys.includes(key)));
}

function named(metadata: Raw['metadata']): Slim {
  return { name: metadata.name, version: versionOf({ metadata }) };
}

/** A resource of ours: its spec and its status are what it is about. */
export interface SlimResource<Spec, Status> extends Slim {
  readonly uid: string;
  readonly generation: number;
  readonly deletedAt?: number;
  readonly spec: Spec;
  readonly status?: Status;
}

export function slimResource<Spec, Status>(object: RawObject): SlimResource<Spec, Status> {
  const { metadata, spec, status } = object as Raw & { readonly spec: Spec; readonly status?: Status };
  return {
    ...named(metadata),
    uid: metadata.uid,
    generation: metadata.generation ?? 0,
    ...(metadata.deletionTimestamp !== undefined && { deletedAt: Date.parse(metadata.deletionTimestamp) }),
    spec,
    ...(status !== undefined && { status }),
  };
}

export interface SlimBudget extends Slim {
  readonly namespace: string;
  readonly generation: number;
  readonly spec: {
    readonly selector?: object;
    readonly minAvailable?: number | string;
    readonly maxUnavailable?: number | string;
    readonly unhealthyPodEvictionPolicy?: string;
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly disruptionsAllowed?: number;
    readonly currentHealthy?: number;
    readonly desiredHealthy?: number;
    readonly expectedPods?: number;
    readonly conditions?: readonly { readonly type: string; readonly reason?: string; readonly message?: string }[];
  };
}

export function slimBudget(object: RawObject): SlimBudget {
  const { metadata, spec, status } = object as Raw & Pick<SlimBudget, 'spec' | 'status'>;
  return {
    ...named(metadata),
    namespace: metadata.namespace ?? '',
    generation: metadata.generation ?? 0,
    spec,
    ...(status !== undefined && { status: withoutDisrupted(status) }),
  };
}

/** The list of Pods that are on their way out changes with each of them, and nobody reads it here. */
function withoutDisrupted(status: NonNullable<SlimBudget['status']>): NonNullable<SlimBudget['status']> {
  const { disruptedPods: _, ...rest } = status as typeof status & { readonly disruptedPods?: unknown };
  return rest;
}

export interface SlimPriorityClass extends Slim {
  readonly value: number;
}

export function slimPriorityClass(object: RawObject): SlimPriorityClass {
  const { metadata, value } = object as Raw & { readonly value: number };
  return { ...named(metadata), value };
}

export function slimName(object: RawObject): Slim {
  return named((object as Raw).metadata);
}

export interface SlimCsiNode extends Slim {
  readonly drivers: readonly string[];
}

export function slimCsiNode(object: RawObject): SlimCsiNode {
  const { metadata, spec } = object as Raw & {
    readonly spec?: { readonly drivers?: readonly { readonly name: string }[] };
  };
  return { ...named(metadata), drivers: (spec?.drivers ?? []).map(({ name }) => name) };
}

export interface SlimNamespace extends Slim {
  readonly terminating: boolean;
  /** Marker of the virtual cluster that has made it as a copy of one of its own. */
  readonly syncedBy?: string;
}

export function slimNamespace(object: RawObject): SlimNamespace {
  const { metadata } = object as Raw;
  const { labels = {}, annotations = {}, deletionTimestamp } = metadata;
  const marker = isImported(annotations) ? undefined : labels['vcluster.loft.sh/managed-by'];
  return {
    ...named(metadata),
    terminating: deletionTimestamp !== undefined,
    ...(marker !== undefined && { syncedBy: marker }),
  };
}

/** What a virtual cluster has found on the host and shows inside is marked as well, and is not its own. */
export function isImported(annotations: Readonly<Record<string, string>>): boolean {
  return Object.entries(annotations).some(
    ([key, value]) => /^vcluster\.loft\.sh\/.*import/.test(key) && value === 'true',
  );
}

/** A volume as the claim that it is bound to and as `volumesInUse` knows it. */
export interface SlimVolume extends Slim {
  readonly claim?: { readonly namespace: string; readonly name: string };
  readonly inUseAs: string;
}

interface RawVolume extends Raw {
  readonly spec?: {
    readonly claimRef?: { readonly namespace?: string; readonly name?: string };
    readonly csi?: { readonly driver: string; readonly volumeHandle: string };
  };
  readonly status?: { readonly phase?: string };
}

/** Volumes that are not CSI's are never in `volumesInUse` under a name that could be worked out here. */
export function slimVolume(object: RawObject): SlimVolume | undefined {
  const { metadata, spec = {}, status } = object as RawVolume;
  if (spec.csi === undefined) return undefined;
  // A released one still names its claim; by now that may be the name of another.
  const { namespace, name } = status?.phase === 'Released' ? {} : (spec.claimRef ?? {});
  return {
    ...named(metadata),
    ...(namespace !== undefined && name !== undefined && { claim: { namespace, name } }),
    inUseAs: `kubernetes.io/csi/${spec.csi.driver}^${spec.csi.volumeHandle}`,
  };
}
