import type { KubeClient } from './kube/client.ts';
import { resources } from './kube/resource.ts';
import type { SlimPod } from './kube/slim-pod.ts';

export interface EtcdLeader {
  /** What is known; asks for what is not known, or not for sure any more, and `onRead` tells when there is an answer. */
  look(members: readonly SlimPod[]): Leadership;
}

export interface Leadership {
  /** UID of the one member that said it leads. */
  readonly leader?: string;
  /** Somebody is being asked: whoever acts on it waits for the answer. */
  readonly isAsked: boolean;
}

/** Leadership may change at any time, so who acts on it wants it fresh; to be shown, it is good for longer. */
const freshMs = 20_000;
const shownMs = 180_000;

interface Known {
  /** Undefined: it could not be asked, or does not say. */
  readonly leads: boolean | undefined;
  readonly at: number;
}

/**
 * Which member leads is in its metrics (`etcd_server_is_leader`) and nowhere in Kubernetes. They are read through the
 * API server, by way of the Pod's proxy. Where etcd serves them to its own machine only, as kubeadm sets it up, nobody
 * can tell from here, and it is not guessed.
 */
export function openEtcdLeader(client: KubeClient, onRead: () => void): EtcdLeader {
  const known = new Map<string, Known>();
  const reading = new Set<string>();

  const read = async (pod: SlimPod) => {
    reading.add(pod.uid);
    const leads = await askMember(client, pod).catch(() => undefined);
    known.set(pod.uid, { leads, at: performance.now() });
    reading.delete(pod.uid);
    onRead();
  };
  return {
    look: (members) => {
      const now = performance.now();
      for (const pod of members) {
        const at = known.get(pod.uid)?.at ?? Number.NEGATIVE_INFINITY;
        if (now - at > freshMs && !reading.has(pod.uid)) void read(pod);
      }
      const leading = members.filter(({ uid }) => {
        const found = known.get(uid);
        return found?.leads === true && now - found.at < shownMs;
      });
      // Two that both say so: one of them does not know better yet.
      const [leader] = leading.length === 1 ? leading : [];
      return { ...(leader !== undefined && { leader: leader.uid }), isAsked: reading.size > 0 };
    },
  };
}

interface RawPod {
  readonly spec: {
    readonly containers: readonly { readonly command?: readonly string[]; readonly args?: readonly string[] }[];
  };
}

async function askMember(client: KubeClient, { namespace, name }: SlimPod): Promise<boolean | undefined> {
  const pod = await client.read<RawPod>({ verb: 'get', resource: resources.pods, namespace, name });
  const served = metricsServedAt(pod);
  if (served === undefined) return undefined;
  const { status, text } = await client.send({
    verb: 'get',
    resource: resources.pods,
    namespace,
    name: `${served.scheme}:${name}:${served.port}`,
    subresource: 'proxy/metrics',
  });
  const [, said] = /^etcd_server_is_leader (\d)/m.exec(text) ?? [];
  return status === 200 && said !== undefined ? said === '1' : undefined;
}

/** The first of `--listen-metrics-urls` that others than its own machine can reach. */
function metricsServedAt({ spec }: RawPod): { readonly scheme: string; readonly port: string } | undefined {
  const words = spec.containers.flatMap(({ command = [], args = [] }) => [...command, ...args]);
  const flag = words.find((word) => word.startsWith('--listen-metrics-urls='));
  for (const url of (flag ?? '').replace(/^[^=]*=?/, '').split(',')) {
    const [, scheme, host, port] = /^(https?):\/\/(.+):(\d+)\/?$/.exec(url) ?? [];
    const isLocal = host === undefined || /^(127\.|localhost$|\[::1\])/.test(host);
    if (scheme !== undefined && port !== undefined && !isLocal) return { scheme, port };
  }
  return undefined;
}
