/** The order in which the objects of a component go: all of one stage are gone before anything of the next goes. */
export const stages = [
  'dead webhooks',
  'custom resources',
  'webhooks',
  'API services',
  'definitions',
  'workloads',
  'data',
  'configuration',
  'permissions',
] as const;

export type Stage = (typeof stages)[number];

export interface Kinded {
  readonly apiVersion: string;
  readonly kind: string;
}

const byKind: ReadonlyMap<string, Stage> = new Map(
  Object.entries({
    webhooks: [
      'ValidatingWebhookConfiguration',
      'MutatingWebhookConfiguration',
      'ValidatingAdmissionPolicyBinding',
      'MutatingAdmissionPolicyBinding',
      'ValidatingAdmissionPolicy',
      'MutatingAdmissionPolicy',
    ],
    'API services': ['APIService'],
    definitions: ['CustomResourceDefinition'],
    workloads: [
      'Ingress',
      'IngressClass',
      'Service',
      'CronJob',
      'Job',
      'StatefulSet',
      'HorizontalPodAutoscaler',
      'Deployment',
      'ReplicaSet',
      'ReplicationController',
      'Pod',
      'DaemonSet',
    ],
    data: ['PersistentVolumeClaim', 'PersistentVolume'],
    permissions: ['RoleBinding', 'Role', 'ClusterRoleBinding', 'ClusterRole', 'ServiceAccount'],
  } as const satisfies Partial<Record<Stage, readonly string[]>>).flatMap(([stage, kinds]) =>
    kinds.map((kind) => [kind, stage as Stage] as const),
  ),
);

/**
 * Custom resources first, while their operator, webhook and permissions live to finish them; permissions last. In
 * between, Helm's order.
 */
export function stageOf(object: Kinded): Stage {
  if (isDataKind(object)) return 'data';
  if (!isBuiltInGroup(groupOf(object.apiVersion))) return 'custom resources';
  return byKind.get(object.kind) ?? 'configuration';
}

const ranks: ReadonlyMap<string, number> = new Map([...byKind.keys()].map((kind, index) => [kind, index]));

/** Within a stage, what is asked to go first; nothing waits for it. */
export function rankOf({ kind }: Kinded): number {
  return ranks.get(kind) ?? ranks.size;
}

const dataKinds: readonly string[] = [
  '/PersistentVolumeClaim',
  '/PersistentVolume',
  'snapshot.storage.k8s.io/VolumeSnapshot',
  'snapshot.storage.k8s.io/VolumeSnapshotContent',
];

/** What bears data: never derived from anything, and gone only by policy. */
export function isDataKind(object: Kinded): boolean {
  return dataKinds.includes(kindKey(object));
}

/** Kinds that own Pods: gone only when their Pods are. */
export function hasPods({ apiVersion, kind }: Kinded): boolean {
  const owning = ['Job', 'StatefulSet', 'Deployment', 'ReplicaSet', 'ReplicationController', 'DaemonSet', 'CronJob'];
  return isBuiltInGroup(groupOf(apiVersion)) && owning.includes(kind);
}

/** Groups with a dot that Kubernetes itself serves; those without one are all its own. */
const builtIn: readonly string[] = [
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'internal.apiserver.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'rbac.authorization.k8s.io',
  'resource.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
  'storagemigration.k8s.io',
];

export function isBuiltInGroup(group: string): boolean {
  return !group.includes('.') || builtIn.includes(group);
}

/** Empty for the core group. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

/** The same for every version of a kind. */
export function kindKey({ apiVersion, kind }: Kinded): string {
  return `${groupOf(apiVersion)}/${kind}`;
}

/** Made for what they belong to, some with its labels, and kept up by Kubernetes while that is there. */
const copies: readonly string[] = [
  '/Endpoints',
  'discovery.k8s.io/EndpointSlice',
  'networking.k8s.io/IPAddress',
  '/Event',
  'events.k8s.io/Event',
];

export function isCopy(object: Kinded): boolean {
  return copies.includes(kindKey(object));
}

/** In place of a kind, where it could not even be read which there are. */
export const allKinds = 'all kinds';

/** Only what renders our own resources may delete them. */
export function isOurResource({ apiVersion }: Kinded): boolean {
  return groupOf(apiVersion) === 'quiesce.dev';
}
