import { afterEach, expect, it } from 'vitest';
import { openManagedClusters } from '../../../src/sidecar/managed-clusters.ts';
import { json, type ScriptedServer, startScripted } from './scripted-server.ts';

let server: ScriptedServer | undefined;
afterEach(() => server?.stop());

type Says = Readonly<Record<'clusters' | 'nodepools', readonly object[] | number>>;

async function open(says: Says) {
  server = await startScripted(({ url }, answer) => {
    const said = says[url.pathname.split('/').at(-1) as keyof Says];
    if (typeof said === 'number') json(answer, { message: 'no' }, said);
    else json(answer, { metadata: { resourceVersion: '9' }, items: said });
  });
  const wakes: number[] = [];
  const managed = openManagedClusters({ client: server.client, pageSize: 100, wake: (inMs) => wakes.push(inMs) });
  return { managed, wakes };
}

async function seen(says: Says) {
  const { managed } = await open(says);
  await managed.read();
  return managed.look();
}

const metadata = { name: 'u', namespace: 'cluster-u' };
const maintenanceBlocks = { cidrBlocks: ['10.0.0.1'] };
const cluster = { metadata, spec: { type: 'user', maintenanceBlocks } };
const pool = (status?: object) => ({
  metadata: { ...metadata, name: 'np1' },
  spec: { clusterName: 'u', nodes: [{ address: '10.0.0.1' }] },
  ...(status !== undefined && { status }),
});
const identity = { apiVersion: 'baremetal.cluster.gke.io/v1', kind: 'Cluster', namespace: 'cluster-u', name: 'u' };

it.each([
  ['runs', pool({ readyNodes: 1 }), { standing: 'np1: 1 ready' }],
  ['is in maintenance', pool({ readyNodes: 0, underMaintenanceNodes: 1 }), {}],
  ['was put into maintenance and is not heard of', pool({ unknownNodes: 1 }), {}],
  ['nobody has counted', pool(), { standing: 'np1: nodes not counted yet' }],
])('a cluster with a node that %s', async (_, nodepool, standing) => {
  const clusters = [{ ...identity, ...standing }];
  expect(await seen({ clusters: [cluster], nodepools: [nodepool] })).toEqual({ clusters, unread: [] });
});

it('where the kinds are not served, nothing is managed', async () => {
  expect(await seen({ clusters: 404, nodepools: 404 })).toEqual({ clusters: [], unread: [] });
});

it.each<[string, Says, readonly string[]]>([
  ['forbidden', { clusters: 403, nodepools: 403 }, ['Cluster', 'NodePool']],
  ['out of order', { clusters: [cluster], nodepools: 500 }, ['NodePool']],
  ['half served', { clusters: [cluster], nodepools: 404 }, ['NodePool']],
])('what is %s is not known', async (_, says, unread) => {
  expect(await seen(says)).toEqual({ clusters: [], unread });
});

it('is not known before the first answer, which asks for a pass; then it is good for a while', async () => {
  const { managed, wakes } = await open({ clusters: [cluster], nodepools: [pool({ readyNodes: 1 })] });
  expect(managed.look()).toEqual({ clusters: [], unread: ['Cluster', 'NodePool'] });
  await managed.read();
  expect(wakes).toEqual([0]);
  managed.look();
  expect(managed.look().clusters).toHaveLength(1);
  expect(server?.asked).toHaveLength(2);
  expect(Math.min(...wakes.slice(1))).toBeGreaterThan(0);
});
