import type { KubeObject } from '../test/support/objects.ts';

/** A ServiceAccount that may do everything: one of its own shows in the audit log who has asked for what. */
export function administrator(namespace: string, name: string): readonly KubeObject[] {
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    },
  ];
}
