import { observedClaim } from '../../sidecar/claims/observe.ts';
import { slimClaim, slimWorkload } from '../../sidecar/claims/slim.ts';
import { slimInstallation } from '../../sidecar/installations/slim.ts';
import type { KubeClient } from '../../sidecar/kube/client.ts';
import { NoAnswer, Refused } from '../../sidecar/kube/failures.ts';
import { openPool } from '../../sidecar/kube/intern.ts';
import { list } from '../../sidecar/kube/list.ts';
import { slimBudget, slimCsiNode, slimPriorityClass } from '../../sidecar/kube/slim.ts';
import { observedBudget } from '../../sidecar/maintenance/observe.ts';
import { compareNamed, compareText } from '../../sidecar/maintenance/order.ts';
import { type Discovery, discover, type ServedKind } from '../../sidecar/uninstall/discovery.ts';
import { newestRelease, type RawRecord } from '../../sidecar/uninstall/helm-record.ts';
import { kindKey } from '../../sidecar/uninstall/kinds.ts';
import type { SeenObject } from '../../sidecar/uninstall/observation.ts';
import { type RawSeen, seenObject, wholeKinds } from '../../sidecar/uninstall/project.ts';
import type { Snapshot, SnapshotGap, SnapshotRelease } from '../snapshot.ts';
import { controllerIn, nodeIn, podIn, releaseIn, volumeIn } from './project.ts';

export interface TakeOptions {
  readonly client: KubeClient;
  /** How the cluster is called in the settings. */
  readonly cluster: string;
  /** Version of Quiesce. */
  readonly takenBy: string;
  readonly now: () => number;
  /** Look into the records of Helm for the names of what it would delete. */
  readonly releases: boolean;
  readonly onProgress: (done: number, total: number) => void;
}

const pageSize = 500;
/** Lists under way at the same time. */
const parallel = 4;
const metadataOnly = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';

/**
 * Reads a cluster once, and only reads. Every list that is refused is in the result as such. Throws Refused or NoAnswer if
 * not even the kinds can be told.
 */
export async function takeSnapshot(options: TakeOptions): Promise<Snapshot> {
  const { client, now } = options;
  const takenAt = now();
  const [discovery, serverVersion] = await Promise.all([discover(client), versionOf(client)]);
  const draft = openDraft();
  const kinds = discovery.kinds.filter((kind) => !isPassing(kind));
  let done = 0;
  const waiting = [...kinds];
  const work = async () => {
    for (let kind = waiting.shift(); kind !== undefined; kind = waiting.shift()) {
      await readKind(kind, options, draft);
      done += 1;
      options.onProgress(done, kinds.length);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return finished(draft, { options, discovery, takenAt, ...(serverVersion !== undefined && { serverVersion }) });
}

/** Nothing is ever decided by them, and there are many. */
function isPassing(kind: ServedKind): boolean {
  return ['/Event', 'events.k8s.io/Event', 'coordination.k8s.io/Lease'].includes(kindKey(kind));
}

/** Others are made up for whoever asks, as metrics are and the states of components. */
function isKept({ metadata }: { readonly metadata: { readonly uid?: string } }): boolean {
  return metadata.uid !== undefined;
}

interface Draft {
  /** By `kindKey`. */
  readonly raw: Map<string, readonly RawSeen[]>;
  readonly objects: SeenObject[];
  readonly unread: SnapshotGap[];
  readonly releases: SnapshotRelease[];
}

function openDraft(): Draft {
  return { raw: new Map(), objects: [], unread: [], releases: [] };
}

/** Kinds of which more than the metadata counts. What is kept of them is far less. */
const readWhole: readonly string[] = [
  '/Node',
  '/Pod',
  '/PersistentVolume',
  '/ReplicationController',
  'apps/ReplicaSet',
  'apps/StatefulSet',
  'apps/DaemonSet',
  'apps/Deployment',
  'batch/Job',
  'policy/PodDisruptionBudget',
  'scheduling.k8s.io/PriorityClass',
  'storage.k8s.io/CSINode',
  'discovery.k8s.io/EndpointSlice',
  'quiesce.dev/VClusterClaim',
  'quiesce.dev/Installation',
];

async function readKind(kind: ServedKind, options: TakeOptions, draft: Draft): Promise<void> {
  const key = kindKey(kind);
  const isWhole = readWhole.includes(key) || wholeKinds.includes(kind.kind);
  const pool = openPool();
  let [objects, kept]: [SeenObject[], RawSeen[]] = [[], []];
  const failed = await attempted(`${kind.apiVersion}/${kind.kind}`, () =>
    list(options.client, kind.resource, {
      pageSize,
      ...(!isWhole && { accept: metadataOnly }),
      onItem: (item) => {
        const raw = item as RawSeen;
        if (!isKept(raw)) return;
        if (readWhole.includes(key)) kept.push(lighter(raw));
        if (key !== '/Pod') objects.push(interned(seenObject(kind, raw), pool));
        const release = key === '/Secret' ? releaseIn(raw) : undefined;
        if (release !== undefined) draft.releases.push(release);
      },
      onRestart: () => {
        [objects, kept] = [[], []];
      },
    }),
  );
  if (failed !== undefined) {
    draft.unread.push(failed);
    return;
  }
  draft.raw.set(key, kept);
  for (const object of objects) draft.objects.push(object);
  if (key === '/Secret' && options.releases) await readRecords(kind, options.client, draft);
}

/** What nobody reads here is most of an object. */
function lighter(raw: RawSeen): RawSeen {
  const { managedFields: _, ...metadata } = raw.metadata as RawSeen['metadata'] & { readonly managedFields?: unknown };
  return { ...raw, metadata };
}

function interned(object: SeenObject, pool: ReturnType<typeof openPool>): SeenObject {
  return { ...object, labels: pool.data(object.labels), finalizers: pool.data(object.finalizers) };
}

/** Names only: what a record holds besides stays here. */
async function readRecords(kind: ServedKind, client: KubeClient, draft: Draft): Promise<void> {
  const records: RawRecord[] = [];
  const failed = await attempted('records of Helm releases', () =>
    list(client, kind.resource, {
      pageSize: 50,
      labelSelector: 'owner=helm',
      onItem: (item) => records.push(item as RawRecord),
      onRestart: () => records.splice(0),
    }),
  );
  if (failed !== undefined) draft.unread.push(failed);
  for (const group of byRelease(records).values()) {
    const release = newestRelease(group);
    if (release !== undefined) draft.releases.push(release);
  }
}

function byRelease(records: readonly RawRecord[]): ReadonlyMap<string, readonly RawRecord[]> {
  const groups = new Map<string, RawRecord[]>();
  for (const record of records) {
    const key = `${record.metadata.namespace}/${record.metadata.labels?.name}`;
    groups.set(key, [...(groups.get(key) ?? []), record]);
  }
  return groups;
}

/** What is registered and cannot be listed has no content. */
async function attempted(what: string, read: () => Promise<unknown>): Promise<SnapshotGap | undefined> {
  try {
    await read();
    return undefined;
  } catch (error) {
    if (error instanceof NoAnswer) return { what, status: 0, why: error.message };
    if (!(error instanceof Refused)) throw error;
    const { status, message } = error;
    return status === 404 || status === 405 ? undefined : { what, status, why: message };
  }
}

async function versionOf(client: KubeClient): Promise<string | undefined> {
  const resource = { group: '', version: '', plural: 'version', namespaced: false };
  const answer = await client.send({ verb: 'get', resource, path: '/version' }).catch(() => undefined);
  if (answer?.status !== 200) return undefined;
  const { gitVersion } = JSON.parse(answer.text) as { readonly gitVersion?: unknown };
  return typeof gitVersion === 'string' ? gitVersion : undefined;
}

interface Frame {
  readonly options: TakeOptions;
  readonly discovery: Discovery;
  readonly takenAt: number;
  readonly serverVersion?: string;
}

function finished(draft: Draft, { options, discovery, takenAt, serverVersion }: Frame): Snapshot {
  const raw = (key: string) => draft.raw.get(key) ?? [];
  const namespaces = draft.objects.filter((object) => kindKey(object) === '/Namespace');
  const system = namespaces.find(({ name }) => name === 'kube-system');
  return {
    version: 1,
    takenBy: options.takenBy,
    takenAt,
    tookMs: options.now() - takenAt,
    cluster: {
      name: options.cluster,
      ...(system !== undefined && { uid: system.uid }),
      ...(serverVersion !== undefined && { serverVersion }),
    },
    ...nodesAndPods(raw),
    ...oursIn(raw),
    csiDrivers: draft.objects
      .filter((object) => kindKey(object) === 'storage.k8s.io/CSIDriver')
      .map(({ name }) => name)
      .sort(),
    namespaces: namespaces
      .map(({ name, deletedAt }) => ({ name, terminating: deletedAt !== undefined }))
      .sort(compareNamed),
    kinds: discovery.kinds
      .map(({ apiVersion, kind, resource: { plural, namespaced }, deletable }) => {
        return { apiVersion, kind, plural, namespaced, deletable };
      })
      .sort((a, b) => compareText(kindKey(a), kindKey(b))),
    unserved: [...discovery.unserved].sort((a, b) => compareText(a.what, b.what)),
    objects: withAlive(draft.objects, raw('discovery.k8s.io/EndpointSlice')).sort(compareObjects),
    releases: newestOfEach(draft.releases),
    unread: draft.unread.sort((a, b) => compareText(a.what, b.what)),
  };
}

type RawOf = (key: string) => readonly RawSeen[];

function nodesAndPods(raw: RawOf) {
  const drivers = new Map(raw('storage.k8s.io/CSINode').map((each) => [each.metadata.name, slimCsiNode(each).drivers]));
  const pool = openPool();
  const classes = raw('scheduling.k8s.io/PriorityClass').map(slimPriorityClass).sort(compareNamed);
  return {
    nodes: raw('/Node')
      .map((each) => {
        const csiDrivers = drivers.get(each.metadata.name);
        return { ...nodeIn(each), ...(csiDrivers !== undefined && { csiDrivers }) };
      })
      .sort(compareNamed),
    pods: raw('/Pod')
      .map((each) => podIn(each, pool))
      .sort(compareNamed),
    controllers: controllersIn(raw),
    budgets: raw('policy/PodDisruptionBudget')
      .map((each) => observedBudget(slimBudget(each)))
      .sort(compareNamed),
    priorityClasses: Object.fromEntries(classes.map(({ name, value }) => [name, value])),
    volumes: raw('/PersistentVolume').map(volumeIn).sort(compareNamed),
  };
}

/** Old ReplicaSets of a Deployment are many, and have nothing to do any more. */
function controllersIn(raw: RawOf): Snapshot['controllers'] {
  const kinds = ['ReplicaSet', 'StatefulSet', 'DaemonSet', 'Deployment'].map((kind) => ['apps/v1', kind] as const);
  return [...kinds, ['batch/v1', 'Job'] as const, ['v1', 'ReplicationController'] as const]
    .flatMap(([apiVersion, kind]) =>
      raw(kindKey({ apiVersion, kind })).map((each) => controllerIn(apiVersion, kind, each)),
    )
    .filter(({ kind, replicas }) => kind !== 'ReplicaSet' || replicas !== 0)
    .sort((a, b) => compareText(a.kind, b.kind) || compareNamed(a, b));
}

function oursIn(raw: RawOf): Pick<Snapshot, 'claims' | 'installations' | 'claimWorkloads'> {
  return {
    claims: raw('quiesce.dev/VClusterClaim')
      .map((each) => observedClaim(slimClaim(each)))
      .sort(compareNamed),
    installations: raw('quiesce.dev/Installation')
      .map((each) => {
        const { version: _, ...installation } = slimInstallation(each);
        const components = installation.spec.components.map(withoutCommands);
        const { resourceVersion } = each.metadata;
        return { ...installation, resourceVersion, spec: { ...installation.spec, components } };
      })
      .sort(compareNamed),
    claimWorkloads: (['StatefulSet', 'Deployment'] as const)
      .flatMap((kind) =>
        raw(`apps/${kind}`)
          .filter(({ metadata }) => metadata.labels?.['quiesce.dev/claim'] !== undefined)
          .map((each) => {
            const { version: _, ...workload } = slimWorkload(each);
            return { kind, ...workload };
          }),
      )
      .sort((a, b) => compareText(a.kind, b.kind) || compareNamed(a, b)),
  };
}

type Component = Snapshot['installations'][number]['spec']['components'][number];

/** They may hold what is nobody's business. */
function withoutCommands(component: Component): Component {
  const { preDelete, delete: instead, postDelete } = component.deletion;
  const silent = (hooks: Component['deletion']['preDelete']) => hooks.map((hook) => ({ ...hook, command: [] }));
  const hooks = { preDelete: silent(preDelete), delete: silent(instead), postDelete: silent(postDelete) };
  return { ...component, deletion: { ...component.deletion, ...hooks } };
}

interface RawSlice extends RawSeen {
  readonly endpoints?: readonly { readonly conditions?: { readonly ready?: boolean | null } }[] | null;
}

/** Which of the Services that the API server calls can be reached. Without slices, all of them: it is not known. */
function withAlive(objects: readonly SeenObject[], slices: readonly RawSeen[]): SeenObject[] {
  if (slices.length === 0) return [...objects];
  const alive = new Set(
    (slices as readonly RawSlice[])
      .filter(({ endpoints }) => (endpoints ?? []).some(({ conditions }) => conditions?.ready !== false))
      .map(({ metadata }) => `${metadata.namespace}/${metadata.labels?.['kubernetes.io/service-name']}`),
  );
  return objects.map((object) => {
    const { details } = object;
    if (details?.kind !== 'called') return object;
    const services = details.services.map((service) => ({
      ...service,
      alive: alive.has(`${service.namespace}/${service.name}`),
    }));
    return { ...object, details: { ...details, services } };
  });
}

function compareObjects(a: SeenObject, b: SeenObject): number {
  return compareText(kindKey(a), kindKey(b)) || compareNamed(a, b);
}

/** What was looked into is worth more than the labels of the same record. */
function newestOfEach(releases: readonly SnapshotRelease[]): SnapshotRelease[] {
  const newest = new Map<string, SnapshotRelease>();
  for (const release of releases) {
    const key = `${release.namespace}/${release.name}`;
    const known = newest.get(key);
    const isNewer = known === undefined || release.revision > known.revision;
    if (isNewer || (release.revision === known.revision && release.objects !== undefined)) newest.set(key, release);
  }
  return [...newest.values()].sort(compareNamed);
}
