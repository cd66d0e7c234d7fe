import type { Access } from './access.ts';
import { type KubeObject, list, nameOf, type ObjectId, read } from './objects.ts';
import { type Look, waitFor } from './wait.ts';

export interface PodObject extends KubeObject {
  readonly spec: { readonly nodeName?: string; readonly priority?: number };
  readonly status?: {
    readonly phase?: string;
    readonly reason?: string;
    readonly conditions?: readonly PodCondition[];
  };
}

interface PodCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

interface WithStatus extends KubeObject {
  readonly metadata: KubeObject['metadata'] & { readonly generation?: number };
  readonly spec?: { readonly replicas?: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly readyReplicas?: number;
    readonly desiredNumberScheduled?: number;
    readonly numberReady?: number;
    readonly succeeded?: number;
    readonly failed?: number;
    readonly conditions?: readonly PodCondition[];
  };
}

const limitSeconds = 60;

/** A Deployment, StatefulSet or DaemonSet with all of its Pods ready; a Pod that is. */
export async function waitUntilUp(access: Access, ...objects: readonly ObjectId[]): Promise<void> {
  for (const object of objects) {
    await waitFor(`${nameOf(object)} to be up`, { seconds: limitSeconds }, async () => {
      const found = await read<WithStatus>(access, object);
      if (found === undefined) return { seen: 'no such object' };
      return isUp(found) ? { met: true } : { seen: await whatPodsSay(access, found) };
    });
  }
}

function isUp({ kind, metadata, spec, status = {} }: WithStatus): boolean {
  if (kind === 'Pod')
    return status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;
  if (status.observedGeneration !== metadata.generation) return false;
  if (kind === 'DaemonSet') return status.numberReady === status.desiredNumberScheduled;
  return (status.readyReplicas ?? 0) === (spec?.replicas ?? 1);
}

/** How the Job ended. */
export async function waitForJob(access: Access, job: ObjectId): Promise<'Complete' | 'Failed'> {
  return waitFor(`${nameOf(job)} to end`, { seconds: limitSeconds }, async (): Promise<Look<'Complete' | 'Failed'>> => {
    const found = await read<WithStatus>(access, job);
    const ended = found?.status?.conditions?.filter(({ status }) => status === 'True').map(({ type }) => type) ?? [];
    for (const outcome of ['Complete', 'Failed'] as const) if (ended.includes(outcome)) return { met: outcome };
    return { seen: found === undefined ? 'no such object' : await whatPodsSay(access, found) };
  });
}

/** Gone, or replaced by another object of the same name where the id has a uid. */
export async function waitUntilGone(
  access: Access,
  object: ObjectId & { readonly metadata: { readonly uid?: string } },
  seconds = limitSeconds,
) {
  await waitFor(`${nameOf(object)} to be gone`, { seconds }, async () => {
    const found = await read<PodObject>(access, object);
    if (found === undefined) return { met: true };
    const { uid } = object.metadata;
    if (uid !== undefined && found.metadata.uid !== uid) return { met: true };
    return { seen: describePod(found) };
  });
}

/** A budget's numbers are a controller's work; until it has counted, evictions are refused as too many requests. */
export async function waitForBudget(access: Access, budget: ObjectId): Promise<void> {
  await waitFor(`${nameOf(budget)} to be counted`, { seconds: limitSeconds }, async () => {
    const found = await read<WithStatus>(access, budget);
    const counted = found?.status?.observedGeneration === found?.metadata.generation;
    return counted && found !== undefined ? { met: true } : { seen: 'not counted yet' };
  });
}

async function whatPodsSay(access: Access, { kind, metadata }: KubeObject): Promise<string> {
  const place = metadata.namespace === undefined ? {} : { namespace: metadata.namespace };
  const pods = await list<PodObject>(access, ['v1', 'Pod'], place);
  const isOf = (pod: PodObject) =>
    pod.metadata.name === metadata.name || pod.metadata.name.startsWith(`${metadata.name}-`);
  const said = pods.filter(isOf).map(describePod);
  return said.length === 0 ? `${kind} without Pods` : said.join('; ');
}

function describePod({ metadata, spec, status }: PodObject): string {
  const terminating =
    metadata.deletionTimestamp === undefined ? '' : `, Terminating since ${metadata.deletionTimestamp}`;
  const finalizers = metadata.finalizers === undefined ? '' : `, finalizers ${metadata.finalizers.join(', ')}`;
  const complaints = (status?.conditions ?? []).flatMap(({ status, message }) =>
    status === 'False' && message ? message : [],
  );
  const place = spec?.nodeName === undefined ? 'no node' : `node ${spec.nodeName}`;
  const said = complaints.length === 0 ? '' : ` (${complaints.join('; ')})`;
  return `${metadata.name} ${status?.phase ?? 'without a phase'} on ${place}${terminating}${finalizers}${said}`;
}
