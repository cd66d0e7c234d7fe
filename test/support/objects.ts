import type { Access } from './access.ts';
import { ApiRefusal, call } from './api.ts';

export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata;
  readonly [field: string]: unknown;
}

interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly { readonly kind: string; readonly name: string; readonly uid: string }[];
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
}

/** Names an object; every object is one too. */
export interface ObjectId {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

export function id(apiVersion: string, kind: string, name: string, namespace?: string): ObjectId {
  return { apiVersion, kind, metadata: { name, ...(namespace !== undefined && { namespace }) } };
}

export function nameOf({ kind, metadata: { name, namespace } }: ObjectId): string {
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

/** As `kubectl apply --server-side` would, one after the other in the order given; the objects as they are then. */
export async function apply(access: Access, ...objects: readonly KubeObject[]): Promise<readonly KubeObject[]> {
  const applied: KubeObject[] = [];
  for (const object of objects) applied.push(await applyOne(access, object));
  return applied;
}

/** What `apply` would give: everything is checked and nothing is stored. */
export async function tryToApply(access: Access, objects: readonly KubeObject[]): Promise<readonly KubeObject[]> {
  return Promise.all(objects.map((object) => applyOne(access, object, '&dryRun=All')));
}

async function applyOne(access: Access, object: KubeObject, more = ''): Promise<KubeObject> {
  const path = `${await pathOf(access, object)}?fieldManager=quiesce-test&force=true&fieldValidation=Strict${more}`;
  return call<KubeObject>(access, { method: 'PATCH', path, body: object, contentType: 'application/apply-patch+yaml' });
}

/** Fails where there is one of that name. */
export async function create(access: Access, object: KubeObject): Promise<KubeObject> {
  const path = await pathOf(access, object);
  const collection = path.slice(0, path.lastIndexOf('/'));
  return call<KubeObject>(access, { method: 'POST', path: `${collection}?fieldValidation=Strict`, body: object });
}

/** Undefined where there is none. */
export async function read<T = KubeObject>(access: Access, object: ObjectId): Promise<T | undefined> {
  return call<T>(access, { method: 'GET', path: await pathOf(access, object) }).catch(unlessAbsent);
}

export interface ListOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** Without a namespace: of all. The items carry no kind, as the API server sends them. */
export async function list<T = KubeObject>(
  access: Access,
  [apiVersion, kind]: readonly [apiVersion: string, kind: string],
  { namespace, ...selectors }: ListOptions = {},
): Promise<readonly T[]> {
  const { plural } = await resourceOf(access, apiVersion, kind);
  const place = namespace === undefined ? '' : `/namespaces/${namespace}`;
  const path = `${groupPath(apiVersion)}${place}/${plural}?${new URLSearchParams({ ...selectors })}`;
  return (await call<{ items: readonly T[] }>(access, { method: 'GET', path })).items;
}

export interface RemoveOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan';
}

/** Asks for the deletion and does not wait for it; what is not there is no error. */
export async function remove(access: Access, object: ObjectId, options: RemoveOptions = {}): Promise<void> {
  const path = await pathOf(access, object);
  await call(access, { method: 'DELETE', path, body: { apiVersion: 'v1', kind: 'DeleteOptions', ...options } }).catch(
    unlessAbsent,
  );
}

/** A merge patch: null removes a field. */
export async function patch(
  access: Access,
  object: ObjectId,
  body: unknown,
  subresource?: 'status' | 'scale',
): Promise<void> {
  const path = `${await pathOf(access, object)}${subresource === undefined ? '' : `/${subresource}`}`;
  await call(access, { method: 'PATCH', path, body, contentType: 'application/merge-patch+json' });
}

export async function annotate(access: Access, object: ObjectId, annotations: Readonly<Record<string, string | null>>) {
  await patch(access, object, { metadata: { annotations } });
}

async function pathOf(access: Access, { apiVersion, kind, metadata }: ObjectId): Promise<string> {
  const { plural, namespaced } = await resourceOf(access, apiVersion, kind);
  const place = namespaced ? `/namespaces/${metadata.namespace ?? 'default'}` : '';
  return `${groupPath(apiVersion)}${place}/${plural}/${metadata.name}`;
}

interface Resource {
  readonly plural: string;
  readonly namespaced: boolean;
}

const discovered = new WeakMap<Access, Map<string, Resource>>();

async function resourceOf(access: Access, apiVersion: string, kind: string): Promise<Resource> {
  const known = discovered.get(access) ?? new Map<string, Resource>();
  discovered.set(access, known);
  const key = `${apiVersion} ${kind}`;
  if (!known.has(key)) await discover(access, apiVersion, known);
  const resource = known.get(key);
  if (resource === undefined) throw new Error(`the API server knows no ${kind} of ${apiVersion}`);
  return resource;
}

async function discover(access: Access, apiVersion: string, known: Map<string, Resource>): Promise<void> {
  const path = groupPath(apiVersion);
  const { resources } = await call<{ resources: readonly { name: string; kind: string; namespaced: boolean }[] }>(
    access,
    { method: 'GET', path },
  );
  for (const { name, kind, namespaced } of resources) {
    // Subresources (`pods/eviction`) are listed beside the resources.
    if (!name.includes('/')) known.set(`${apiVersion} ${kind}`, { plural: name, namespaced });
  }
}

function groupPath(apiVersion: string): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

function unlessAbsent(error: unknown): undefined {
  if (error instanceof ApiRefusal && error.status === 404) return undefined;
  throw error;
}
