import { addressOf } from './sample.ts';

/** The config of a host cluster with so many workers, some of them in maintenance. */
export function metalConfig(cluster: string, nodes: number, inMaintenance: readonly string[]): string {
  const addresses = Array.from({ length: nodes }, (_, index) => `    - address: ${addressOf(index + 1)}\n`);
  const blocks = inMaintenance.map((block) => `      - ${block}\n`);
  return `apiVersion: baremetal.cluster.gke.io/v1
kind: Cluster
metadata:
  name: ${cluster}
  namespace: cluster-${cluster}
spec:
  controlPlane:
    nodePoolSpec:
      nodes:
        - address: 10.9.0.1
${blocks.length === 0 ? '' : `  maintenanceBlocks:\n    cidrBlocks:\n${blocks.join('')}`}---
apiVersion: baremetal.cluster.gke.io/v1
kind: NodePool
metadata:
  name: general
  namespace: cluster-${cluster}
spec:
  clusterName: ${cluster}
  nodes:
${addresses.join('')}`;
}
