import type { Assets } from '../../controlplane/assets.ts';
import { type Cluster, startCluster } from '../../support/cluster.ts';
import { startKwok } from '../../support/kwok.ts';
import { addNodes } from '../../support/nodes.ts';
import { apply, type KubeObject } from '../../support/objects.ts';
import type { Stage } from '../../support/stages.ts';

/** A host cluster on which everything of the shipped state comes up: nodes, volumes, and something that serves Ingresses. */
export async function startHost(name: string, addresses: readonly string[], assets: Assets): Promise<Cluster> {
  const cluster = await startCluster({ assets, name });
  try {
    await startKwok(cluster, { stages: [ingressIsServed] });
    await addNodes(
      cluster.access,
      ...addresses.map((internalIP, index) => ({ name: `${name}-${index + 1}`, internalIP })),
    );
    await apply(cluster.access, ...localVolumes);
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

/** What an ingress controller does. Without an address Argo CD waits for one. */
const ingressIsServed: Stage = {
  apiVersion: 'kwok.x-k8s.io/v1alpha1',
  kind: 'Stage',
  metadata: { name: 'ingress-is-served' },
  spec: {
    resourceRef: { apiGroup: 'networking.k8s.io/v1', kind: 'Ingress' },
    selector: { matchExpressions: [{ key: '.status.loadBalancer.ingress', operator: 'DoesNotExist' }] },
    next: { statusTemplate: 'loadBalancer: {ingress: [{ip: 192.0.2.10}]}' },
  },
};

/** For the storage classes that claims of the shipped state name; kwok provides for the default one only. */
const localVolumes: readonly KubeObject[] = ['local-shared', 'replicated-ssd'].flatMap((storageClassName) =>
  ['1', '2', '3'].map((ordinal) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: `${storageClassName}-${ordinal}` },
    spec: {
      storageClassName,
      capacity: { storage: '20Gi' },
      accessModes: ['ReadWriteOnce'],
      persistentVolumeReclaimPolicy: 'Retain',
      hostPath: { path: `/mnt/${ordinal}` },
    },
  })),
);
