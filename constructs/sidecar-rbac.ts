import * as k8s from 'cdk8s-plus-28/lib/imports/k8s.js';
import type { Construct } from 'constructs';
import { apiGroup, systemNamespace } from './api-group.ts';
import { programLabels } from './ownership.ts';

export const SIDECAR = 'quiesce-sidecar';
const UNINSTALL = 'quiesce-uninstall';

const WATCH = ['list', 'watch'];
const READ = ['get', ...WATCH];

function rule(group: string, resources: string[], verbs: string[], resourceNames?: string[]): k8s.PolicyRule {
  return { apiGroups: [group], resources, verbs, ...(resourceNames !== undefined && { resourceNames }) };
}

/**
 * What the sidecar does to nodes and pods, in detail. Our resources are patched (finalizers) and so is their status;
 * they are never deleted by us, since only what renders them may. Whatever is here is used, and a test holds the two
 * together by the API server's audit log.
 */
const sidecarRules: readonly k8s.PolicyRule[] = [
  rule(apiGroup, ['vclusterclaims', 'installations'], [...WATCH, 'patch']),
  rule(apiGroup, ['maintenanceblocks'], WATCH),
  // Once more right before a machine is turned off.
  rule(apiGroup, ['clustershutdowns'], READ),
  rule(
    apiGroup,
    ['vclusterclaims/status', 'maintenanceblocks/status', 'installations/status', 'clustershutdowns/status'],
    ['patch'],
  ),
  // Taints, the cordon if asked for, and the annotations that say which of them are ours.
  rule('', ['nodes'], [...WATCH, 'patch']),
  // Eviction while budgets count; deletion only of what a sleeping virtual cluster had synced.
  rule('', ['pods'], [...WATCH, 'delete']),
  rule('', ['pods/eviction'], ['create']),
  // Which volumes a drained node still holds, and whose they are.
  rule('', ['persistentvolumes'], WATCH),
  rule('storage.k8s.io', ['csidrivers', 'csinodes'], WATCH),
  // What keeps a pod, and in which order they go.
  rule('policy', ['poddisruptionbudgets'], WATCH),
  rule('scheduling.k8s.io', ['priorityclasses'], WATCH),
  rule('', ['namespaces'], WATCH),
  // Whether a control plane has come to rest or to its full count.
  rule('apps', ['statefulsets', 'deployments'], WATCH),
  // Whether a pod's controller is still there, and whether it has enough of them for its budget.
  rule('apps', ['statefulsets', 'replicasets', 'daemonsets'], ['get']),
  rule('batch', ['jobs'], ['get']),
  rule('events.k8s.io', ['events'], ['create', 'patch']),
];

/**
 * What uninstalling takes, and why there is a wildcard: components are of any kind, also of kinds that nobody knew when
 * this was rendered; a namespace may only go if *every* listable kind in it is empty; and `patch`, for finalizers, is
 * for any of them too. In effect that is the whole cluster, so nothing else should run in our namespace.
 *
 * Created or updated are only: hook Jobs, Helm's release records, and `namespaces/finalize` for a quick deletion. A
 * hook Job runs as the ServiceAccount that git names, so whoever may merge to `state/` may do what that one may.
 */
const uninstallRules: readonly k8s.PolicyRule[] = [
  rule('*', ['*'], [...READ, 'patch', 'delete']),
  rule('', ['namespaces/finalize'], ['update']),
  rule('', ['secrets'], ['create', 'update']),
  rule('batch', ['jobs'], ['create']),
];

/** In our own namespace: who leads, and the Jobs that turn nodes' power off and on, deleted when git asks for something else. */
const ownRules: readonly k8s.PolicyRule[] = [
  rule('coordination.k8s.io', ['leases'], ['create']), // a name cannot be asked for before it exists
  rule('coordination.k8s.io', ['leases'], ['get', 'update'], [SIDECAR]),
  rule('batch', ['jobs'], [...WATCH, 'create', 'delete']),
];

/** Nothing impersonates, escalates or binds; without `quiesce-uninstall` maintenance and sleep still work. */
export function addSidecarPermissions(scope: Construct): void {
  const labels = programLabels(SIDECAR);
  const subjects = [{ kind: 'ServiceAccount', name: SIDECAR, namespace: systemNamespace }];
  for (const [name, rules] of [
    [SIDECAR, sidecarRules],
    [UNINSTALL, uninstallRules],
  ] as const) {
    new k8s.KubeClusterRole(scope, `${name}-role`, { metadata: { name, labels }, rules: [...rules] });
    new k8s.KubeClusterRoleBinding(scope, `${name}-binding`, {
      metadata: { name, labels },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects,
    });
  }
  const metadata = { name: SIDECAR, namespace: systemNamespace, labels };
  new k8s.KubeRole(scope, 'own-role', { metadata, rules: [...ownRules] });
  new k8s.KubeRoleBinding(scope, 'own-binding', {
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: SIDECAR },
    subjects,
  });
}
