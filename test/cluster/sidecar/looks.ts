import { nodeAnnotations } from '../../../src/sidecar/maintenance/record.ts';
import type { BlockStatus, NodeStatus } from '../../../src/sidecar/maintenance/status.ts';
import type { Access } from '../../support/access.ts';
import type { NodeObject } from '../../support/nodes.ts';
import { id, type KubeObject, list, read } from '../../support/objects.ts';
import { waitFor } from '../../support/wait.ts';
import type { AuditLine } from './audit.ts';
import { sidecarUser } from './audit.ts';

export const maintenanceKey = 'baremetal.cluster.gke.io/maintenance';

export interface BlockObject extends KubeObject {
  readonly status?: BlockStatus;
}

export async function blockOf(access: Access, name = 'main'): Promise<BlockObject | undefined> {
  return read<BlockObject>(access, id('quiesce.dev/v1alpha1', 'MaintenanceBlock', name));
}

export async function nodeNamed(access: Access, name: string): Promise<NodeObject> {
  const node = await read<NodeObject>(access, id('v1', 'Node', name));
  if (node === undefined) throw new Error(`there is no node ${name}`);
  return node;
}

/** As `key:effect`, in order. */
export async function taintsOf(access: Access, name: string): Promise<string[]> {
  return ((await nodeNamed(access, name)).spec?.taints ?? []).map(({ key, effect }) => `${key}:${effect}`);
}

/** Annotations of ours that a node still has. */
export async function notesOn(access: Access, name: string): Promise<string[]> {
  const { metadata } = await nodeNamed(access, name);
  const ours: readonly string[] = Object.values(nodeAnnotations);
  return Object.keys(metadata.annotations ?? {}).filter((key) => ours.includes(key));
}

export async function waitForPhase(
  access: Access,
  node: string,
  phase: NodeStatus['phase'] | 'gone',
  seconds = 40,
): Promise<NodeStatus | undefined> {
  return waitFor(`node ${node} to be ${phase}`, { seconds }, async () => {
    const nodes = (await blockOf(access))?.status?.nodes ?? [];
    const found = nodes.find((each) => each.node === node);
    return (found?.phase ?? 'gone') === phase ? { met: found } : { seen: JSON.stringify(nodes) };
  });
}

export async function podsOn(access: Access, node: string): Promise<string[]> {
  const pods = await list(access, ['v1', 'Pod'], { fieldSelector: `spec.nodeName=${node}` });
  return pods.map(({ metadata }) => metadata.name).sort();
}

/** An eviction as it was asked for, in the order of arrival. */
export function evictionsIn(lines: readonly AuditLine[]): AuditLine[] {
  return lines
    .filter(
      ({ user, resource, subresource }) => user === sidecarUser && resource === 'pods' && subresource === 'eviction',
    )
    .sort((a, b) => a.received - b.received);
}

/** When a Pod was really gone: its kubelet let go of it. */
export function goneAt(lines: readonly AuditLine[], pod: string): number {
  const gone = lines.filter(
    ({ user, verb, resource, subresource, name, status }) =>
      user !== sidecarUser &&
      verb === 'delete' &&
      resource === 'pods' &&
      !subresource &&
      name === pod &&
      status === 200,
  );
  return Math.max(...gone.map(({ answered }) => answered));
}

/** What holds of every run, from what the API server has seen and not from what we say. */
export function brokenInvariants(lines: readonly AuditLine[]): string[] {
  const ours = lines.filter(({ user }) => user === sidecarUser);
  const deletes = ours.filter(({ verb, resource }) => verb.startsWith('delete') && resource === 'pods');
  const unfenced = evictionsIn(lines).filter(
    ({ body }) => !JSON.stringify(body ?? {}).includes('"preconditions":{"uid":'),
  );
  const graceless = ours.filter(({ body }) => /"gracePeriodSeconds":\s*0\b/.test(JSON.stringify(body ?? {})));
  const unfencedPatches = ours.filter(
    ({ verb, resource, body }) =>
      verb === 'patch' && resource === 'nodes' && !JSON.stringify(body ?? {}).includes('"resourceVersion":'),
  );
  return [
    ...deletes.map(({ name }) => `pod ${name} was deleted`),
    ...unfenced.map(({ name }) => `pod ${name} was evicted without its UID`),
    ...graceless.map(({ name, resource }) => `${resource} ${name} got no grace`),
    ...unfencedPatches.map(({ name }) => `node ${name} was patched without its version`),
  ];
}
