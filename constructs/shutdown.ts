import { ApiObject } from 'cdk8s';
import * as k8s from 'cdk8s-plus-28/lib/imports/k8s.js';
import type { Construct } from 'constructs';
import type { DeclaredNode, Shutdown } from '../src/resolve/state.ts';
import { apiVersion, systemNamespace } from './api-group.ts';
import { hookJob } from './hook-job.ts';
import { keptOnCascade } from './kept-on-cascade.ts';
import { programLabels } from './ownership.ts';
import { SIDECAR } from './sidecar-rbac.ts';

export interface ClusterShutdownProps {
  readonly shutdown: Shutdown;
  /** Every declared node of the cluster; where there are none, the sidecar goes by what the cluster has. */
  readonly nodes: readonly DeclaredNode[];
}

/** First off first. The etcd leader, known only then, is the last of the control plane. */
const powerOffOrder: readonly DeclaredNode['role'][] = ['worker', 'load-balancer', 'control-plane'];

export function addClusterShutdown(scope: Construct, { shutdown, nodes }: ClusterShutdownProps): void {
  new ApiObject(scope, 'cluster-shutdown', {
    apiVersion,
    kind: 'ClusterShutdown',
    metadata: { name: shutdown.cluster, annotations: { ...keptOnCascade } },
    spec: {
      cluster: shutdown.cluster,
      action: shutdown.action,
      backupAcknowledged: shutdown.backupAcknowledged,
      ...(nodes.length > 0 && { nodes: inPowerOffOrder(nodes) }),
      ...(shutdown.powerHook !== undefined && { powerHook: hookJob(shutdown.powerHook) }),
    },
  });
  addEtcdReader(scope);
  addUserClusterReader(scope);
}

/**
 * Which etcd member leads is in its metrics and nowhere else. They are read by way of the Pod's proxy, which reaches any
 * Pod of the namespace; so only a cluster that a shutdown is written down for gives the sidecar this.
 */
function addEtcdReader(scope: Construct): void {
  const name = `${SIDECAR}-etcd`;
  const metadata = { name, namespace: 'kube-system', labels: programLabels(SIDECAR) };
  const rules = [{ apiGroups: [''], resources: ['pods', 'pods/proxy'], verbs: ['get'] }];
  new k8s.KubeRole(scope, 'etcd-role', { metadata, rules });
  new k8s.KubeRoleBinding(scope, 'etcd-binding', {
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
    subjects: [{ kind: 'ServiceAccount', name: SIDECAR, namespace: systemNamespace }],
  });
}

/** An admin cluster of GKE on bare metal is shut down after those that it manages. Other clusters do not know these kinds. */
function addUserClusterReader(scope: Construct): void {
  const name = `${SIDECAR}-user-clusters`;
  const metadata = { name, labels: programLabels(SIDECAR) };
  const rules = [{ apiGroups: ['baremetal.cluster.gke.io'], resources: ['clusters', 'nodepools'], verbs: ['list'] }];
  new k8s.KubeClusterRole(scope, 'user-clusters-role', { metadata, rules });
  new k8s.KubeClusterRoleBinding(scope, 'user-clusters-binding', {
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ kind: 'ServiceAccount', name: SIDECAR, namespace: systemNamespace }],
  });
}

function inPowerOffOrder(nodes: readonly DeclaredNode[]) {
  return powerOffOrder.flatMap((role) =>
    nodes.filter((node) => node.role === role).map(({ address, pool }) => ({ address, pool, role })),
  );
}
