import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { synth } from '../../../src/pipeline.ts';
import type { ClaimStatus } from '../../../src/sidecar/claims/status.ts';
import type { Access } from '../../support/access.ts';
import { apply, id, type KubeObject, read } from '../../support/objects.ts';
import { claim, settings } from '../../support/state.ts';
import { listTree, writeTree } from '../../support/tree.ts';
import { waitFor } from '../../support/wait.ts';
import { pod } from '../../support/workloads.ts';
import type { Lab } from '../sidecar/lab.ts';

interface ClaimObject extends KubeObject {
  readonly spec: { readonly state: string; readonly replicas: number };
  readonly status?: ClaimStatus;
}

type Wanted = NonNullable<Parameters<typeof claim>[1]> & { readonly keepData?: boolean };

/** Compiles claims and applies what comes of it, as an applier would: whatever git says, and nothing that it does not. */
export interface ClaimHost {
  apply(name: string, wanted?: Wanted): Promise<readonly KubeObject[]>;
}

export function claimHost(lab: Lab): ClaimHost {
  const root = mkdtempSync(join(tmpdir(), 'quiesce-claims-'));
  lab.cluster.onStop(async () => rmSync(root, { recursive: true, force: true }));
  writeTree(root, [['state/settings.yaml', settings()]]);
  const compile = async (name: string, wanted: Wanted): Promise<readonly KubeObject[]> => {
    const text = `${claim(name, wanted)}${wanted.keepData === true ? '  keepData: true\n' : ''}`;
    writeTree(root, [[`state/claims/${name}.yaml`, text]]);
    const result = await synth({ root });
    if (result.kind === 'problems') throw new Error(JSON.stringify(result.problems, undefined, 2));
    const file = `main/claims/${name}/claim.k8s.yaml`;
    const [, rendered = ''] = [...listTree(join(root, 'out'))].find(([path]) => path === file) ?? [];
    return parseAllDocuments(rendered).map((document) => document.toJS() as KubeObject);
  };
  // One after the other: each has to find what it has compiled itself.
  let compiling: Promise<unknown> = Promise.resolve();
  return {
    apply: async (name, wanted = {}) => {
      const compiled = compiling.then(() => compile(name, wanted));
      compiling = compiled.catch(() => undefined);
      return apply(lab.access, ...(await compiled));
    },
  };
}

export function claimId(name: string) {
  return id('quiesce.dev/v1alpha1', 'VClusterClaim', name);
}

export async function statusOf(access: Access, name: string): Promise<ClaimStatus> {
  return (await read<ClaimObject>(access, claimId(name)))?.status ?? {};
}

/** Phase, or phase and reason. */
export async function waitForClaim(
  access: Access,
  name: string,
  wanted: { readonly phase: ClaimStatus['phase'] & string; readonly reason?: string },
  seconds = 60,
): Promise<ClaimStatus> {
  const { phase, reason } = wanted;
  return waitFor(`claim ${name} to be ${phase} ${reason ?? ''}`, { seconds }, async () => {
    const status = await statusOf(access, name);
    const isMet = status.phase === phase && (reason === undefined || status.reason === reason);
    return isMet ? { met: status } : { seen: JSON.stringify(status) };
  });
}

/** As vCluster labels what it has synced. */
export function syncedLabels(claim: string): Record<string, string> {
  return { 'vcluster.loft.sh/managed-by': claim, 'vcluster.loft.sh/namespace': 'default' };
}

type PodParts = NonNullable<Parameters<typeof pod>[0]['pod']>;

export function syncedPod(claim: string, name: string, parts: PodParts = {}): KubeObject {
  const labels = { ...syncedLabels(claim), ...parts.labels };
  return pod({ name: `${name}-x-default-x-${claim}`, namespace: `vcluster-${claim}`, pod: { ...parts, labels } });
}

/** Runs, and has been used. */
export async function usedClaim({ access }: Lab, claims: ClaimHost, name: string): Promise<void> {
  await claims.apply(name, { replicas: 3 });
  await waitForClaim(access, name, { phase: 'Running' });
  await apply(access, ...(await syncedObjects(access, name)), syncedPod(name, 'web'), {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `vc-${name}`, namespace: `vcluster-${name}` },
  });
  await apply(access, {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: `vcluster-high-x-vcluster-${name}-x-${name}`, labels: clusterLabels(name) },
    value: 100,
  });
}

/** On what a virtual cluster makes outside of its namespace. */
function clusterLabels(claim: string): Record<string, string> {
  return { 'vcluster.loft.sh/managed-by': `vcluster-${claim}-x-${claim}` };
}

/** A namespace that it has made as a copy of one of its own; `annotations` as vCluster puts them on what it imports. */
export function copiedNamespace(claim: string, name: string, annotations: Record<string, string> = {}): KubeObject {
  return { ...id('v1', 'Namespace', name), metadata: { name, labels: clusterLabels(claim), annotations } };
}

/** Owned by the Service of the virtual cluster, as what vCluster syncs is. */
export async function syncedObjects(access: Access, claim: string): Promise<readonly KubeObject[]> {
  const namespace = `vcluster-${claim}`;
  const service = await read(access, id('v1', 'Service', claim, namespace));
  const owner = { apiVersion: 'v1', kind: 'Service', name: claim, uid: service?.metadata.uid ?? '' };
  const metadata = (name: string) => ({
    name: `${name}-x-default-x-${claim}`,
    namespace,
    labels: syncedLabels(claim),
    ownerReferences: [owner],
  });
  return [
    { apiVersion: 'v1', kind: 'Service', metadata: metadata('http'), spec: { ports: [{ port: 80 }] } },
    { apiVersion: 'v1', kind: 'Secret', metadata: metadata('login'), stringData: { password: 'secret' } },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: metadata('site'), data: { title: 'A site' } },
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: metadata('files'),
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
  ];
}
