import type { BlockerDraft } from '../maintenance/blocker-draft.ts';
import type { ObjectReference } from '../maintenance/status.ts';
import type { ClaimSpec, Observation, ObservedPod, ObservedWorkload } from './observation.ts';

/** What runs a virtual cluster, and what git lists and nobody finds. */
export interface ControlPlane {
  /** In the order of their names. */
  readonly workloads: readonly ObservedWorkload[];
  readonly missing: readonly ObjectReference[];
  /** Of those workloads; one that has ended holds nothing up. */
  readonly pods: readonly ObservedPod[];
}

/**
 * Without a workload of the control plane nothing is known of it: neither that it rests nor that it runs. So its
 * absence is never taken for zero.
 */
export function controlPlaneOf({ claim, workloads, pods }: Observation): ControlPlane {
  const present = new Set(workloads.map(({ kind, name }) => `${kind} ${name}`));
  const found = workloads.filter(({ part }) => part !== 'other').sort((a, b) => (a.name < b.name ? -1 : 1));
  const absent = claim.spec.objects.filter(({ kind, name }) => isWorkload(kind) && !present.has(`${kind} ${name}`));
  const isThere = found.some(({ part }) => part === 'control-plane');
  return {
    workloads: found,
    missing: absent.length === 0 && !isThere ? [expected(claim.name, claim.spec)] : absent,
    pods: pods.filter(({ part, isFinished }) => part !== 'synced' && !isFinished),
  };
}

function isWorkload(kind: string): boolean {
  return kind === 'StatefulSet' || kind === 'Deployment';
}

/** As the built-in constructs render it. */
function expected(name: string, { namespace, backingStore }: ClaimSpec): ObjectReference {
  const hasData = backingStore === 'embeddedDatabase' || backingStore === 'embeddedEtcd';
  return { apiVersion: 'apps/v1', kind: hasData ? 'StatefulSet' : 'Deployment', namespace, name };
}

/** Its controller has seen the last change of it. */
function isObserved({ generation, observedGeneration }: ObservedWorkload): boolean {
  return observedGeneration >= generation;
}

export function isAtZero(workload: ObservedWorkload): boolean {
  return workload.replicas === 0 && workload.observed === 0 && isObserved(workload);
}

/** Ready at its full count. Of an etcd beside the control plane, the count is its own. */
export function isFull(workload: ObservedWorkload, replicas: number): boolean {
  const wanted = workload.part === 'etcd' ? Math.max(1, workload.replicas) : replicas;
  return workload.replicas === wanted && workload.ready >= wanted && isObserved(workload);
}

export function workloadText({ kind, name }: Pick<ObservedWorkload, 'kind' | 'name'>, namespace: string): string {
  return `${kind} ${namespace}/${name}`;
}

export function aboutWorkload(
  { kind, name }: Pick<ObservedWorkload, 'kind' | 'name'>,
  namespace: string,
  draft: Pick<BlockerDraft, 'code' | 'who' | 'message'>,
): BlockerDraft {
  return { ...draft, object: { apiVersion: 'apps/v1', kind, namespace, name } };
}

export function missingBlocker(object: ObjectReference): BlockerDraft {
  const { kind, namespace, name } = object;
  const place = namespace === undefined ? name : `${namespace}/${name}`;
  return {
    code: 'workload-missing',
    who: 'applier',
    message: `${kind} ${place} is not there: the applier has not applied it, or somebody has deleted it.`,
    object,
  };
}

export function namespaceBlocker({ namespace }: ClaimSpec): BlockerDraft {
  return {
    code: 'namespace-terminating',
    who: 'operators',
    message: `Namespace ${namespace} is being deleted: nothing can be made in it until it is gone.`,
    object: { apiVersion: 'v1', kind: 'Namespace', name: namespace },
  };
}
