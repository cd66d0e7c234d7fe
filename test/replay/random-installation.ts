import { configMap, custom, definition, deployment, service, statefulSet } from '../cluster/uninstall/objects.ts';
import type { Chance } from '../lifecycle/simulation/chance.ts';
import type { KubeObject } from '../support/objects.ts';
import { held } from './random-workloads.ts';

type Manifest = ReturnType<typeof configMap>;

export interface RandomInstallation {
  readonly name: string;
  /** `spec`, without cluster and state. */
  readonly spec: object;
  /** By component. */
  readonly manifests: Readonly<Record<string, readonly Manifest[]>>;
  /** What others have put there, after it was installed. */
  readonly others: readonly KubeObject[];
  /** Of what is rendered: changes that somebody makes by hand, as merge patches. */
  readonly changes: readonly { readonly object: KubeObject; readonly patch: object }[];
  /** Git does not list the last object of the first component any more; else it says Deleted. */
  readonly isPartial: boolean;
}

/** A stack of up to three components, one on the other or side by side. */
export function randomInstallation(chance: Chance, name: string): RandomInstallation {
  const shared = chance.happens(0.5);
  const count = chance.between(1, 3);
  const components = Array.from({ length: count }, (_, index) => `part${index + 1}`);
  const namespaceOf = (component: string) => (shared ? name : `${name}-${component}`);
  const manifests = Object.fromEntries(
    components.map((component) => [component, manifestsOf(chance, `${name}-${component}`)]),
  );
  const isQuick = chance.happens(0.15);
  const spec = {
    components: components.map((component, index) => ({
      name: component,
      namespace: namespaceOf(component),
      ...(index > 0 && chance.happens(0.6) && { dependsOn: [components[index - 1]] }),
      deletion: deletionOf(chance, `${name}-${component}`),
    })),
    deletion: { strategy: isQuick ? 'Quick' : 'Ordered', confirm: name },
  };
  const placed = components.flatMap((component) =>
    (manifests[component] ?? []).map((object) => place(object, namespaceOf(component))),
  );
  return {
    name,
    spec,
    manifests,
    others: others(chance, [...new Set(components.map(namespaceOf))], `${name}-${components[0]}`),
    changes: placed.flatMap((object) => changesOf(chance, object)),
    isPartial: !isQuick && chance.happens(0.1),
  };
}

function place(object: Manifest, where: string): KubeObject {
  return clusterScoped.includes(object.kind)
    ? object
    : { ...object, metadata: { ...object.metadata, namespace: where } };
}

const clusterScoped: readonly string[] = ['CustomResourceDefinition', 'ClusterRole', 'PriorityClass'];

function deletionOf(chance: Chance, component: string): object {
  const hook = (name: string) => [{ name, image: 'registry.example.edu/hook:1', command: ['true'], timeout: '1m' }];
  const sweep = [{ apiGroups: [''], kinds: ['Secret', 'ConfigMap'], selector: `made-by=${component}` }];
  return {
    persistentVolumeClaims: chance.of(['Retain', 'Delete']),
    ...(chance.happens(0.15) && { namespace: 'Keep' }),
    ...(chance.happens(0.2) && { preDelete: hook('before') }),
    ...(chance.happens(0.15) && { postDelete: hook('after') }),
    ...(chance.happens(0.4) && { sweep }),
  };
}

function manifestsOf(chance: Chance, name: string): readonly Manifest[] {
  const maybe = (probability: number, make: () => readonly Manifest[]) => (chance.happens(probability) ? make() : []);
  const kind = `Thing${name.replace(/[^a-z0-9]/g, '')}`;
  const plural = `${kind.toLowerCase()}s`;
  return [
    ...maybe(0.7, () => [deployment(`${name}-web`, chance.between(1, 3))]),
    ...maybe(0.4, () => [statefulSet(`${name}-db`), service(`${name}-db`)]),
    ...maybe(0.5, () => [service(`${name}-web`)]),
    ...maybe(0.3, () => [definition(plural, kind), custom(kind, `${name}-one`)]),
    ...maybe(0.3, () => [clusterRole(name)]),
    ...maybe(0.3, () => [account(name)]),
    ...maybe(0.3, () => [volumeClaim(`${name}-files`)]),
    ...maybe(0.2, () => [configMap(`${name}-kept`, { annotations: { 'helm.sh/resource-policy': 'keep' } })]),
    configMap(`${name}-settings`),
  ];
}

function clusterRole(name: string): Manifest {
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name }, rules: [] };
}

function account(name: string): Manifest {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } };
}

function volumeClaim(name: string): Manifest {
  const spec = {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    storageClassName: 'standard',
  };
  return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name }, spec };
}

/** A customer's, an operator's that a sweep may select, and what a customer owns of an operator's kind. */
function others(chance: Chance, namespaces: readonly string[], component: string): readonly KubeObject[] {
  return namespaces.flatMap((where) => [
    ...(chance.happens(0.25) ? [inNamespace(configMap('customers-own'), where)] : []),
    ...(chance.happens(0.5) ? [inNamespace(configMap('made', { labels: { 'made-by': component } }), where)] : []),
  ]);
}

function inNamespace(object: Manifest, where: string): KubeObject {
  return { ...object, metadata: { ...object.metadata, namespace: where } };
}

/** Some controller holds it, or it has lost our labels. */
function changesOf(chance: Chance, object: KubeObject): RandomInstallation['changes'] {
  if (chance.happens(0.04)) return [{ object, patch: { metadata: { finalizers: [held] } } }];
  const labels = { 'quiesce.dev/installation': null, 'quiesce.dev/component': null };
  return chance.happens(0.04) ? [{ object, patch: { metadata: { labels } } }] : [];
}
