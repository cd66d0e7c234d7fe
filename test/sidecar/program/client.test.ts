import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { openCache } from '../../../src/sidecar/kube/cache.ts';
import { chunks, lines } from '../../../src/sidecar/kube/chunks.ts';
import { openRecorder } from '../../../src/sidecar/kube/events.ts';
import { NoAnswer, Refused } from '../../../src/sidecar/kube/failures.ts';
import { list } from '../../../src/sidecar/kube/list.ts';
import { type ReflectState, reflect } from '../../../src/sidecar/kube/reflect.ts';
import { resources } from '../../../src/sidecar/kube/resource.ts';
import { slimName } from '../../../src/sidecar/kube/slim.ts';
import { json, type ScriptedServer, startScripted } from './scripted-server.ts';

let server: ScriptedServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

async function start(...args: Parameters<typeof startScripted>): Promise<ScriptedServer> {
  server = await startScripted(...args);
  return server;
}

const named = (name: string, version: number) => ({ metadata: { name, resourceVersion: String(version) } });
const get = { verb: 'get', resource: resources.nodes, name: 'a' } as const;
const expired = { kind: 'Status', status: 'Failure', reason: 'Expired', code: 410, message: 'too old' };

it('a refusal has its status, reason, causes and the time to wait; a 401 makes the credentials new', async () => {
  const { client, forgotten, seen } = await start((_, answer) => {
    answer.writeHead(401, { 'retry-after': '7' });
    answer.end(JSON.stringify({ reason: 'Unauthorized', message: 'no', details: { causes: [{ reason: 'X' }] } }));
  });
  const refused = await client.read(get).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Refused);
  expect(refused).toMatchObject({
    message: 'get nodes a: 401 no',
    status: 401,
    reason: 'Unauthorized',
    causes: [{ reason: 'X' }],
    retryAfterSeconds: 7,
  });
  expect(forgotten()).toBe(1);
  expect(seen).toEqual([
    { verb: 'get', resource: 'nodes', status: 401, seconds: expect.any(Number), date: expect.any(String) },
  ]);
});

it('what hangs is given up, and counts as no answer', async () => {
  const { client, seen } = await start(() => undefined, 100);
  await expect(client.read(get)).rejects.toBeInstanceOf(NoAnswer);
  await expect(client.open({ ...get, verb: 'list' })).rejects.toThrow('list nodes a: no answer within 100 ms');
  expect(seen.map(({ status }) => status)).toEqual([0, 0]);
});

it('a watch on which nothing comes any more is given up', async () => {
  const { client } = await start((_, answer) => answer.write('{"a":1}\n{"b":'));
  const answer = await client.open({ verb: 'watch', resource: resources.nodes });
  const heard: string[] = [];
  const listening = (async () => {
    for await (const line of lines(chunks(answer, 100))) heard.push(line);
  })();
  await expect(listening).rejects.toThrow('nothing for 100 ms');
  expect(heard).toEqual(['{"a":1}']);
});

it('a read whose connection breaks at its second use is sent again, a write is not', async () => {
  let uses = 0;
  const { client, asked } = await start(({ method }, answer, request) => {
    uses += 1;
    if (uses === 2 || method === 'PATCH') request.socket.resetAndDestroy();
    else json(answer, named('a', 1));
  });
  await client.read(get);
  await client.read(get);
  await expect(client.read({ ...get, verb: 'patch', body: {} })).rejects.toBeInstanceOf(NoAnswer);
  expect(asked.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET', 'PATCH']);
});

it('a list comes in pages; one that came too late begins anew in larger ones, and at last in one', async () => {
  const limits: (string | null)[] = [];
  const { client } = await start(({ url }, answer) => {
    const limit = url.searchParams.get('limit');
    limits.push(limit);
    if (url.searchParams.has('continue')) json(answer, expired, 410);
    else json(answer, { metadata: { resourceVersion: '9', ...(limit && { continue: 'x' }) }, items: [named('a', 1)] });
  });
  let items: unknown[] = [];
  const version = await list(client, resources.nodes, {
    pageSize: 10,
    onItem: (item) => items.push(item),
    onRestart: () => {
      items = [];
    },
  });
  expect({ version, items, limits }).toEqual({
    version: '9',
    items: [named('a', 1)],
    limits: ['10', '10', '40', '40', null],
  });
});

it('a list that breaks off is no list', async () => {
  const { client } = await start((_, answer) => {
    answer.writeHead(200);
    answer.write('{"metadata":{"resourceVersion":"9"},"items":[{"metadata":{"name":"a"}},');
    setTimeout(() => answer.destroy(), 20);
  });
  await expect(list(client, resources.nodes, { pageSize: 10, onItem: () => undefined })).rejects.toBeInstanceOf(
    NoAnswer,
  );
});

it('a cache follows lists and watches: from the last bookmark, anew when too old, and never back in time', async () => {
  let lists = 0;
  const { client, asked } = await start(({ url }, answer) => {
    if (!url.searchParams.has('watch')) {
      lists += 1;
      const items = lists === 1 ? [named('old', 1), named('kept', 2)] : [named('kept', 50), named('new', 51)];
      return json(answer, { metadata: { resourceVersion: lists === 1 ? '10' : '60' }, items });
    }
    const tell = (type: string, object: object) => answer.write(`${JSON.stringify({ type, object })}\n`);
    switch (url.searchParams.get('resourceVersion')) {
      case '10':
        tell('ADDED', named('added', 11));
        tell('MODIFIED', named('kept', 1));
        tell('DELETED', named('added', 12));
        tell('BOOKMARK', named('', 20));
        return answer.end();
      case '20':
        tell('ERROR', expired);
        return answer.end();
      default:
        return answer.flushHeaders();
    }
  });
  const stop = new AbortController();
  const states: ReflectState[] = [];
  const changes: string[] = [];
  const cache = openCache({
    project: slimName,
    onChange: ({ before, after }) => changes.push(`${before?.name ?? ''}>${after?.name ?? ''}`),
  });
  const running = reflect({
    client,
    resource: resources.nodes,
    cache,
    pageSize: 10,
    random: () => 0,
    signal: stop.signal,
    onState: (state) => states.push(state),
  });
  for (let tries = 0; tries < 100 && asked.length < 5; tries += 1) await sleep(50);
  await sleep(50);
  stop.abort();
  await running;
  expect(asked.map(({ url }) => url.searchParams.get('resourceVersion') ?? 'list')).toEqual([
    'list',
    '10',
    '20',
    'list',
    '60',
  ]);
  expect([...cache.values()]).toEqual([
    { name: 'kept', version: 50 },
    { name: 'new', version: 51 },
  ]);
  expect(changes).toEqual(['>old', '>kept', '>added', 'added>', '>new', 'old>']);
  expect(states.map(({ kind }) => kind)).toEqual(['live', 'live', 'live']);
});

it('an API server that refuses every watch as too old is not listed in a flood', async () => {
  const { client, asked } = await start(({ url }, answer) => {
    if (url.searchParams.has('watch')) return json(answer, expired, 410);
    json(answer, { kind: 'NodeList', metadata: { resourceVersion: '7' }, items: [] });
  });
  const ending = new AbortController();
  const running = reflect({
    client,
    resource: resources.nodes,
    cache: openCache({ project: slimName }),
    pageSize: 10,
    random: () => 1,
    signal: ending.signal,
    onState: () => undefined,
  });
  await sleep(1000);
  ending.abort();
  await running;
  expect(asked.length).toBeGreaterThan(3);
  expect(asked.length).toBeLessThan(10);
});

it('an event that is noted again is counted, not written again', async () => {
  const { client, asked } = await start((_, answer) => json(answer, {}, 201));
  const outcomes: string[] = [];
  const recorder = openRecorder({
    client,
    controller: 'quiesce.dev/sidecar',
    instance: 'one',
    onOutcome: (outcome) => outcomes.push(outcome),
  });
  const note = {
    type: 'Warning',
    reason: 'DrainBlocked',
    action: 'Drain',
    regarding: { apiVersion: 'v1', kind: 'Node', name: 'worker-1', uid: 'u' },
    note: 'x'.repeat(2000),
  } as const;
  for (let count = 0; count < 5; count += 1) recorder.note(note);
  recorder.note({ ...note, reason: 'Other' });
  await recorder.flush();
  recorder.stop();
  expect(outcomes.filter((outcome) => outcome === 'repeated')).toHaveLength(4);
  expect(asked.map(({ method, url }) => `${method} ${url.pathname.replace(/\.[0-9a-f]{16}$/, '')}`)).toEqual([
    'POST /apis/events.k8s.io/v1/namespaces/default/events',
    'POST /apis/events.k8s.io/v1/namespaces/default/events',
    'PATCH /apis/events.k8s.io/v1/namespaces/default/events/worker-1',
  ]);
  expect(JSON.parse(asked[0]?.body ?? '')).toMatchObject({
    eventTime: expect.stringMatching(/\.\d{6}Z$/),
    reportingController: 'quiesce.dev/sidecar',
    note: expect.stringMatching(/^x{1023}…$/),
  });
  expect(JSON.parse(asked[2]?.body ?? '')).toMatchObject({ series: { count: 5 } });
});
