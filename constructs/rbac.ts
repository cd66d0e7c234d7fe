import * as k8s from 'cdk8s-plus-28/lib/imports/k8s.js';
import type { Construct } from 'constructs';
import type { ClaimProps, ClaimShape } from './claim-props.ts';
import { ALL, hostSyncRules, READ, rule } from './host-sync.ts';
import { chartLabels } from './metadata.ts';
import { protectedAnnotations } from './protection.ts';

const RBAC_GROUP = 'rbac.authorization.k8s.io';

/**
 * One account for the control plane, one for the tenant's pods. Accounts and roles inside the namespace are protected:
 * an applier that takes them when the claim is deleted leaves a control plane that cannot clean up after itself.
 */
export function addServiceAccounts(scope: Construct, { shape, text }: ClaimProps): void {
  const common = { namespace: text.namespace, labels: chartLabels(shape, text), annotations: protectedAnnotations };
  new k8s.KubeServiceAccount(scope, 'account', { metadata: { name: `vc-${text.name}`, ...common } });
  new k8s.KubeServiceAccount(scope, 'workload-account', { metadata: { name: `vc-workload-${text.name}`, ...common } });
}

/** Cluster-wide permissions are not protected: withdrawn in git, they have to go. */
export function addRoles(scope: Construct, { shape, text }: ClaimProps): void {
  const { cluster, namespace } = hostSyncRules(shape.hostSync);
  const subjects = [{ kind: 'ServiceAccount', name: `vc-${text.name}`, namespace: text.namespace }];
  const labels = chartLabels(shape, text);
  if (cluster.length > 0) {
    const metadata = { name: text.clusterRole, labels };
    const roleRef = { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name: text.clusterRole };
    new k8s.KubeClusterRole(scope, 'cluster-role', { metadata, rules: [...cluster] });
    new k8s.KubeClusterRoleBinding(scope, 'cluster-role-binding', { metadata, roleRef, subjects });
  }
  const metadata = { name: `vc-${text.name}`, namespace: text.namespace, labels, annotations: protectedAnnotations };
  const roleRef = { apiGroup: RBAC_GROUP, kind: 'Role', name: `vc-${text.name}` };
  new k8s.KubeRole(scope, 'role', { metadata, rules: [...ownRules(shape), ...namespace] });
  new k8s.KubeRoleBinding(scope, 'role-binding', { metadata, roleRef, subjects });
}

/** What every control plane does in its namespace: sync pods and what they need, and watch itself. */
function ownRules(shape: ClaimShape): k8s.PolicyRule[] {
  const pods = ['pods', 'pods/attach', 'pods/portforward', 'pods/exec'];
  return [
    rule('', ['configmaps', 'secrets', 'services', ...pods, 'persistentvolumeclaims', 'endpoints'], ALL),
    rule('', ['pods/status', 'pods/ephemeralcontainers', 'pods/resize'], ['patch', 'update']),
    rule('', ['events', 'pods/log'], READ),
    rule('apps', ['statefulsets', 'replicasets', 'deployments'], READ),
    rule('discovery.k8s.io', ['endpointslices'], ALL),
    ...(shape.replicas > 1 ? [rule('coordination.k8s.io', ['leases'], ALL)] : []),
  ];
}
