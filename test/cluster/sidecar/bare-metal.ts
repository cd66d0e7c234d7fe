import type { Access } from '../../support/access.ts';
import { apply, create, id, type KubeObject, patch } from '../../support/objects.ts';
import { waitFor } from '../../support/wait.ts';
import { namespace } from '../../support/workloads.ts';

const group = 'baremetal.cluster.gke.io';

/**
 * A cluster that is managed, with one node pool, in the kinds that an admin cluster of GKE on bare metal serves, whatever
 * is in them.
 */
export async function addManagedCluster(access: Access, name: string, addresses: readonly string[]): Promise<void> {
  for (const kind of ['Cluster', 'NodePool']) await create(access, definition(kind));
  await waitFor('the kinds of GKE on bare metal to be served', { seconds: 30 }, async () => {
    await apply(access, namespace(`cluster-${name}`), cluster(name), pool(name, addresses));
    return { met: true };
  });
}

/** As the cluster's own controllers count them. */
export async function countNodes(
  access: Access,
  name: string,
  counts: Readonly<Record<string, number>>,
): Promise<void> {
  await patch(access, pool(name, []), { status: counts }, 'status');
}

function cluster(name: string): KubeObject {
  return { ...id(`${group}/v1`, 'Cluster', name, `cluster-${name}`), spec: { type: 'user' } };
}

function pool(name: string, addresses: readonly string[]): KubeObject {
  const nodes = addresses.map((address) => ({ address }));
  return { ...id(`${group}/v1`, 'NodePool', `${name}-pool`, `cluster-${name}`), spec: { clusterName: name, nodes } };
}

function definition(kind: string): KubeObject {
  const plural = `${kind.toLowerCase()}s`;
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }],
    },
  };
}
