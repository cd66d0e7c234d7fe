import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { serveHealth } from '../../../src/sidecar/health.ts';
import { openMetrics } from '../../../src/sidecar/metrics.ts';

const documentation = readFileSync(new URL('../../../docs/metrics.md', import.meta.url), 'utf8');

it('every metric is documented with its type, and nothing else is', async () => {
  const shown = await openMetrics('atlas').text();
  const types = [...shown.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => `${name} ${type}`).sort();
  const documented = [...documentation.matchAll(/^\| `(\w+)` \| (\w+) \|/gm)].map(
    ([, name, type]) => `${name} ${type}`,
  );
  expect(documented.sort()).toEqual(types);
  for (const name of documentation.matchAll(/quiesce_\w+/g)) expect(types.join()).toContain(name[0]);
});

it('health is said with its reasons; metrics may have an address of their own', async () => {
  let complaints: readonly string[] = ['pods: not read yet', 'nodes: 403'];
  const servers = await serveHealth({
    listen: { host: '127.0.0.1', port: 0 },
    metricsListen: { host: '127.0.0.1', port: 0 },
    alive: () => [],
    ready: () => complaints,
    metrics: async () => ({ contentType: 'text/plain', text: 'quiesce_leader 1\n' }),
  });
  const get = async (port: number | undefined, path: string, method = 'GET') => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method });
    return [answer.status, await answer.text()];
  };
  const [health, metrics] = servers.ports;
  expect(await get(health, '/readyz')).toEqual([503, 'pods: not read yet\nnodes: 403\n']);
  complaints = [];
  expect(await get(health, '/readyz?verbose')).toEqual([200, 'ok\n']);
  expect(await get(health, '/healthz')).toEqual([200, 'ok\n']);
  expect(await get(health, '/metrics')).toEqual([404, '']);
  expect(await get(metrics, '/metrics')).toEqual([200, 'quiesce_leader 1\n']);
  expect(await get(health, '/healthz', 'POST')).toEqual([405, '']);
  const again = serveHealth({
    listen: { host: '127.0.0.1', port: health ?? 0 },
    alive: () => [],
    ready: () => [],
    metrics: async () => ({ contentType: '', text: '' }),
  });
  await expect(again).rejects.toThrow(/^cannot listen on 127\.0\.0\.1:\d+: .*EADDRINUSE/);
  await servers.close();
});
