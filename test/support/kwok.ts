import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { kubeletLabel } from './behaviour.ts';
import type { Cluster } from './cluster.ts';
import { apply, type KubeObject } from './objects.ts';
import { checkRunning, type Program } from './program.ts';
import { nodeStages, podStages, type Stage, stagesText, volumeStages } from './stages.ts';
import { waitFor } from './wait.ts';

export interface KwokOptions {
  /** Besides the ones of stages.ts. None may match an object that one of those matches. */
  readonly stages?: readonly Stage[];
}

/**
 * The kubelets of all nodes. A node labelled as dead leaves kwok's sight: its lease is not renewed and its Pods stay as
 * they are, until the label is gone.
 */
export async function startKwok(cluster: Cluster, { stages = [] }: KwokOptions = {}): Promise<Program> {
  const { sandbox, assets, kubeconfig, access } = cluster;
  const file = join(sandbox.folder, 'stages.yaml');
  await writeFile(file, stagesText([...nodeStages, ...podStages, ...volumeStages, ...stages]));
  await apply(access, ...storage);
  const kwok = sandbox.start('kwok', [
    ...assets.kwok,
    `--kubeconfig=${kubeconfig}`,
    `--config=${file}`,
    `--manage-nodes-with-label-selector=${kubeletLabel}!=dead`,
    '--node-lease-duration-seconds=40',
  ]);
  // It opens no port and does nothing before there is a node: that it has begun is in its log only.
  await waitFor('kwok to begin', { seconds: 30, everyMs: 50 }, async () => {
    checkRunning(kwok);
    const log = await readFile(kwok.logFile, 'utf8');
    return log.includes('watching stages') ? { met: true } : { seen: log.slice(-500) || 'an empty log' };
  });
  return kwok;
}

/** What volumeStages provision for. Nothing has to be attached, so that only a test says which volumes are in use. */
const storage: readonly KubeObject[] = [
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'standard', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: 'quiesce.test',
    volumeBindingMode: 'Immediate',
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIDriver',
    metadata: { name: 'quiesce.test' },
    spec: { attachRequired: false },
  },
];
