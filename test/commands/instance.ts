import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { committed } from '../support/seed.ts';
import { openWorkshop, type TempRepo, tempRepo, type Workshop } from '../support/temp-repo.ts';
import { builtCommand } from './built.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export interface Answer {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command as its own process, without a terminal. */
async function runCommand(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Answer> {
  return runNode(cwd, [await builtCommand(), ...args], env);
}

/** The same from its sources, module by module; `nodeOptions` come first. */
export async function runSources(
  cwd: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  nodeOptions: readonly string[],
): Promise<Answer> {
  return runNode(cwd, ['--import', import.meta.resolve('tsx'), ...nodeOptions, main, ...args], env);
}

async function runNode(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Answer> {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((done) => {
    child.on('close', done);
  });
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { status, stdout, stderr };
}

/** A place for one test file, and an instance in it whose state and output are committed. */
export interface Instance extends TempRepo {
  readonly workshop: Workshop;
  quiesce(...args: readonly string[]): Promise<Answer>;
  quiesceWith(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Answer>;
}

export async function openInstance(files: Readonly<Record<string, string>> = {}): Promise<Instance> {
  const workshop = openWorkshop();
  const repo = await committed(workshop, 'instance', { 'state/settings.yaml': settings, ...files });
  return instanceAt(repo, workshop);
}

/** A folder that is not in any repository. */
export function openFolder(): Instance {
  const workshop = openWorkshop();
  const dir = workshop.path('folder');
  mkdirSync(dir);
  return instanceAt(tempRepo(dir, workshop.env), workshop);
}

function instanceAt(repo: TempRepo, workshop: Workshop): Instance {
  const quiesceWith: Instance['quiesceWith'] = (more, ...args) =>
    runCommand(repo.dir, args, { ...workshop.env, ...more });
  return { ...repo, workshop, quiesce: (...args) => quiesceWith({}, ...args), quiesceWith };
}

export const settings = `apiVersion: quiesce.dev/v1alpha1
kind: Settings
metadata:
  name: test
spec:
  clusters:
    - name: west
      server: https://west.example.edu
      applier: argocd
  exposedAppsBaseDomain: apps.example.edu
  claims:
    version: 0.30.1
  git:
    url: https://git.example.edu/platform.git
    author: { name: Quiesce, email: quiesce@example.edu }
  images:
    quiesce: registry.example.edu/quiesce:1.0.0
`;

export function claimFile(name: string, spec = '  state: Running\n'): string {
  return `# The claim of ${name}
apiVersion: quiesce.dev/v1alpha1
kind: VClusterClaim
metadata:
  name: ${name}
spec:
  owner: { name: Ada, email: ada@example.edu } # who is warned
${spec}`;
}
