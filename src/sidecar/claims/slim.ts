import { type Slim, versionOf } from '../kube/cache.ts';
import type { RawObject } from '../kube/watch.ts';
import type { ClaimSpec, ObservedWorkload } from './observation.ts';
import type { ClaimStatus } from './status.ts';

/** By kubectl, to take a deletion with kubectl back; whatever its value. */
const withdrawal = 'quiesce.dev/withdraw-deletion';

export interface SlimClaim extends Slim {
  readonly uid: string;
  readonly generation: number;
  readonly deletedAt?: number;
  readonly finalizers: readonly string[];
  readonly isWithdrawn: boolean;
  readonly spec: ClaimSpec;
  readonly status?: ClaimStatus;
}

interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly managedFields?: readonly ManagedFields[];
}

interface ManagedFields {
  readonly manager?: string;
  readonly time?: string;
  readonly fieldsV1?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface RawClaim {
  readonly metadata: Metadata;
  readonly spec: Omit<ClaimSpec, 'keepData' | 'objects'> & Partial<Pick<ClaimSpec, 'keepData' | 'objects'>>;
  readonly status?: ClaimStatus & { readonly deadlines?: unknown };
}

/** Lists that are empty are not there at all. Deadlines are written by the lifecycle runner, and none of ours. */
export function slimClaim(object: RawObject): SlimClaim {
  const { metadata, spec, status } = object as RawClaim;
  const { state, namespace, replicas, backingStore, keepData = false, objects = [] } = spec;
  const { deadlines: _, ...shown } = status ?? {};
  const { deletionTimestamp } = metadata;
  return {
    name: metadata.name,
    version: versionOf({ metadata }),
    uid: metadata.uid,
    generation: metadata.generation ?? 0,
    ...(deletionTimestamp !== undefined && { deletedAt: Date.parse(deletionTimestamp) }),
    finalizers: metadata.finalizers ?? [],
    isWithdrawn: metadata.annotations?.[withdrawal] !== undefined,
    spec: { state, namespace, replicas, backingStore, keepData, objects },
    ...(status !== undefined && { status: shown }),
  };
}

export type SlimWorkload = Slim & Omit<ObservedWorkload, 'kind'> & { readonly namespace: string };

interface RawWorkload {
  readonly metadata: Metadata;
  readonly spec?: { readonly replicas?: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly readyReplicas?: number;
  };
}

/** Of StatefulSets and Deployments that carry the label of a claim. */
export function slimWorkload(object: RawObject): SlimWorkload {
  const { metadata, spec = {}, status = {} } = object as RawWorkload;
  const { annotations = {} } = metadata;
  const pausedAt = annotations['loft.sh/paused-date'];
  const scaledBy = managerOfReplicas(metadata.managedFields ?? []);
  const { deletionTimestamp } = metadata;
  return {
    name: metadata.name,
    namespace: metadata.namespace ?? '',
    version: versionOf({ metadata }),
    part: partOf(metadata.labels ?? {}),
    generation: metadata.generation ?? 0,
    observedGeneration: status.observedGeneration ?? 0,
    replicas: spec.replicas ?? 1,
    observed: status.replicas ?? 0,
    ready: status.readyReplicas ?? 0,
    isMarkedAsleep: annotations['plethos.cs.hm.edu/scaled-down-replicas'] !== undefined,
    isPaused: annotations['loft.sh/paused'] === 'true',
    ...(pausedAt !== undefined && { pausedAt }),
    ...(scaledBy !== undefined && { scaledBy }),
    ...(deletionTimestamp !== undefined && { deletionAt: Date.parse(deletionTimestamp) }),
  };
}

/** As vCluster's chart labels its control plane and the etcd beside it. */
export function partOf({ app }: Readonly<Record<string, string>>): ObservedWorkload['part'] {
  if (app === 'vcluster') return 'control-plane';
  return app === 'vcluster-etcd' ? 'etcd' : 'other';
}

/** Whoever wrote it last: several may own one field. */
function managerOfReplicas(managed: readonly ManagedFields[]): string | undefined {
  const writers = managed.filter(({ fieldsV1 }) => fieldsV1?.['f:spec']?.['f:replicas'] !== undefined);
  return writers.sort((a, b) => ((a.time ?? '') < (b.time ?? '') ? 1 : -1))[0]?.manager;
}
