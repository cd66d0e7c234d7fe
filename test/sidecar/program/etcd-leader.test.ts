import { afterEach, expect, it } from 'vitest';
import { type Leadership, openEtcdLeader } from '../../../src/sidecar/etcd-leader.ts';
import { openPool } from '../../../src/sidecar/kube/intern.ts';
import { type SlimPod, slimPod } from '../../../src/sidecar/kube/slim-pod.ts';
import { json, type ScriptedServer, startScripted } from './scripted-server.ts';

let server: ScriptedServer | undefined;
afterEach(() => server?.stop());

const member = (name: string): SlimPod => {
  const metadata = { name, namespace: 'kube-system', uid: `uid-${name}`, resourceVersion: '1', creationTimestamp: '' };
  return slimPod({ metadata, spec: { nodeName: name } } as never, openPool()) as SlimPod;
};
const members = ['a', 'b', 'c'].map(member);

interface Says {
  readonly metricsUrls?: string;
  /** `undefined`: its metrics do not tell. */
  readonly leads: Readonly<Record<string, boolean | undefined>>;
}

async function ask({ metricsUrls = 'http://0.0.0.0:2381', leads }: Says): Promise<Leadership> {
  server = await startScripted(({ url }, answer) => {
    const [, name = '', proxied] =
      /pods\/(?:https?:)?(\w+)(:\d+\/proxy\/metrics)?$/.exec(decodeURIComponent(url.pathname)) ?? [];
    const command = ['etcd', `--listen-metrics-urls=${metricsUrls}`];
    if (proxied === undefined) json(answer, { spec: { containers: [{ command }] } });
    else if (leads[name] === undefined) answer.writeHead(503).end('no');
    else answer.writeHead(200).end(`# HELP x\netcd_server_is_leader ${leads[name] ? 1 : 0}\n`);
  });
  let left = members.length;
  let isRead = () => {};
  const read = new Promise<void>((resolve) => {
    isRead = resolve;
  });
  const leader = openEtcdLeader(server.client, () => {
    left -= 1;
    if (left === 0) isRead();
  });
  expect(leader.look(members)).toEqual({ isAsked: true });
  await read;
  return leader.look(members);
}

const proxied = () =>
  (server?.asked ?? []).map(({ url }) => decodeURIComponent(url.pathname)).filter((path) => path.includes('proxy'));

it('the member that says it leads is the leader, also when another one cannot be asked', async () => {
  expect(await ask({ leads: { a: false, b: true, c: undefined } })).toEqual({ leader: 'uid-b', isAsked: false });
  expect(proxied().sort()).toEqual(
    ['a', 'b', 'c'].map((name) => `/api/v1/namespaces/kube-system/pods/http:${name}:2381/proxy/metrics`),
  );
});

it('nobody leads, as far as can be told, when none says so, or two do', async () => {
  expect(await ask({ leads: { a: false, b: undefined, c: false } })).toEqual({ isAsked: false });
  await server?.stop();
  expect(await ask({ leads: { a: true, b: true, c: false } })).toEqual({ isAsked: false });
});

it.each(['http://127.0.0.1:2381', 'http://localhost:2381,http://[::1]:2382', ''])(
  'metrics that are served to their own machine only (%s) are not asked for',
  async (metricsUrls) => {
    expect(await ask({ metricsUrls, leads: { a: true } })).toEqual({ isAsked: false });
    expect(proxied()).toEqual([]);
  },
);

it('of several addresses the one that others reach is taken, with its scheme', async () => {
  await ask({ metricsUrls: 'http://127.0.0.1:2381,https://10.0.0.1:2390', leads: { a: true, b: false, c: false } });
  expect(proxied()).toContain('/api/v1/namespaces/kube-system/pods/https:a:2390/proxy/metrics');
});

it('an answer is good for a while: nobody is asked again at once', async () => {
  await ask({ leads: { a: true, b: false, c: false } });
  expect(proxied()).toHaveLength(3);
});
