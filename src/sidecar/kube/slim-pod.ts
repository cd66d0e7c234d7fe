import { type Slim, versionOf } from './cache.ts';
import type { Pool } from './intern.ts';
import type { RawObject } from './watch.ts';

/**
 * What a drain has to know of a Pod; some 400 bytes, where the whole object takes ten thousand. Every field is always
 * there, so that all of them have one layout: an object with a layout of its own takes twice that.
 */
export interface SlimPod extends Slim {
  readonly namespace: string;
  readonly uid: string;
  readonly node: string;
  readonly createdAt: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly phase: PodPhase;
  readonly ready: boolean;
  readonly priorityClassName: string | undefined;
  readonly priority: number | undefined;
  readonly owner: SlimOwner | undefined;
  readonly mirror: boolean;
  readonly deletionAt: number | undefined;
  readonly graceSeconds: number;
  readonly finalizers: readonly string[];
  readonly tolerations: readonly SlimToleration[];
  /** Names of its PersistentVolumeClaims, those that are made for it included. */
  readonly claims: readonly string[];
  readonly registersPlugins: boolean;
}

type PodPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';

export interface SlimOwner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

interface SlimToleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

interface RawPod {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly creationTimestamp: string;
    readonly deletionTimestamp?: string;
    readonly deletionGracePeriodSeconds?: number;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
    readonly ownerReferences?: readonly (SlimOwner & { readonly controller?: boolean })[];
  };
  readonly spec: {
    readonly nodeName?: string;
    readonly priorityClassName?: string;
    readonly priority?: number;
    readonly terminationGracePeriodSeconds?: number;
    readonly tolerations?: readonly SlimToleration[];
    readonly volumes?: readonly RawVolume[];
  };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

interface RawVolume {
  readonly name: string;
  readonly persistentVolumeClaim?: { readonly claimName: string };
  readonly ephemeral?: object;
  readonly hostPath?: { readonly path: string };
}

const defaultGraceSeconds = 30;

/** Pods that no node has yet are nobody's business here. */
export function slimPod(object: RawObject, pool: Pool): SlimPod | undefined {
  const { spec } = object as RawPod;
  return spec.nodeName === undefined || spec.nodeName === '' ? undefined : slimAnyPod(object, pool);
}

/** `node` is empty for one that no node has yet. */
export function slimAnyPod(object: RawObject, pool: Pool): SlimPod {
  const { metadata, spec, status } = object as RawPod;
  const { deletionTimestamp } = metadata;
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  const grace = deletionTimestamp === undefined ? undefined : metadata.deletionGracePeriodSeconds;
  return {
    name: metadata.name,
    namespace: pool.text(metadata.namespace),
    version: versionOf({ metadata }),
    uid: metadata.uid,
    node: pool.text(spec.nodeName ?? ''),
    createdAt: Date.parse(metadata.creationTimestamp),
    labels: pool.data(metadata.labels ?? {}),
    phase: phaseOf(status?.phase),
    ready: status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true,
    priorityClassName: spec.priorityClassName ? pool.text(spec.priorityClassName) : undefined,
    priority: spec.priority,
    owner: owner && pool.data(slimOwner(owner)),
    mirror: metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined,
    deletionAt: deletionTimestamp === undefined ? undefined : Date.parse(deletionTimestamp),
    graceSeconds: grace ?? spec.terminationGracePeriodSeconds ?? defaultGraceSeconds,
    finalizers: pool.data(metadata.finalizers ?? []),
    tolerations: pool.data(spec.tolerations ?? []),
    claims: claimsOf(spec.volumes ?? [], metadata.name),
    registersPlugins: (spec.volumes ?? []).some(({ hostPath }) => isPluginRegistry(hostPath?.path)),
  };
}

function slimOwner({ apiVersion, kind, name, uid }: SlimOwner): SlimOwner {
  return { apiVersion, kind, name, uid };
}

function phaseOf(phase: string | undefined): PodPhase {
  switch (phase) {
    case 'Running':
    case 'Succeeded':
    case 'Failed':
    case 'Unknown':
      return phase;
    default:
      return 'Pending';
  }
}

const none: readonly string[] = [];

function claimsOf(volumes: readonly RawVolume[], pod: string): readonly string[] {
  const claims = volumes.flatMap((volume) => claimOf(volume, pod));
  return claims.length === 0 ? none : claims;
}

/** The claim of a generic ephemeral volume is named after the Pod and the volume. */
function claimOf({ name, persistentVolumeClaim, ephemeral }: RawVolume, pod: string): string[] {
  if (persistentVolumeClaim !== undefined) return [persistentVolumeClaim.claimName];
  return ephemeral === undefined ? [] : [`${pod}-${name}`];
}

function isPluginRegistry(path: string | undefined): boolean {
  return path?.replace(/\/+$/, '').endsWith('/plugins_registry') === true;
}
