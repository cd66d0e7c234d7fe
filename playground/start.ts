import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Assets } from '../test/controlplane/assets.ts';
import { type Cluster, startCluster } from '../test/support/cluster.ts';
import { startKwok } from '../test/support/kwok.ts';
import { addNodes } from '../test/support/nodes.ts';
import { apply, id, type KubeObject, read } from '../test/support/objects.ts';
import type { Program } from '../test/support/program.ts';
import type { Sandbox } from '../test/support/sandbox.ts';
import { runGit } from '../test/support/temp-repo.ts';
import { waitFor } from '../test/support/wait.ts';
import type { Applier, StartApplier } from './applier.ts';
import { startArgo } from './argocd.ts';
import { campus, seedState } from './campus.ts';
import { bundleCommands, type Commands, writeShellFile } from './commands.ts';
import { startFluxApplier } from './flux.ts';
import { startMailServer } from './mail.ts';
import { nodesOf } from './nodes.ts';
import { Refusal } from './options.ts';
import type { Repository } from './repository.ts';
import type { Screen } from './screen.ts';
import { standInStages, storageClass } from './stand-ins.ts';
import { openWorkflow, type Workflow } from './workflow.ts';

export interface Ground {
  readonly sandbox: Sandbox;
  readonly repository: Repository;
  readonly assets: Assets;
  /** Needed by Argo CD only. */
  readonly redis: readonly string[];
  readonly flux: boolean;
  readonly screen: Screen;
  /** Before the process ends, in the reverse order. */
  onStop(stop: () => Promise<void>): void;
}

/** Everything is up, the state is compiled, and nothing of it is applied yet. */
export interface Playground extends Ground {
  readonly cluster: Cluster;
  readonly commands: Commands;
  readonly clone: string;
  /** To be sourced by a shell. */
  readonly shellFile: string;
  readonly workflow: Workflow;
  readonly applier: Applier;
  /** While it is open, all of them run. */
  readonly programs: readonly Program[];
}

export async function startPlayground(ground: Ground): Promise<Playground> {
  const { sandbox, flux, screen, assets, redis } = ground;
  const clone = join(sandbox.folder, 'clusters');
  const [cluster, commands] = await screen.step(
    'control plane',
    () => Promise.all([startControlPlane(ground), bundleCommands(sandbox.folder)]),
    ([{ access }]) => access.url,
  );
  const start: StartApplier = flux ? startFluxApplier : (cluster) => startArgo(cluster, redis);
  const [[kwok], workflow, applier] = await Promise.all([
    screen.step(
      'nodes',
      () => startNodes(cluster),
      ([, count]) => `${count}, as in ${campus.clusterConfig}`,
    ),
    compileState(ground, { cluster, commands, clone }),
    screen.step(
      flux ? 'Flux' : 'Argo CD',
      () => start(cluster),
      () => 'is ready',
    ),
  ]);
  const onPath = { quiesce: commands.quiesce, kubectl: assets.kubectl };
  const shellFile = await writeShellFile({ ...sandbox, clone, kubeconfig: cluster.kubeconfig, commands: onPath });
  const controlPlane = Object.values(cluster.programs).filter((program) => program !== undefined);
  const programs = [...controlPlane, kwok, ...applier.programs];
  return { ...ground, cluster, commands, clone, shellFile, workflow, applier, programs };
}

async function startControlPlane({ assets, onStop }: Ground): Promise<Cluster> {
  const cluster = await startCluster({ assets, name: campus.cluster });
  onStop(cluster.stop);
  return cluster;
}

async function startNodes(cluster: Cluster): Promise<readonly [Program, number]> {
  const kwok = await startKwok(cluster, { stages: standInStages });
  await apply(cluster.access, storageClass);
  const nodes = nodesOf(await readFile(new URL(`../${campus.clusterConfig}`, import.meta.url), 'utf8'));
  await addNodes(cluster.access, ...nodes);
  return [kwok, nodes.length];
}

/** Pushes the state, and lets the workflow compile it as it will compile every later push. */
async function compileState(
  { repository, sandbox, flux, screen, onStop }: Ground,
  { cluster, commands, clone }: Pick<Playground, 'cluster' | 'commands' | 'clone'>,
): Promise<Workflow> {
  const { access } = cluster;
  const { quiesce } = commands;
  const mail = await startMailServer();
  onStop(mail.close);
  const checkout = join(sandbox.folder, 'workflow');
  await screen.step(
    'git',
    () => seedState(clone, { repository, server: access.url, mailPort: mail.port, flux }),
    () => repository.url,
  );
  const workflow = await openWorkflow({ repository, checkout, quiesce, temporary: join(sandbox.folder, 'tmp') });
  const compile = async () => {
    const { ok, lines } = await workflow.run();
    if (!ok) throw new Refusal(['the shipped state does not compile:', ...lines.map(({ text }) => text)].join('\n'));
    await runGit(clone, ['pull', '--quiet'], repository.env);
    return runGit(clone, ['ls-files', '-z', 'out'], repository.env);
  };
  await screen.step('quiesce commit', compile, (files) => `${files.split('\0').length - 1} files in out/`);
  return workflow;
}

/**
 * What the compiler rendered to set the applier off. All at once would do as well; but as long as our kinds are not there,
 * Argo CD tries everything else in vain, and then waits before it tries again.
 */
export async function applyBootstrap({ cluster, clone, flux }: Playground): Promise<void> {
  const { access } = cluster;
  const file = join(clone, campus.out, 'bootstrap', flux ? 'flux.k8s.yaml' : 'argocd.k8s.yaml');
  for (const document of parseAllDocuments(await readFile(file, 'utf8'))) {
    const object = document.toJS() as KubeObject;
    await apply(access, object);
    if (object.kind !== 'Application' || !object.metadata.name.endsWith('.system')) continue;
    await waitFor('our kinds to be there', { seconds: 120 }, async () => {
      const claims = id('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'vclusterclaims.quiesce.dev');
      return (await read(access, claims)) === undefined ? { seen: 'they are not' } : { met: true };
    });
  }
}
