/** What whoever takes a snapshot has to be allowed to do, as manifests to apply. Nothing in it can change anything. */
export const snapshotRbac = `# Bind the first to whoever takes snapshots: nodes, pods, and what keeps pods where they are.
# It is enough to rehearse maintenance and sleep, and lets nobody see a Secret or a ConfigMap.
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: quiesce-snapshot
rules:
  - apiGroups: [""]
    resources: [nodes, pods, namespaces, persistentvolumes, persistentvolumeclaims, services, replicationcontrollers]
    verbs: [list]
  - apiGroups: [apps]
    resources: [deployments, replicasets, statefulsets, daemonsets]
    verbs: [list]
  - apiGroups: [batch]
    resources: [jobs]
    verbs: [list]
  - apiGroups: [policy]
    resources: [poddisruptionbudgets]
    verbs: [list]
  - apiGroups: [scheduling.k8s.io]
    resources: [priorityclasses]
    verbs: [list]
  - apiGroups: [storage.k8s.io]
    resources: [csidrivers, csinodes]
    verbs: [list]
  - apiGroups: [quiesce.dev]
    resources: ["*"]
    verbs: [list]
---
# The second as well, to rehearse uninstalls: whether a namespace is empty shows only in lists of every kind.
# Kubernetes has no permission for names alone, so it can read Secrets; a snapshot keeps their names and labels.
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: quiesce-snapshot-contents
rules:
  - apiGroups: ["*"]
    resources: ["*"]
    verbs: [list]
`;
