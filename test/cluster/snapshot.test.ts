import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { loadAll } from 'js-yaml';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readSnapshotFile } from '../../src/commands/snapshot-file.ts';
import type { Snapshot } from '../../src/rehearsal/snapshot.ts';
import { snapshotRbac } from '../../src/rehearsal/take/rbac.ts';
import { builtCommand } from '../commands/built.ts';
import { writeKubeconfig } from '../support/access.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { assets, clusterTest } from '../support/cluster-test.ts';
import { startKwok } from '../support/kwok.ts';
import { addNodes } from '../support/nodes.ts';
import { apply, type KubeObject } from '../support/objects.ts';
import { waitUntilUp } from '../support/workload-waits.ts';
import { deployment, namespace, podDisruptionBudget, statefulSet } from '../support/workloads.ts';
import { runFile } from './sidecar/bundle.ts';

const secretText = 'c29tZXRoaW5nIHZlcnkgc2VjcmV0';

const secret: KubeObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: 'password',
    namespace: 'shop',
    annotations: { 'example.com/note': secretText },
    labels: { team: 'shop' },
  },
  data: { password: secretText },
};

const release: KubeObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: 'sh.helm.release.v1.db.v2',
    namespace: 'shop',
    labels: { owner: 'helm', name: 'db', version: '2', status: 'deployed' },
  },
  data: { release: secretText },
};

clusterTest('quiesce snapshot', () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await startCluster({ assets: assets() });
    await startKwok(cluster);
    await addNodes(cluster.access, { name: 'n1', internalIP: '10.0.0.1' }, { name: 'n2', internalIP: '10.0.0.2' });
    const annotations = { 'example.com/note': secretText };
    const web = deployment({ name: 'web', namespace: 'shop', replicas: 2, pod: { annotations } });
    const db = statefulSet({ name: 'db', namespace: 'shop', replicas: 1 });
    const budget = podDisruptionBudget({ name: 'web', namespace: 'shop', maxUnavailable: 1 });
    await apply(cluster.access, namespace('shop'), secret, release, web, db, budget);
    await waitUntilUp(cluster.access, web);
    await waitUntilUp(cluster.access, db);
    await apply(cluster.access, ...(loadAll(snapshotRbac) as KubeObject[]));
  });

  afterAll(() => cluster?.stop());

  /** As a ServiceAccount that has these ClusterRoles. */
  async function take(account: string, roles: readonly string[]) {
    const metadata = { name: account, namespace: 'shop' };
    await apply(cluster.access, { apiVersion: 'v1', kind: 'ServiceAccount', metadata });
    for (const role of roles) {
      await apply(cluster.access, {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: `${account}-${role}` },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
        subjects: [{ kind: 'ServiceAccount', ...metadata }],
      });
    }
    const folder = cluster.sandbox.folder;
    const token = await cluster.tokenFor('shop', account);
    const kubeconfig = await writeKubeconfig(join(folder, `${account}.kubeconfig`), { ...cluster.access, token });
    const file = join(folder, `${account}.snapshot.gz`);
    const environment = { ...cluster.sandbox.env, NO_COLOR: '1', KUBECONFIG: kubeconfig };
    const args = ['snapshot', '-o', file, '--cluster', 'west'];
    const answer = await runFile(await builtCommand(), args, environment);
    return { ...answer, file };
  }

  function read(file: string): Snapshot {
    const found = readSnapshotFile(file);
    if (found.kind === 'refused') throw new Error(found.why);
    return found.snapshot;
  }

  it('with both roles has everything, and nothing secret', async () => {
    const roles = ['quiesce-snapshot', 'quiesce-snapshot-contents'];
    const { status, stdout, stderr, file } = await take('everything', roles);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('2 nodes, 3 pods');
    const text = gunzipSync(readFileSync(file)).toString();
    expect(text).not.toContain(secretText);
    expect(text).not.toContain('last-applied');
    expect(statSync(file).mode & 0o077).toBe(0);
    const snapshot = read(file);
    expect(snapshot).toMatchObject({ cluster: { name: 'west', uid: expect.any(String) }, unread: [] });
    expect(snapshot.cluster.serverVersion).toMatch(/^v1\./);
    expect(snapshot.nodes.map(({ name, addresses }) => [name, addresses])).toEqual([
      ['n1', ['10.0.0.1']],
      ['n2', ['10.0.0.2']],
    ]);
    expect(snapshot.nodes[0]?.allocatable.cpu).toBeGreaterThan(0);
    expect(snapshot.pods.map(({ name, owner, ready }) => [name.replace(/-.*/, ''), owner?.kind, ready])).toEqual([
      ['db', 'StatefulSet', true],
      ['web', 'ReplicaSet', true],
      ['web', 'ReplicaSet', true],
    ]);
    expect(snapshot.controllers.map(({ kind, name }) => `${kind} ${name.replace(/-.*/, '')}`)).toEqual([
      'Deployment web',
      'ReplicaSet web',
      'StatefulSet db',
    ]);
    expect(snapshot.budgets).toMatchObject([{ name: 'web', maxUnavailable: 1, status: { expectedPods: 2 } }]);
    expect(snapshot.releases).toMatchObject([{ namespace: 'shop', name: 'db', revision: 2, status: 'deployed' }]);
    const secrets = snapshot.objects.filter(({ kind, namespace: of }) => kind === 'Secret' && of === 'shop');
    expect(secrets.map(({ name, labels }) => [name, labels.team])).toEqual([
      ['password', 'shop'],
      ['sh.helm.release.v1.db.v2', undefined],
    ]);
  });

  it('with the first role has what maintenance takes, and says what it lacks', async () => {
    const { status, stderr, file } = await take('drains', ['quiesce-snapshot']);
    expect(status).toBe(0);
    expect(stderr).toMatch(/These cannot be listed, so the snapshot says nothing of them: .*v1\/Secret/);
    const snapshot = read(file);
    expect(snapshot.pods).toHaveLength(3);
    expect(snapshot.budgets).toHaveLength(1);
    expect(snapshot.unread.map(({ what }) => what)).toEqual(expect.arrayContaining(['v1/Secret', 'v1/ConfigMap']));
    expect(snapshot.objects.filter(({ kind }) => kind === 'Secret')).toEqual([]);
  });

  it('without any fails, and names the permissions', async () => {
    const { status, stderr } = await take('nobody', []);
    expect(status).toBe(1);
    expect(stderr).toMatch(/cannot be listed.*v1\/Pod/);
    expect(stderr).toContain('quiesce snapshot --rbac');
  });
});
