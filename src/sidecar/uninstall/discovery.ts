import type { KubeClient } from '../kube/client.ts';
import type { Resource } from '../kube/resource.ts';
import { isCopy, isOurResource } from './kinds.ts';
import type { Unread } from './observation.ts';

/** A kind that can be listed, in the version that the API server prefers. */
export interface ServedKind {
  readonly resource: Resource;
  readonly apiVersion: string;
  readonly kind: string;
  /** What cannot be deleted is never ours to remove, nor content of a namespace. */
  readonly deletable: boolean;
}

export interface Discovery {
  readonly kinds: readonly ServedKind[];
  readonly unserved: readonly Unread[];
}

/** As `apidiscovery.k8s.io/v2` has it, in every API server since Kubernetes 1.30. */
interface GroupList {
  readonly kind?: string;
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly {
      readonly version: string;
      readonly freshness?: string;
      readonly resources?: readonly {
        readonly resource: string;
        readonly responseKind?: { readonly kind?: string };
        readonly scope: string;
        readonly verbs?: readonly string[];
      }[];
    }[];
  }[];
}

const form = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** Two requests, whatever the number of groups. Throws Refused and NoAnswer. */
export async function discover(client: KubeClient): Promise<Discovery> {
  const [core, groups] = await Promise.all([read(client, '/api'), read(client, '/apis')]);
  const all = [...(core.items ?? []), ...(groups.items ?? [])];
  const kinds = new Map<string, ServedKind>();
  const unserved: Unread[] = [];
  for (const { metadata, versions = [] } of all) {
    const group = metadata?.name ?? '';
    for (const { version, freshness, resources = [] } of versions) {
      const apiVersion = group === '' ? version : `${group}/${version}`;
      if (freshness === 'Stale') {
        unserved.push({ what: apiVersion, status: 503, why: 'the API server behind it does not answer' });
        continue;
      }
      for (const { resource, responseKind, scope, verbs = [] } of resources) {
        const kind = responseKind?.kind ?? '';
        if (!verbs.includes('list') || kinds.has(`${group}/${kind}`)) continue;
        kinds.set(`${group}/${kind}`, {
          resource: { group, version, plural: resource, namespaced: scope === 'Namespaced' },
          apiVersion,
          kind,
          deletable: verbs.includes('delete'),
        });
      }
    }
  }
  return { kinds: [...kinds.values()], unserved };
}

async function read(client: KubeClient, path: string): Promise<GroupList> {
  const resource = { group: '', version: '', plural: 'discovery', namespaced: false };
  const list = await client.read<GroupList>({ verb: 'get', resource, path, accept: form });
  if (list.kind !== 'APIGroupDiscoveryList') throw new Error(`${path} is not told as APIGroupDiscoveryList`);
  return list;
}

export function isRemovable(kind: ServedKind): boolean {
  return kind.deletable && !isCopy(kind) && !isOurResource(kind);
}

/** Discovery that begins after it was asked for; who asks at the same time, or while another is under way, shares one. */
export function sharedDiscovery(client: KubeClient): () => Promise<Discovery> {
  let underWay: Promise<unknown> = Promise.resolve();
  let next: Promise<Discovery> | undefined;
  const begin = async () => {
    await underWay;
    next = undefined;
    const found = discover(client);
    underWay = found.catch(() => undefined);
    return found;
  };
  return () => {
    next ??= begin();
    return next;
  };
}
