import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { synth } from '../../src/pipeline.ts';
import type { KubeObject } from '../support/objects.ts';
import { claim, settings } from '../support/state.ts';
import { listTree, writeTree } from '../support/tree.ts';
import type { Block } from './random-block.ts';
import type { RandomChange, RandomCluster } from './random-cluster.ts';

type When = 'before' | 'after';

/** A repository with the state before the change as its commit, and the one after it in the work tree. */
export interface StateRepository {
  readonly root: string;
  /** What is compiled from each, in the order in which it has to be applied. */
  readonly before: readonly KubeObject[];
  readonly after: readonly KubeObject[];
  remove(): void;
}

export async function stateRepository({ change }: RandomCluster): Promise<StateRepository> {
  const root = mkdtempSync(join(tmpdir(), 'quiesce-replay-state-'));
  const remove = () => rmSync(root, { recursive: true, force: true });
  try {
    const before = await compile(root, filesOf(change, 'before'));
    await git(root, 'init', '--quiet');
    await git(root, 'add', '--all');
    await git(
      root,
      '-c',
      'user.name=Replay',
      '-c',
      'user.email=replay@example.edu',
      'commit',
      '--quiet',
      '-m',
      'Before',
    );
    rmSync(join(root, 'state'), { recursive: true });
    const after = await compile(root, filesOf(change, 'after'));
    return { root, before, after, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

async function compile(root: string, files: readonly [string, string][]): Promise<readonly KubeObject[]> {
  writeTree(root, files);
  const result = await synth({ root });
  if (result.kind === 'problems') throw new Error(JSON.stringify(result.problems, undefined, 2));
  const compiled = [...listTree(join(root, 'out'))].filter(([path]) =>
    /^main\/(maintenance|claims|installations)\//.test(path),
  );
  const objects = compiled.flatMap(([, text]) => parseAllDocuments(text).map((one) => one.toJS() as KubeObject));
  return objects.sort((a, b) => waveOf(a) - waveOf(b));
}

async function git(root: string, ...args: readonly string[]): Promise<void> {
  await promisify(execFile)('git', args, { cwd: root });
}

function waveOf({ kind, metadata }: KubeObject): number {
  const wave = Number(metadata.annotations?.['argocd.argoproj.io/sync-wave'] ?? 0);
  return kind === 'Namespace' || kind === 'CustomResourceDefinition' ? wave - 0.5 : wave;
}

function filesOf(change: RandomChange, when: When): [string, string][] {
  const concurrent = change.kind === 'maintenance' ? change.block.maxConcurrent : 0;
  const extra = concurrent > 0 ? `  maintenance: { maxConcurrent: ${concurrent} }\n` : '';
  return [['state/settings.yaml', settings({ extra })], ...subjectFiles(change, when)];
}

function subjectFiles(change: RandomChange, when: When): [string, string][] {
  switch (change.kind) {
    case 'maintenance':
      return [['state/clusters/main.yaml', clusterConfig(change.block[when])]];
    case 'claims':
      return change.claims.map(({ name, replicas, keepData, becomes }) => {
        const state = when === 'before' ? 'Running' : becomes;
        const text = claim(name, { state, replicas });
        return [`state/claims/${name}.yaml`, `${text}${keepData ? '  keepData: true\n' : ''}`];
      });
    case 'installation':
      return installationFiles(change.installation, when);
  }
}

function installationFiles(
  { name, spec, manifests, isPartial }: Extract<RandomChange, { kind: 'installation' }>['installation'],
  when: When,
): [string, string][] {
  const isAfter = when === 'after';
  const state = isAfter && !isPartial ? 'Deleted' : 'Installed';
  const installation = {
    apiVersion: 'quiesce.dev/v1alpha1',
    kind: 'Installation',
    metadata: { name },
    spec: { cluster: 'main', state, ...spec },
  };
  const folders = Object.entries(manifests).map(([component, objects], index): [string, string] => {
    const left = isAfter && isPartial && index === 0 && objects.length > 1 ? objects.slice(0, -1) : objects;
    const text = left.map((object) => JSON.stringify(object)).join('\n---\n');
    return [`state/installations/${name}/${component}/objects.yaml`, text];
  });
  return [[`state/installations/${name}.yaml`, JSON.stringify(installation)], ...folders];
}

function clusterConfig({ nodes, cidrBlocks, deadlineSeconds, ignorePdb }: Block): string {
  const annotations = {
    'baremetal.cluster.gke.io/maintenance-mode-deadline-seconds': String(deadlineSeconds),
    ...(ignorePdb && { 'baremetal.cluster.gke.io/maintenance-mode-ignore-pdb': '' }),
  };
  const metadata = { name: 'main', namespace: 'cluster-main' };
  const documents = [
    {
      apiVersion: 'baremetal.cluster.gke.io/v1',
      kind: 'Cluster',
      metadata: { ...metadata, annotations },
      spec: { type: 'user', ...(cidrBlocks.length > 0 && { maintenanceBlocks: { cidrBlocks } }) },
    },
    {
      apiVersion: 'baremetal.cluster.gke.io/v1',
      kind: 'NodePool',
      metadata: { ...metadata, name: 'pool' },
      spec: { clusterName: 'main', nodes: nodes.map((address) => ({ address })) },
    },
  ];
  return documents.map((document) => JSON.stringify(document)).join('\n---\n');
}
