import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { send } from '../support/api.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { assets, clusterTest } from '../support/cluster-test.ts';
import { apply, id, read } from '../support/objects.ts';
import { freePorts } from '../support/ports.ts';
import { waitFor } from '../support/wait.ts';
import { namespace } from '../support/workloads.ts';

clusterTest('a cluster for a test', () => {
  let cluster: Cluster;
  let startSeconds: number;

  beforeAll(async () => {
    const begun = performance.now();
    cluster = await startCluster({ assets: assets() });
    startSeconds = (performance.now() - begun) / 1000;
  });

  afterAll(() => cluster?.stop());

  it('starts in seconds', () => {
    console.info(`a clean cluster was up in ${startSeconds.toFixed(1)} s`);
    // 5 s on a machine that does nothing else; the tests beside this one take their share.
    expect(startSeconds).toBeLessThan(20);
  });

  it('is of the version that the product is made for', async () => {
    expect(JSON.parse(await cluster.kubectl('version', '-o', 'json'))).toMatchObject({
      clientVersion: { gitVersion: expect.stringMatching(/^v1\.35\./) },
      serverVersion: { gitVersion: expect.stringMatching(/^v1\.35\./), minor: '35' },
    });
  });

  it('tells what kubectl complains about', async () => {
    await expect(cluster.kubectl('get', 'pod', 'nobody')).rejects.toThrow('pods "nobody" not found');
  });

  it('lets a ServiceAccount do what its Role says and nothing else', async () => {
    await apply(cluster.access, ...reader);
    const token = await cluster.tokenFor('default', 'reader');
    const asReader = { ...cluster.access, token };
    const get = async (path: string) => (await send(asReader, { method: 'GET', path })).status;

    await waitFor('the RoleBinding to take effect', { seconds: 10 }, async () => {
      const status = await get('/api/v1/namespaces/default/configmaps');
      return status === 200 ? { met: true } : { seen: `status ${status}` };
    });
    expect(await get('/api/v1/namespaces/default/secrets')).toBe(403);
    expect(await get('/api/v1/namespaces/kube-system/configmaps')).toBe(403);
    expect(await get('/api/v1/nodes')).toBe(403);
    expect((await send({ ...cluster.access, token: 'invented' }, { method: 'GET', path: '/api' })).status).toBe(401);
  });

  it('refuses fields it does not know, with the names as sent', async () => {
    const typo = { ...namespace('strict'), spce: {} };
    await expect(apply(cluster.access, typo)).rejects.toThrow('.spce: field not declared in schema');
  });

  it('goes on after its API server was killed and started again', async () => {
    const { apiserver } = cluster.programs;
    await apply(cluster.access, namespace('before'));
    await apiserver.kill();
    await expect(send(cluster.access, { method: 'GET', path: '/readyz' })).rejects.toThrow();
    apiserver.start();
    await waitFor('the API server to be back', { seconds: 60 }, async () => {
      const { status, body } = await send(cluster.access, { method: 'GET', path: '/readyz', limitSeconds: 2 });
      return status === 200 ? { met: true } : { seen: body };
    });
    expect(await read(cluster.access, id('v1', 'Namespace', 'before'))).toBeDefined();
  });

  it('hangs while its API server is paused', async () => {
    const { apiserver } = cluster.programs;
    apiserver.pause();
    await expect(send(cluster.access, { method: 'GET', path: '/readyz', limitSeconds: 1 })).rejects.toThrow(
      'no answer to GET /readyz within 1 s',
    );
    apiserver.resume();
    expect((await send(cluster.access, { method: 'GET', path: '/readyz' })).status).toBe(200);
  });
});

clusterTest('two clusters of one test', () => {
  it('know nothing of each other and leave nothing behind', async () => {
    const [one, two] = await Promise.all(
      ['one', 'two'].map((name) => startCluster({ assets: assets(), name, scheduler: false })),
    );
    if (one === undefined || two === undefined) throw new Error('two clusters were asked for');
    await apply(one.access, namespace('only-here'));
    expect(await read(two.access, id('v1', 'Namespace', 'only-here'))).toBeUndefined();
    expect((await send({ ...two.access, token: one.access.token }, { method: 'GET', path: '/api' })).status).toBe(401);

    const begun = performance.now();
    await Promise.all([one.stop(), two.stop()]);
    console.info(`two clusters were gone in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
    for (const { sandbox, programs } of [one, two]) {
      expect(existsSync(sandbox.folder)).toBe(false);
      expect(programs.apiserver.end()).toBe('was ended by SIGKILL');
    }
  });
});

clusterTest('a port that is taken', () => {
  it('is noticed, and the cluster starts on another', async () => {
    const stranger = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    const address = stranger.address();
    const taken = typeof address === 'object' && address !== null ? address.port : 0;
    let answers = 0;
    const choosePorts = async (count: number) => {
      answers += 1;
      return answers === 1 ? [taken] : freePorts(count);
    };
    const cluster = await startCluster({ assets: assets(), scheduler: false, choosePorts });
    expect(answers).toBe(2);
    expect(cluster.access.url).not.toContain(`:${taken}`);
    await cluster.stop();
    stranger.close();
  });
});

const reader = [
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'reader', namespace: 'default' } },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'reader', namespace: 'default' },
    rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }],
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'reader', namespace: 'default' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
    subjects: [{ kind: 'ServiceAccount', name: 'reader', namespace: 'default' }],
  },
];
