import { isDeepStrictEqual } from 'node:util';
import type { Access } from '../../support/access.ts';
import { type KubeObject, list, nameOf } from '../../support/objects.ts';
import { waitFor } from '../../support/wait.ts';

type Kind = readonly [apiVersion: string, kind: string];

/** Objects of some kinds on one cluster, by name. */
export type Snapshot = ReadonlyMap<string, KubeObject>;

/** The kinds of these objects, and the volumes that some of them make. */
export function kindsOf(objects: readonly KubeObject[]): readonly Kind[] {
  const kinds = new Map<string, Kind>([['v1 PersistentVolumeClaim', ['v1', 'PersistentVolumeClaim']]]);
  for (const { apiVersion, kind } of objects) kinds.set(`${apiVersion} ${kind}`, [apiVersion, kind]);
  return [...kinds.values()];
}

export async function takeSnapshot(access: Access, kinds: readonly Kind[]): Promise<Snapshot> {
  const lists = await Promise.all(
    kinds.map(async ([apiVersion, kind]) => {
      // A kind that was defined a moment ago is not listed yet.
      const items = await waitFor(`a list of ${kind}`, { seconds: 30, everyMs: 300 }, async () => ({
        met: await list(access, [apiVersion, kind]),
      }));
      return items.map((item) => ({ ...item, apiVersion, kind }));
    }),
  );
  return new Map(
    lists
      .flat()
      .filter(isOurs)
      .map((object) => [nameOf(object), object]),
  );
}

/** Not an applier's own, nor what Kubernetes puts into every namespace. */
function isOurs({ kind, metadata: { name, namespace = '' } }: KubeObject): boolean {
  const isOfEveryNamespace = ['ConfigMap kube-root-ca.crt', 'ServiceAccount default'].includes(`${kind} ${name}`);
  return !isOfEveryNamespace && !/^(?:argocd|flux-system|kube-.*)$/.test(namespace);
}

/** `+`, `~` and `-` with a name: what was made, what has another content than before, and what is gone. */
export function changesBetween(before: Snapshot, after: Snapshot): readonly string[] {
  return compare(before, after, contentOf);
}

/** The same, but also who wrote an object and when: a write that changes nothing is a change here. */
export function writesBetween(before: Snapshot, after: Snapshot): readonly string[] {
  return compare(before, after, writesOf);
}

function compare(before: Snapshot, after: Snapshot, aspect: (object: KubeObject) => unknown): readonly string[] {
  const gone = [...before.keys()].filter((name) => !after.has(name)).map((name) => `- ${name}`);
  const there = [...after].flatMap(([name, object]) => {
    const earlier = before.get(name);
    if (earlier === undefined) return [`+ ${name}`];
    return isDeepStrictEqual(aspect(earlier), aspect(object)) ? [] : [`~ ${name}`];
  });
  return [...gone, ...there].sort(byName);
}

function byName(a: string, b: string): number {
  return a.slice(2) < b.slice(2) ? -1 : 1;
}

/** Everything that somebody asked for, and the identity; nothing that was observed. */
function contentOf({ status, metadata, ...rest }: KubeObject): unknown {
  const { resourceVersion, generation, managedFields, ...lasting } = metadata as WithWrites;
  return { ...rest, metadata: lasting };
}

function writesOf(object: KubeObject): unknown {
  const { managedFields = [] } = object.metadata as WithWrites;
  const writes = managedFields.filter(({ subresource }) => subresource !== 'status');
  return writes.map(({ manager, operation, time }) => [manager, operation, time]);
}

type WithWrites = KubeObject['metadata'] & {
  readonly managedFields?: readonly {
    readonly manager: string;
    readonly operation: string;
    readonly time: string;
    readonly subresource?: string;
  }[];
};

/** Whose loss would lose data or orphan work, and that are gone or replaced by others of the same name. */
export function lostIn(before: Snapshot, after: Snapshot): readonly string[] {
  return [...before].flatMap(([name, object]) => {
    if (!holdsData(object)) return [];
    const now = after.get(name);
    if (now === undefined || now.metadata.deletionTimestamp !== undefined) return [`${name} is gone`];
    return now.metadata.uid === object.metadata.uid ? [] : [`${name} is another one`];
  });
}

/**
 * By kind; and the control plane as a Deployment, the configuration of a virtual cluster, and what it acts as. Nothing of
 * Quiesce's own programs: what they know is in git.
 */
function holdsData({ kind, metadata }: KubeObject): boolean {
  if (metadata.namespace === 'quiesce-system') return false;
  const isOfClaim = metadata.labels?.app === 'vcluster';
  return holding.includes(kind) || (isOfClaim && ['Deployment', 'Secret', 'ServiceAccount', 'Role'].includes(kind));
}

const holding: readonly string[] = [
  ...['CustomResourceDefinition', 'Namespace', 'Node', 'PersistentVolume', 'PersistentVolumeClaim', 'Service'],
  ...['StatefulSet', 'VClusterClaim', 'Installation'],
];
