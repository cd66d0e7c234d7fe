import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { synth } from '../../../src/pipeline.ts';
import { builtCommand } from '../../commands/built.ts';
import { type Access, writeKubeconfig } from '../../support/access.ts';
import { type Cluster, startCluster } from '../../support/cluster.ts';
import { assets } from '../../support/cluster-test.ts';
import { type GitServer, startGitServer } from '../../support/git-server.ts';
import { apply, type KubeObject } from '../../support/objects.ts';
import { type SmtpServer, startSmtp } from '../../support/smtp.ts';
import { settings } from '../../support/state.ts';
import { openWorkshop, type TempRepo, type Workshop } from '../../support/temp-repo.ts';
import { listTree } from '../../support/tree.ts';
import { waitUntilServed } from '../sidecar/lab.ts';

export const credentials = { username: 'runner', password: 'n0t-in-any-log' };

/** Everything that the lifecycle runner deals with, for real: an API server, a git server, a mail server. */
export interface Lab {
  readonly cluster: Cluster;
  readonly access: Access;
  readonly git: GitServer;
  readonly smtp: SmtpServer;
  /** A clone of a person. */
  readonly repo: TempRepo;
  /** One run of the program, as the CronJob starts it. */
  run(options?: RunOptions): Promise<Ran>;
  /** The program and its environment, to be started and killed by the test itself. */
  command(options?: RunOptions): Promise<Command>;
  /** Commits and pushes as a person. */
  push(message: string, files: Readonly<Record<string, string | null>>): Promise<void>;
  /** Text of a file on the branch now. */
  file(path: string): Promise<string | undefined>;
  subjects(): Promise<readonly string[]>;
  /** `quiesce commit` in that clone, as CI runs it. */
  commitOutput(): Promise<Ran>;
  /** Compiles what the branch holds and applies it, as CI and an applier do. */
  applyTip(): Promise<readonly KubeObject[]>;
  stop(): Promise<void>;
}

export interface RunOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

interface Ran {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface LabOptions {
  /** Below `spec` of the settings, besides mail. */
  readonly extra?: string;
  readonly clusters?: readonly string[];
  /** Default: one of its own, without nodes. It ends with the lab. */
  readonly cluster?: Cluster;
  readonly files: Readonly<Record<string, string>>;
}

export async function startLab({ extra = '', clusters = ['main'], files, ...given }: LabOptions): Promise<Lab> {
  const cluster = given.cluster ?? (await startCluster({ assets: assets(), name: 'lifecycle', scheduler: false }));
  const shop = openWorkshop();
  const smtp = await startSmtp();
  const git = await startGitServer({ repos: ['platform'], credentials });
  const stop = async (): Promise<void> => {
    await smtp.stop();
    await git.close();
    shop.close();
    await cluster.stop();
  };
  try {
    const repo = await shop.clone(git.url('platform', credentials), 'person');
    const mail = `  mail:\n    from: quiesce@example.edu\n    host: 127.0.0.1\n    port: ${smtp.port}\n    security: None\n`;
    const written = settings({ clusters, extra: mail + extra });
    await repo.commit('State', { 'state/settings.yaml': written, ...files });
    await repo.git('push', '--quiet', 'origin', 'main');
    return await furnish({ cluster, shop, smtp, git, repo, stop });
  } catch (error) {
    await stop();
    throw error;
  }
}

type Parts = Pick<Lab, 'cluster' | 'smtp' | 'git' | 'repo' | 'stop'> & { readonly shop: Workshop };

async function furnish({ cluster, shop, smtp, git, repo, stop }: Parts): Promise<Lab> {
  const { access } = cluster;
  const applyTip = async (): Promise<readonly KubeObject[]> => applyState(cluster, repo);
  await applyTip();
  const token = await cluster.tokenFor('quiesce-system', 'quiesce-lifecycle');
  const kubeconfig = await writeKubeconfig(shop.path('runner.kubeconfig'), { ...access, token });
  const env = {
    ...shop.env,
    NO_COLOR: '1',
    KUBECONFIG: kubeconfig,
    QUIESCE_CLUSTER: 'main',
    QUIESCE_GIT_URL: git.url('platform'),
    QUIESCE_GIT_BRANCH: 'main',
    QUIESCE_GIT_CREDENTIALS: secretFolder(shop.path('git-secret')),
    QUIESCE_WORK: shop.path('work'),
  };
  const command = async ({ args = [], env: more = {} }: RunOptions = {}): Promise<Command> => ({
    file: await builtCommand(),
    args: ['lifecycle', ...args],
    env: { ...env, ...more },
  });
  return {
    cluster,
    access,
    git,
    smtp,
    repo,
    command,
    run: async (options) => ran(await command(options)),
    push: async (message, files) => {
      await repo.git('pull', '--quiet', '--rebase');
      await repo.commit(message, files);
      await repo.git('push', '--quiet', 'origin', 'main');
    },
    file: async (path) => repo.git('--git-dir', git.bare('platform'), 'show', `main:${path}`).catch(() => undefined),
    subjects: async () => (await repo.git('--git-dir', git.bare('platform'), 'log', '--format=%s', 'main')).split('\n'),
    commitOutput: async () => {
      await repo.git('pull', '--quiet', '--rebase');
      const { file } = await command();
      return ran({ file, args: ['-C', repo.dir, 'commit'], env });
    },
    applyTip,
    stop,
  };
}

/** As a mounted Secret. */
function secretFolder(folder: string): string {
  mkdirSync(folder);
  for (const [name, text] of Object.entries(credentials)) writeFileSync(join(folder, name), text);
  return folder;
}

export async function ran({ file, args, env }: Command): Promise<Ran> {
  return new Promise((done) => {
    execFile(process.execPath, [file, ...args], { env, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      done({ status: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

/** Workloads need an image and appliers their own kinds: what is applied is everything else. */
const skipped = ['Deployment', 'CronJob', 'Ingress', 'ApplicationSet', 'Application', 'AppProject'];

async function applyState(cluster: Cluster, repo: TempRepo): Promise<readonly KubeObject[]> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'quiesce-lifecycle-out-')));
  try {
    await repo.git('fetch', '--quiet');
    await repo.git('--work-tree', root, 'checkout', 'origin/main', '--', '.');
    await repo.git('reset', '--quiet', '--hard');
    const result = await synth({ root });
    if (result.kind === 'problems') throw new Error(JSON.stringify(result.problems, undefined, 2));
    const files = [...listTree(join(root, 'out'))].filter(([path]) => /^main\/.*\.yaml$/.test(path));
    const objects = files
      .flatMap(([, text]) => parseAllDocuments(text).map((document) => document.toJS() as KubeObject))
      .filter(({ kind }) => !skipped.includes(kind));
    const isFirst = ({ kind }: KubeObject): boolean => kind === 'Namespace' || kind === 'CustomResourceDefinition';
    await apply(cluster.access, ...objects.filter(isFirst));
    await waitUntilServed(cluster);
    await apply(cluster.access, ...objects.filter((object) => !isFirst(object)));
    return objects;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** RFC 3339, so many days from now; negative: ago. */
export function daysFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().replace(/\.\d{3}Z$/, 'Z');
}
