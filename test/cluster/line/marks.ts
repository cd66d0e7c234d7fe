import type { Access } from '../../support/access.ts';
import type { NodeObject } from '../../support/nodes.ts';
import { annotate, apply, id, type KubeObject, nameOf, type ObjectId, patch, read } from '../../support/objects.ts';
import { waitFor } from '../../support/wait.ts';
import type { Hosts } from './world.ts';

/** What other people and programs put onto our objects, and beside them. */
export interface Marks {
  /** Of each mark that is no longer there, where it was. */
  missing(): Promise<readonly string[]>;
}

const by = 'example.edu/by-hand';
const taint = { key: 'example.edu/disk', value: 'failing', effect: 'NoSchedule' };
const node = id('v1', 'Node', 'atlas-2');

/** One of each kind that people are likely to touch; all of them outlast whatever happens to the applier. */
const marked: readonly ObjectId[] = [
  node,
  id('v1', 'Namespace', 'vcluster-registrar-portal'),
  id('v1', 'Service', 'registrar-portal', 'vcluster-registrar-portal'),
  id('apps/v1', 'StatefulSet', 'registrar-portal', 'vcluster-registrar-portal'),
  id('apps/v1', 'Deployment', 'library-search', 'vcluster-library-search'),
  id('quiesce.dev/v1alpha1', 'VClusterClaim', 'registrar-portal'),
  id('quiesce.dev/v1alpha1', 'MaintenanceBlock', 'atlas-metal'),
  id('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'vclusterclaims.quiesce.dev'),
];

export async function leaveMarks({ atlas: { access } }: Hosts): Promise<Marks> {
  for (const object of marked) {
    await annotate(access, object, { [by]: 'kept' });
    await patch(access, object, { metadata: { labels: { [by]: 'kept' } } });
  }
  await patch(access, node, { spec: { taints: [taint] } });
  return {
    missing: async () => {
      const found = await Promise.all(marked.map((object) => read<NodeObject>(access, object)));
      const lost = marked.filter((_, index) => !isMarked(found[index]));
      return lost.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    },
  };
}

function isMarked(object: NodeObject | undefined): boolean {
  const { labels, annotations } = object?.metadata ?? {};
  const isTainted = object?.spec?.taints?.some(({ key, effect }) => key === taint.key && effect === taint.effect);
  const hasItsTaint = object?.metadata.name !== node.metadata.name || isTainted === true;
  return labels?.[by] === 'kept' && annotations?.[by] === 'kept' && hasItsTaint;
}

/** That sleeps and wakes; that is exposed, and no longer; whose files vanish, in part and as a whole. */
const tenants = ['registrar-portal', 'exam-grading', 'web-engineering', 'library-search', 'campus-login'];

/**
 * What vCluster puts onto the host for a Service `http` and a volume of a tenant: both are owned by the Service that the
 * claim is rendered with, so they go when that one is deleted or replaced.
 */
export async function syncTenantObjects({ atlas: { access } }: Hosts): Promise<void> {
  const volumes: ObjectId[] = [];
  for (const claim of tenants) {
    const namespace = `vcluster-${claim}`;
    const { metadata } = (await read<KubeObject>(access, id('v1', 'Service', claim, namespace))) ?? {};
    const synced = (name: string) => ({
      name: `${name}-x-default-x-${claim}`,
      namespace,
      labels: { 'vcluster.loft.sh/managed-by': claim, 'vcluster.loft.sh/namespace': 'default' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name: claim, uid: metadata?.uid ?? '' }],
    });
    const service = { apiVersion: 'v1', kind: 'Service', metadata: synced('http') };
    const volume = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: synced('files') };
    const asked = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    await apply(access, { ...service, spec: { ports: [{ name: 'http', port: 80 }] } }, { ...volume, spec: asked });
    volumes.push(volume);
  }
  await Promise.all(volumes.map((volume) => waitUntilBound(access, volume)));
}

async function waitUntilBound(access: Access, volume: ObjectId): Promise<void> {
  await waitFor(`${nameOf(volume)} to be bound`, { seconds: 60 }, async () => {
    const { status } = (await read<{ status?: { phase?: string } }>(access, volume)) ?? {};
    return status?.phase === 'Bound' ? { met: true } : { seen: `${status?.phase}` };
  });
}
