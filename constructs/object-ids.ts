/** An object as the API server names it, without its version's details. */
export interface ObjectId {
  readonly apiVersion: string;
  readonly kind: string;
  /** Absent for cluster-scoped objects. */
  readonly namespace?: string;
  readonly name: string;
}

/**
 * The order of Helm 4's uninstall, first gone first; read backwards it is the order to apply in (Services aside).
 * Webhooks go before the Service behind them: one that outlives its backend refuses every change of what it matches.
 */
const uninstalled: readonly string[] = [
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
  'APIService',
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
  'RoleBinding',
  'Role',
  'ClusterRoleBinding',
  'ClusterRole',
  'CustomResourceDefinition',
  'PersistentVolumeClaim',
  'PersistentVolume',
  'StorageClass',
  'ConfigMap',
  'Secret',
  'ServiceAccount',
  'PodDisruptionBudget',
  'LimitRange',
  'ResourceQuota',
  'NetworkPolicy',
  'Namespace',
  'PriorityClass',
];

const position: ReadonlyMap<string, number> = new Map(uninstalled.map((kind, index) => [kind, index]));

/**
 * Weight of a kind when removing: lower goes first. A kind that is not in the table is a custom resource, which goes
 * before everything, while its operator, webhook and CRD still live to finish it. (Helm takes those last.)
 */
export function uninstallOrder(kind: string): number {
  return position.get(kind) ?? -1;
}

/**
 * Weight of a kind when applying: lower comes first. The reverse of removing, except that a Service comes before the
 * workloads that need it both times: a StatefulSet's pods have no names until their Service is there.
 */
export function applyOrder(kind: string): number {
  if (kind === 'Service') return applyOrder('DaemonSet') - 0.5;
  return uninstalled.length - 1 - uninstallOrder(kind);
}

/**
 * Built-in kinds without a namespace, and a few widespread ones. `metadata.namespace` on them is refused or, worse,
 * shown as a difference for ever. What is not listed is taken for namespaced.
 */
const clusterScoped: ReadonlySet<string> = new Set([
  'APIService',
  'CSIDriver',
  'CSINode',
  'CertificateSigningRequest',
  'ClusterIssuer',
  'ClusterRole',
  'ClusterRoleBinding',
  'ClusterShutdown',
  'ClusterTrustBundle',
  'CustomResourceDefinition',
  'DeviceClass',
  'FlowSchema',
  'GatewayClass',
  'IngressClass',
  'Installation',
  'MaintenanceBlock',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
  'MutatingWebhookConfiguration',
  'Namespace',
  'Node',
  'PersistentVolume',
  'PriorityClass',
  'PriorityLevelConfiguration',
  'RuntimeClass',
  'StorageClass',
  'VClusterClaim',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'ValidatingWebhookConfiguration',
  'VolumeAttachment',
  'VolumeSnapshotClass',
  'VolumeSnapshotContent',
]);

export function isClusterScoped(kind: string): boolean {
  return clusterScoped.has(kind);
}
