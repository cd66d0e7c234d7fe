import { CoreV1Api, Watch } from '@kubernetes/client-node';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ApiRefusal, send } from '../support/api.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { assets, clusterTest } from '../support/cluster-test.ts';
import { type FaultProxy, type InjectedFault, startFaultProxy } from '../support/faults.ts';
import { apply, id, type KubeObject, read, remove } from '../support/objects.ts';
import { waitFor } from '../support/wait.ts';

clusterTest('faults between a client and the API server', () => {
  let cluster: Cluster;
  let proxy: FaultProxy;

  beforeAll(async () => {
    cluster = await startCluster({ assets: assets(), scheduler: false });
    proxy = await startFaultProxy(cluster);
  });

  afterAll(() => cluster?.stop());

  beforeEach(() => remove(cluster.access, id('v1', 'ConfigMap', 'probe', 'default')));

  const configMap: KubeObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'probe', namespace: 'default' },
  };
  const configMaps = '/api/v1/namespaces/default/configmaps';
  const get = (path: string, limitSeconds = 10) => send(proxy.access, { method: 'GET', path, limitSeconds });
  const during = async <T>(fault: InjectedFault, act: () => Promise<T>): Promise<T> => {
    try {
      return await act();
    } finally {
      fault.remove();
    }
  };

  it('nothing is changed where no fault matches', async () => {
    await apply(proxy.access, configMap);
    expect(await read(proxy.access, configMap)).toEqual(await read(cluster.access, configMap));
    const { items } = await proxy.client.makeApiClient(CoreV1Api).listNamespace();
    expect(items.map(({ metadata }) => metadata?.name)).toContain('kube-system');
    expect(await cluster.kubectl(`--kubeconfig=${proxy.kubeconfig}`, 'get', 'configmap', 'probe', '-o', 'name')).toBe(
      'configmap/probe\n',
    );
    expect(proxy.requests.some(({ method, userAgent }) => method === 'GET' && userAgent.startsWith('kubectl/'))).toBe(
      true,
    );
  });

  it('an answer is given as often as told, and only to what matches', async () => {
    const fault = proxy.inject({ effect: 'answer', status: 500, method: 'GET', path: /configmaps/, times: 2 });
    expect((await get('/api/v1/namespaces')).status).toBe(200);
    expect((await get(configMaps)).status).toBe(500);
    expect((await get(configMaps)).status).toBe(500);
    expect((await get(configMaps)).status).toBe(200);
    expect(fault.hits()).toBe(2);
  });

  it('too many requests come with the time to wait, and as the API server puts it', async () => {
    const fault = proxy.inject({ effect: 'answer', status: 429, retryAfterSeconds: 7, method: 'PATCH' });
    const refusal = await during(fault, () => apply(proxy.access, configMap).catch((error: unknown) => error));
    expect(refusal).toBeInstanceOf(ApiRefusal);
    expect(refusal).toMatchObject({ status: 429, answer: { kind: 'Status', reason: 'TooManyRequests', code: 429 } });
    expect(await read(cluster.access, configMap)).toBeUndefined();
    const headers = (
      await during(proxy.inject({ effect: 'answer', status: 429, retryAfterSeconds: 7 }), () => get(configMaps))
    ).headers;
    expect(headers['retry-after']).toBe('7');
  });

  it('a request that is cut never arrives; one whose answer is lost does', async () => {
    await during(proxy.inject({ effect: 'cut', method: 'PATCH' }), () =>
      expect(apply(proxy.access, configMap)).rejects.toThrow(),
    );
    expect(await read(cluster.access, configMap)).toBeUndefined();
    await during(proxy.inject({ effect: 'lose-answer', method: 'PATCH' }), () =>
      expect(apply(proxy.access, configMap)).rejects.toThrow(),
    );
    expect(await read(cluster.access, configMap)).toBeDefined();
  });

  it('a delay passes, a hang does not', async () => {
    const begun = performance.now();
    await during(proxy.inject({ effect: 'delay', ms: 700 }), () => get(configMaps));
    expect(performance.now() - begun).toBeGreaterThan(690);
    await during(proxy.inject({ effect: 'hang' }), () => expect(get(configMaps, 1)).rejects.toThrow(/^no answer/));
  });

  it('a watch goes on through the proxy, is dropped without a word, and is told that it is too old', async () => {
    const seen: string[] = [];
    const watch = async (): Promise<() => unknown> => {
      let ended: unknown;
      let isOver = false;
      const note = (type: string, object: KubeObject & { code?: number }) =>
        seen.push(`${type} ${object.metadata?.name ?? object.code}`);
      await new Watch(proxy.client).watch(
        configMaps,
        { fieldSelector: 'metadata.name=probe' },
        note,
        (error: unknown) => {
          isOver = true;
          ended = error;
        },
      );
      return () => (isOver ? { ended } : undefined);
    };
    const until = (what: string, isSo: () => boolean) =>
      waitFor(what, { seconds: 10 }, () => (isSo() ? { met: true } : { seen: seen.join(', ') || 'no events' }));

    const end = await watch();
    await apply(cluster.access, configMap);
    await until('the event', () => seen.includes('ADDED probe'));
    expect(proxy.dropWatches()).toBe(1);
    await until('the end of the watch', () => end() !== undefined);
    expect(proxy.dropWatches()).toBe(0);

    const expired = await during(proxy.inject({ effect: 'expire-watch', path: /watch=true/ }), watch);
    await until('the end of the expired watch', () => expired() !== undefined);
    expect(seen.at(-1)).toBe('ERROR 410');
  });

  it('what the API server breaks off is broken off for the client', async () => {
    const { apiserver } = cluster.programs;
    await apiserver.kill();
    await expect(get(configMaps)).rejects.toThrow();
    apiserver.start();
    await waitFor('the API server to be back', { seconds: 60 }, async () => {
      const { status, body } = await get('/readyz', 2);
      return status === 200 ? { met: true } : { seen: body };
    });
  });
});
