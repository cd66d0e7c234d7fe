import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Access } from '../../support/access.ts';
import { makeReady, makeSilent } from '../../support/nodes.ts';
import { apply, type KubeObject, list, patch } from '../../support/objects.ts';
import { waitUntilUp } from '../../support/workload-waits.ts';
import { pod } from '../../support/workloads.ts';

export interface PowerJob extends KubeObject {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly { readonly env: readonly { readonly name: string; readonly value: string }[] }[];
        readonly affinity: unknown;
      };
    };
  };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

export async function powerJobs(access: Access): Promise<readonly PowerJob[]> {
  const where = { namespace: 'quiesce-system', labelSelector: 'quiesce.dev/power-hook' };
  return list<PowerJob>(access, ['batch/v1', 'Job'], where);
}

export function environmentOf({ spec }: PowerJob): Readonly<Record<string, string>> {
  const [container] = spec.template.spec.containers;
  return Object.fromEntries((container?.env ?? []).map(({ name, value }) => [name, value]));
}

/** What a hook does to a machine: when its Job is complete, the node is gone, or back. */
export function playHooks(access: Access) {
  const turned: string[] = [];
  const done = new Set<string>();
  let isOver = false;
  const round = async () => {
    for (const job of await powerJobs(access)) {
      const isComplete = job.status?.conditions?.some(({ type, status }) => type === 'Complete' && status === 'True');
      const { uid = '' } = job.metadata;
      if (!isComplete || done.has(uid)) continue;
      done.add(uid);
      const { QUIESCE_NODE: node = '', QUIESCE_POWER: power = '' } = environmentOf(job);
      turned.push(`${power} ${node}`);
      await turn(access, node, power);
    }
  };
  const work = async () => {
    while (!isOver) {
      await round();
      await sleep(100);
    }
  };
  const working = work();
  return {
    turned: () => turned,
    stop: async () => {
      isOver = true;
      await working;
    },
  };
}

export async function turn(access: Access, node: string, power: string): Promise<void> {
  await (power === 'off' ? makeSilent(access, node) : makeReady(access, node));
}

/** An address of this machine that the API server is willing to reach a Pod at: not its own loopback. */
export function reachableAddress(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
}

/**
 * A static Pod of etcd as its kubelet shows it. With an address it serves what etcd says of its leadership; without one
 * its metrics are for its own machine only, as kubeadm sets it up.
 */
export async function addEtcdMember(access: Access, node: string, leads: boolean, address?: string): Promise<void> {
  const port = address === undefined ? 2381 : await serveLeadership(leads);
  const url = `http://${address === undefined ? '127.0.0.1' : '0.0.0.0'}:${port}`;
  const member = pod({
    name: `etcd-${node}`,
    namespace: 'kube-system',
    pod: {
      labels: { component: 'etcd' },
      annotations: { 'kubernetes.io/config.mirror': 'static' },
      spec: {
        nodeName: node,
        // As the kubelet gives it to every static Pod.
        tolerations: [{ operator: 'Exists', effect: 'NoExecute' }],
        containers: [
          {
            name: 'etcd',
            image: 'example.invalid/etcd:3',
            command: ['etcd', `--name=${node}`, `--listen-metrics-urls=${url}`],
          },
        ],
      },
    },
  });
  await apply(access, member);
  await waitUntilUp(access, member);
  if (address === undefined) return;
  await patch(access, member, { status: { podIP: address, podIPs: [{ ip: address }] } }, 'status');
}

async function serveLeadership(leads: boolean): Promise<number> {
  const text = `# TYPE etcd_server_is_leader gauge\netcd_server_has_leader 1\netcd_server_is_leader ${leads ? 1 : 0}\n`;
  const server = createServer((asked, answer) => answer.writeHead(asked.url === '/metrics' ? 200 : 404).end(text));
  server.listen(0).unref();
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
