import type { KubeClient } from './client.ts';
import { Refused } from './failures.ts';
import { type Resource, resources } from './resource.ts';
import type { SlimOwner } from './slim-pod.ts';

/** The controller of a Pod, as far as it is read here. */
export interface ReadOwner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly replicas?: number;
  /** The Pod names it, and it is not there. */
  readonly missing?: boolean;
}

export interface Owners {
  /** What is known of it; asks for what is not known yet, and `onRead` tells when the answer is there. */
  look(namespace: string, owner: SlimOwner): ReadOwner | undefined;
}

const kinds: Readonly<Record<string, Resource>> = {
  'apps/ReplicaSet': resources.replicaSets,
  'apps/StatefulSet': resources.statefulSets,
  'apps/DaemonSet': resources.daemonSets,
  'batch/Job': resources.jobs,
};

/** Read one by one when somebody asks: a cluster has many times more old ReplicaSets than a drain ever looks at. */
const freshMs = 60_000;
const mostAtOnce = 5;
const mostKnown = 5000;

interface Known {
  readonly owner: ReadOwner | undefined;
  readonly at: number;
}

interface ScaledObject {
  readonly metadata: { readonly uid: string };
  readonly spec?: { readonly replicas?: number };
}

export function openOwners(client: KubeClient, onRead: () => void): Owners {
  const known = new Map<string, Known>();
  let reading = 0;

  const read = async (resource: Resource, namespace: string, owner: SlimOwner) => {
    reading += 1;
    const found = await readOwner(client, resource, { namespace, owner }).catch(() => undefined);
    if (known.size >= mostKnown) known.clear();
    known.set(owner.uid, { owner: found, at: performance.now() });
    reading -= 1;
    onRead();
  };
  return {
    look: (namespace, owner) => {
      const found = known.get(owner.uid);
      const resource = kinds[`${owner.apiVersion.replace(/\/.*/, '')}/${owner.kind}`];
      const isFresh = found !== undefined && performance.now() - found.at < freshMs;
      if (resource !== undefined && !isFresh && reading < mostAtOnce) {
        // Marked first, so that it is asked for once.
        known.set(owner.uid, { owner: found?.owner, at: performance.now() });
        void read(resource, namespace, owner);
      }
      return found?.owner;
    },
  };
}

async function readOwner(
  client: KubeClient,
  resource: Resource,
  { namespace, owner }: { readonly namespace: string; readonly owner: SlimOwner },
): Promise<ReadOwner> {
  const { apiVersion, kind, name, uid } = owner;
  const identity = { apiVersion, kind, namespace, name, uid };
  try {
    const { metadata, spec } = await client.read<ScaledObject>({ verb: 'get', resource, namespace, name });
    if (metadata.uid !== uid) return { ...identity, missing: true };
    return { ...identity, ...(spec?.replicas !== undefined && { replicas: spec.replicas }) };
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return { ...identity, missing: true };
    throw error;
  }
}
