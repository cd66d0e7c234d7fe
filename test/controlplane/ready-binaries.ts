import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Assets } from './assets.ts';
import { type Missing, missing } from './missing.ts';
import { isExecutable } from './path-lookup.ts';
import { versions } from './recipes.ts';
import { run } from './run.ts';

type Command = Exclude<keyof Assets, 'argocdCrds' | 'fluxCrds'>;
type KubebuilderCommand = 'etcd' | 'apiserver' | 'kubectl';

interface ReadyBinary {
  readonly file: string;
  readonly wanted: string;
  /** Arguments that make it tell its version. The controllers of Argo CD and Flux have none, and would start. */
  readonly ask?: readonly string[];
}

const kubernetes = { wanted: versions.kubernetes, ask: ['--version'] };

const binaries: Readonly<Record<Command, ReadyBinary>> = {
  etcd: { file: 'etcd', wanted: versions.etcd, ask: ['--version'] },
  apiserver: { file: 'kube-apiserver', ...kubernetes },
  controllerManager: { file: 'kube-controller-manager', ...kubernetes },
  scheduler: { file: 'kube-scheduler', ...kubernetes },
  kubectl: { file: 'kubectl', wanted: versions.kubernetes, ask: ['version', '--client'] },
  kwok: { file: 'kwok', wanted: versions.kwok, ask: ['--version'] },
  argocdApplicationController: { file: 'argocd-application-controller', wanted: versions.argocd },
  argocdRepoServer: { file: 'argocd-repo-server', wanted: versions.argocd },
  argocdApplicationSetController: { file: 'argocd-applicationset-controller', wanted: versions.argocd },
  fluxSource: { file: 'source-controller', wanted: versions.flux },
  fluxKustomize: { file: 'kustomize-controller', wanted: versions.flux },
  helm4: { file: 'helm', wanted: versions.helm4, ask: ['version', '--short'] },
  helm3: { file: 'helm3', wanted: versions.helm3, ask: ['version', '--short'] },
};

const crdFolders = { argocd: 'crds/argocd', source: 'crds/source-controller', kustomize: 'crds/kustomize-controller' };

/** QUIESCE_ASSETS: everything comes from that folder, so that what runs is what its owner put there. */
export async function readyAssets(given: string, env: NodeJS.ProcessEnv) {
  const folder = resolve(given);
  const commands = Object.keys(binaries) as Command[];
  const crds = await Promise.all(Object.values(crdFolders).map((name) => crdProblem(folder, name)));
  const found = await Promise.all(commands.map((command) => binaryProblem(folder, binaries[command], env)));
  const problems = [...found, ...crds].filter((problem) => problem !== undefined);
  if (problems.length > 0) return unusable('QUIESCE_ASSETS', folder, problems);
  const assets: Assets = {
    ...commandsIn(folder, commands),
    argocdCrds: join(folder, crdFolders.argocd),
    fluxCrds: [join(folder, crdFolders.source), join(folder, crdFolders.kustomize)],
  };
  return { kind: 'ready', assets } as const;
}

/** KUBEBUILDER_ASSETS, as other projects' tests know it: three programs, the rest is ours. */
export async function kubebuilderCommands(given: string, env: NodeJS.ProcessEnv) {
  const folder = resolve(given);
  const commands: readonly KubebuilderCommand[] = ['etcd', 'apiserver', 'kubectl'];
  const found = await Promise.all(commands.map((command) => binaryProblem(folder, binaries[command], env)));
  const problems = found.filter((problem) => problem !== undefined);
  if (problems.length > 0) return unusable('KUBEBUILDER_ASSETS', folder, problems);
  return { kind: 'ready', commands: commandsIn(folder, commands) } as const;
}

function commandsIn<Name extends Command>(folder: string, commands: readonly Name[]): Record<Name, readonly string[]> {
  const entries = commands.map((command) => [command, [join(folder, binaries[command].file)]]);
  return Object.fromEntries(entries) as Record<Name, readonly string[]>;
}

function unusable(variable: string, folder: string, problems: readonly string[]): Missing {
  return missing(
    `${variable}=${folder}: ${problems.join(', ')}`,
    `put the right files there, or unset ${variable} to build them (npm run controlplane)`,
  );
}

async function crdProblem(folder: string, name: string): Promise<string | undefined> {
  const files = await readdir(join(folder, name)).catch(() => []);
  return files.some((file) => file.endsWith('.yaml')) ? undefined : `no ${name}/*.yaml`;
}

async function binaryProblem(folder: string, binary: ReadyBinary, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const path = join(folder, binary.file);
  if (!(await isExecutable(path))) return `no ${binary.file}`;
  if (binary.ask === undefined) return undefined;
  const end = await run([path, ...binary.ask], { cwd: tmpdir(), env, limitSeconds: 20 });
  if (end.ended === 'limit') return `${binary.file} did not tell its version within 20 s`;
  const found = /(\d+)\.(\d+)\.\d+/.exec(end.lines.join('\n'));
  if (found === null) return `${binary.file} does not tell its version`;
  // Objects and defaults change with the minor version; a patch more or less makes no difference to a test.
  const [major, minor] = binary.wanted.split('.');
  if (found[1] === major && found[2] === minor) return undefined;
  return `${binary.file} is ${found[0]} and ${binary.wanted} is wanted`;
}
