import { createHash } from 'node:crypto';
import type { DeletedObject, UninstallRehearsal } from '../../../src/rehearsal/rehearsal.ts';
import type { Snapshot, SnapshotKind, SnapshotPod } from '../../../src/rehearsal/snapshot.ts';
import { rehearseRemovals, type Wanted } from '../../../src/rehearsal/uninstall/removals.ts';
import type { SeenObject } from '../../../src/sidecar/uninstall/observation.ts';
import { installation } from '../../sidecar/installations/installed.ts';
import { now } from '../../sidecar/uninstall/seen.ts';

/** A snapshot in which everything can be listed and deleted. */
export function snapshot(parts: Partial<Snapshot> = {}): Snapshot {
  const { objects = [], pods = [] } = parts;
  return {
    version: 1,
    takenBy: '0.0.0',
    takenAt: now,
    tookMs: 0,
    cluster: { name: 'main' },
    nodes: [],
    controllers: [],
    budgets: [],
    priorityClasses: {},
    csiDrivers: [],
    volumes: [],
    namespaces: [],
    kinds: kindsOf([...objects, ...pods.map(() => ({ apiVersion: 'v1', kind: 'Pod', namespace: 'any' }))]),
    unserved: [],
    releases: [],
    claims: [],
    installations: [],
    claimWorkloads: [],
    unread: [],
    ...parts,
    objects,
    pods,
  };
}

function kindsOf(objects: readonly Pick<SeenObject, 'apiVersion' | 'kind' | 'namespace'>[]): SnapshotKind[] {
  const kinds = objects.map(({ apiVersion, kind, namespace }): SnapshotKind => {
    const plural = `${kind.toLowerCase()}s`;
    return { apiVersion, kind, plural, namespaced: namespace !== undefined, deletable: true };
  });
  return [...new Map(kinds.map((kind) => [`${kind.apiVersion} ${kind.kind}`, kind])).values()];
}

export function pod(name: string, parts: Partial<SnapshotPod> = {}): SnapshotPod {
  return {
    namespace: 'shop',
    name,
    uid: `Pod shop/${name}`,
    node: 'worker-1',
    createdAt: now - 3_600_000,
    labels: {},
    phase: 'Running',
    ready: true,
    mirror: false,
    graceSeconds: 30,
    finalizers: [],
    tolerations: [],
    claims: [],
    registersPlugins: false,
    placement: { requests: {} },
    ...parts,
  };
}

/** What comes of deleting the installation that `installation()` is, where these objects are. */
export function deleting(
  parts: Partial<Snapshot>,
  differs: Parameters<typeof installation>[0] = {},
): UninstallRehearsal {
  const existing = installation({ ...differs, state: 'Installed' });
  const { spec } = installation({ ...differs, state: 'Deleted' });
  const [only] = rehearsed({ ...parts, installations: [existing] }, { installations: [{ name: existing.name, spec }] });
  if (only === undefined) throw new Error('nothing is uninstalled');
  return only;
}

export function rehearsed(parts: Partial<Snapshot>, wanted: Partial<Wanted>): readonly UninstallRehearsal[] {
  return rehearseRemovals(snapshot(parts), { claims: [], installations: [], ...wanted }, hash).uninstalls;
}

export const hash = (text: string) => createHash('sha256').update(text).digest('hex');

export function names(objects: readonly Pick<DeletedObject, 'kind' | 'name'>[]): string[] {
  return objects.map(({ kind, name }) => `${kind} ${name}`);
}
