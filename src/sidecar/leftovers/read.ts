import { partOf } from '../claims/slim.ts';
import type { KubeClient } from '../kube/client.ts';
import { NoAnswer, Refused } from '../kube/failures.ts';
import { list } from '../kube/list.ts';
import { apiVersionOf, type Resource, resources } from '../kube/resource.ts';
import type { Caller, LeftoversObservation, SeenObject } from './observation.ts';

interface Source {
  readonly kind: string;
  readonly resource: Resource;
  /** Absent: everything of the kind. */
  readonly labelSelectors?: readonly string[];
}

const rbac = 'rbac.authorization.k8s.io';
const ours = ['quiesce.dev/claim', 'quiesce.dev/installation'];
const virtual = ['vcluster.loft.sh/managed-by', 'app in (vcluster,vcluster-etcd)'];

function source(kind: string, resource: Resource, labelSelectors?: readonly string[]): Source {
  return { kind, resource, ...(labelSelectors !== undefined && { labelSelectors }) };
}

function of(group: string, version: string, plural: string, namespaced: boolean): Resource {
  return { group, version, plural, namespaced };
}

/** Kinds in which something may be left. Namespaces and Pods are looked at whatever their labels are. */
const sources: readonly Source[] = [
  source('Namespace', resources.namespaces),
  source('Pod', resources.pods),
  source('PersistentVolumeClaim', resources.persistentVolumeClaims, [...virtual, ...ours]),
  source('Service', of('', 'v1', 'services', true), [...virtual, ...ours]),
  source('Secret', of('', 'v1', 'secrets', true), [...virtual, ...ours]),
  source('ConfigMap', of('', 'v1', 'configmaps', true), [...virtual, ...ours]),
  source('ServiceAccount', of('', 'v1', 'serviceaccounts', true), ours),
  source('StatefulSet', resources.statefulSets, [...virtual, ...ours]),
  source('Deployment', resources.deployments, [...virtual, ...ours]),
  source('Ingress', of('networking.k8s.io', 'v1', 'ingresses', true), [...virtual.slice(0, 1), ...ours]),
  source('Role', of(rbac, 'v1', 'roles', true), ours),
  source('RoleBinding', of(rbac, 'v1', 'rolebindings', true), ours),
  source('ClusterRole', of(rbac, 'v1', 'clusterroles', false), [...virtual, ...ours]),
  source('ClusterRoleBinding', of(rbac, 'v1', 'clusterrolebindings', false), [...virtual, ...ours]),
  source('PriorityClass', resources.priorityClasses, [...virtual.slice(0, 1), ...ours]),
];

const callers: readonly Source[] = [
  source(
    'ValidatingWebhookConfiguration',
    of('admissionregistration.k8s.io', 'v1', 'validatingwebhookconfigurations', false),
  ),
  source(
    'MutatingWebhookConfiguration',
    of('admissionregistration.k8s.io', 'v1', 'mutatingwebhookconfigurations', false),
  ),
  source('APIService', of('apiregistration.k8s.io', 'v1', 'apiservices', false)),
];

const metadataOnly = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';
const pageSize = 500;

/** Reads only, and most of it without what the objects hold. What cannot be listed is in the answer as such. */
export async function readLeftovers(client: KubeClient): Promise<LeftoversObservation> {
  const unread: { what: string; why: string }[] = [];
  const all = async <T>(
    resource: Resource,
    options: { labelSelector?: string; accept?: string } = {},
  ): Promise<T[]> => {
    const items: T[] = [];
    try {
      await list(client, resource, {
        ...options,
        pageSize,
        onItem: (item) => items.push(item as T),
        onRestart: () => items.splice(0),
      });
      return items;
    } catch (error) {
      if (!(error instanceof Refused || error instanceof NoAnswer)) throw error;
      unread.push({ what: resource.plural, why: error.message });
      return [];
    }
  };
  const names = async (resource: Resource) => (await all<RawObject>(resource, { accept: metadataOnly })).map(nameOf);
  const [claims, installations, services, found, called] = await Promise.all([
    names(resources.vclusterClaims),
    names(resources.installations),
    all<RawObject>(of('', 'v1', 'services', true), { accept: metadataOnly }),
    Promise.all(sources.map((each) => readSource(each, all))),
    Promise.all(
      callers.map(async ({ kind, resource }) =>
        (await all<RawCaller>(resource)).map((raw) => callerOf(kind, resource, raw)),
      ),
    ),
  ]);
  const objects = onceEach(found.flat());
  return {
    claims,
    installations,
    controlPlanes: controlPlanesIn(objects),
    objects,
    callers: called.flat(),
    services: services.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
    unread,
  };
}

type All = <T>(resource: Resource, options?: { labelSelector?: string; accept?: string }) => Promise<T[]>;

async function readSource({ kind, resource, labelSelectors }: Source, all: All): Promise<SeenObject[]> {
  const asks = labelSelectors?.map((labelSelector) => ({ labelSelector, accept: metadataOnly })) ?? [
    { accept: metadataOnly },
  ];
  const items = await Promise.all(asks.map((ask) => all<RawObject>(resource, ask)));
  return items.flat().map((raw) => seenObject(kind, resource, raw));
}

function controlPlanesIn(objects: readonly SeenObject[]): LeftoversObservation['controlPlanes'] {
  return objects
    .filter(
      ({ kind, labels }) => (kind === 'StatefulSet' || kind === 'Deployment') && partOf(labels) === 'control-plane',
    )
    .map(({ namespace = '', labels, name }) => ({ namespace, name: labels.release ?? name }));
}

function onceEach(objects: readonly SeenObject[]): SeenObject[] {
  return [...new Map(objects.map((object) => [`${object.kind} ${object.namespace}/${object.name}`, object])).values()];
}

interface RawObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly generateName?: string;
    readonly creationTimestamp: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly { readonly controller?: boolean }[];
    readonly managedFields?: readonly {
      readonly manager?: string;
      readonly fieldsV1?: { readonly 'f:metadata'?: { readonly 'f:labels'?: Readonly<Record<string, unknown>> } };
    }[];
  };
}

function nameOf({ metadata }: RawObject): string {
  return metadata.name;
}

function seenObject(kind: string, resource: Resource, { metadata }: RawObject): SeenObject {
  const { name, namespace, generateName, creationTimestamp, labels = {}, ownerReferences = [] } = metadata;
  return {
    apiVersion: apiVersionOf(resource),
    kind,
    ...(namespace !== undefined && { namespace }),
    name,
    createdAt: creationTimestamp,
    labels,
    isControlled: ownerReferences.some(({ controller }) => controller === true),
    isNamedByController: generateName !== undefined,
    writers: writersOf(metadata.managedFields ?? []),
  };
}

function writersOf(managed: NonNullable<RawObject['metadata']['managedFields']>): Record<string, readonly string[]> {
  const writers: Record<string, string[]> = {};
  for (const { manager = '', fieldsV1 } of managed) {
    for (const field of Object.keys(fieldsV1?.['f:metadata']?.['f:labels'] ?? {})) {
      if (!field.startsWith('f:')) continue;
      const label = field.slice('f:'.length);
      writers[label] = [...(writers[label] ?? []), manager];
    }
  }
  return writers;
}

interface RawCaller extends RawObject {
  readonly spec?: { readonly service?: ServiceReference | null };
  readonly webhooks?: readonly { readonly clientConfig?: { readonly service?: ServiceReference } }[];
}

interface ServiceReference {
  readonly namespace?: string;
  readonly name?: string;
}

function callerOf(kind: string, resource: Resource, { metadata, spec, webhooks = [] }: RawCaller): Caller {
  const references = [spec?.service ?? undefined, ...webhooks.map(({ clientConfig }) => clientConfig?.service)];
  return {
    apiVersion: apiVersionOf(resource),
    kind,
    name: metadata.name,
    createdAt: metadata.creationTimestamp,
    services: [
      ...new Set(references.flatMap((each) => (each?.name === undefined ? [] : `${each.namespace}/${each.name}`))),
    ],
  };
}
