import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { synth } from '../src/pipeline.ts';
import { type SmtpServer, startSmtp } from '../test/support/smtp.ts';
import { claimPath, cloneRepository, commitAll, generateRepository } from './claims.ts';
import { atMost, type Figure, told } from './figures.ts';
import { type Run, runNodeAside } from './measure.ts';
import type { Bench } from './suites.ts';

const clusters = ['north', 'south'];

interface Ground {
  readonly bench: Bench;
  readonly smtp: SmtpServer;
  readonly repository: string;
  readonly bare: string;
  readonly branch: string;
  readonly kubeconfigs: string;
}

/** Whole processes as the CronJob starts them, clone and clusters included; the clusters' answers are made beforehand. */
export async function* lifecycleFigures(bench: Bench): AsyncGenerator<Figure> {
  const { base, claims } = bench;
  const smtp = await startSmtp();
  const servers: ChildProcess[] = [];
  try {
    const repository = join(base, 'lifecycle');
    generateRepository(repository, claims);
    appendFileSync(join(repository, 'state', 'settings.yaml'), mailSettings(smtp.port));
    await synth({ root: repository });
    commitAll(repository);
    const bare = join(base, 'lifecycle.git');
    execFileSync('git', ['clone', '--quiet', '--bare', repository, bare]);
    const branch = execFileSync('git', ['-C', repository, 'branch', '--show-current'], { encoding: 'utf8' }).trim();
    const kubeconfigs = await serveClusters({ bench, repository, servers });
    const ground = { bench, smtp, repository, bare, branch, kubeconfigs };
    yield* nothingDue(ground);
    // Clusters that have forgotten which deadlines were published: git alone says then what is due.
    yield* muchDue({ ...ground, kubeconfigs: await serveClusters({ bench, repository, servers }) });
  } finally {
    for (const server of servers) server.kill('SIGKILL');
    await smtp.stop();
  }
}

async function* nothingDue(ground: Ground): AsyncGenerator<Figure> {
  const { claims } = ground.bench;
  yield told(`lifecycle, ${claims} claims, first run: all are recorded`, (await run(ground)).seconds, 's');
  const runs = [await run(ground), await run(ground), await run(ground)];
  yield atMost(`lifecycle, ${claims} claims, nothing due`, Math.min(...runs.map(({ seconds }) => seconds)), 's', 3);
  yield atMost(`lifecycle, ${claims} claims: peak memory`, Math.max(...runs.map((each) => each.megabytes)), 'MB', 250);
}

async function* muchDue(ground: Ground): AsyncGenerator<Figure> {
  const { smtp, bare } = ground;
  const { claims } = ground.bench;
  const due = Math.min(500, Math.floor(claims / 2));
  makeDue(ground, due);
  const before = commitsIn(bare);
  const busy = await run(ground);
  yield told(`lifecycle, ${due} of ${claims} due`, busy.seconds, 's');
  yield told(`lifecycle, ${due} of ${claims} due: peak memory`, busy.megabytes, 'MB');
  yield atMost(`lifecycle, ${due} due: mails that are missing`, due - smtp.mails.length, '', 0);
  yield atMost(`lifecycle, ${due} due: SMTP connections at once`, smtp.mostConnections(), '', 3);
  yield atMost(`lifecycle, ${due} due: commits`, commitsIn(bare) - before, '', 1);
}

async function run({ bench, bare, branch, kubeconfigs }: Ground): Promise<Run> {
  const env = {
    ...process.env,
    QUIESCE_WORK: join(bench.base, 'work'),
    QUIESCE_GIT_URL: `file://${bare}`,
    QUIESCE_GIT_BRANCH: branch,
    QUIESCE_KUBECONFIGS: kubeconfigs,
  };
  return runNodeAside([join(bench.root, 'dist', 'cli', 'main.js'), 'lifecycle'], { cwd: bench.base, env });
}

function mailSettings(port: number): string {
  return `  mail:\n    from: quiesce@example.edu\n    host: 127.0.0.1\n    port: ${port}\n    security: None\n`;
}

function commitsIn(bare: string): number {
  return Number(execFileSync('git', ['-C', bare, 'rev-list', '--count', 'HEAD'], { encoding: 'utf8' }));
}

/** Their records say that they were first seen long ago. */
function makeDue({ bench, bare, repository }: Ground, count: number): void {
  const clone = join(bench.base, 'lifecycle-due');
  cloneRepository(bare, clone);
  for (let index = 0; index < count; index += 1) {
    const name = /([^/]+)\.yaml$/.exec(claimPath(repository, index * 2 + 1))?.[1] ?? '';
    const file = join(clone, 'state', 'records', `${name}.yaml`);
    const [seen, sleep, end] = [-85, 5, 65].map(daysFromNow);
    const text = readFileSync(file, 'utf8')
      .replace(/firstSeen: ".*"/, `firstSeen: "${seen}"`)
      .replace(/sleep: ".*"/, `sleep: "${sleep}"`)
      .replace(/delete: ".*"/, `delete: "${end}"`);
    writeFileSync(file, text);
  }
  commitAll(clone);
  execFileSync('git', ['-C', clone, 'push', '--quiet', 'origin', 'HEAD']);
}

function daysFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

interface Serving {
  readonly bench: Bench;
  readonly repository: string;
  /** Grows by what is started here. */
  readonly servers: ChildProcess[];
}

/** Folder with a kubeconfig for each cluster. */
async function serveClusters({ bench: { base, claims }, repository, servers }: Serving): Promise<string> {
  const folder = join(base, 'kubeconfigs');
  mkdirSync(folder, { recursive: true });
  for (const cluster of clusters) {
    const sample = resourceIn(repository, cluster);
    const names = Array.from({ length: claims }, (_, index) => claimPath(repository, index))
      .map((file) => /([^/]+)\.yaml$/.exec(file)?.[1] ?? '')
      .filter((_, index) => clusters[index % 2] === cluster);
    const items = names.map((name) => ({ ...sample, metadata: { ...sample.metadata, name, uid: `uid-${name}` } }));
    const file = join(base, `${cluster}.json`);
    writeFileSync(file, JSON.stringify(items));
    const program = fileURLToPath(new URL('./api-pages.mjs', import.meta.url));
    const server = spawn(process.execPath, [program, file], { stdio: ['ignore', 'pipe', 'inherit'] });
    servers.push(server);
    const [port] = await once(server.stdout, 'data');
    writeFileSync(join(folder, cluster), kubeconfig(`http://127.0.0.1:${String(port).trim()}`));
  }
  return folder;
}

/** The resource of one claim as it is rendered: all have about the same size. */
function resourceIn(repository: string, cluster: string): { readonly metadata: object } {
  const index = clusters.indexOf(cluster);
  const name = /([^/]+)\.yaml$/.exec(claimPath(repository, index))?.[1] ?? '';
  const text = readFileSync(join(repository, 'out', cluster, 'claims', name, 'claim.k8s.yaml'), 'utf8');
  const documents = parseAllDocuments(text).map((document) => document.toJS());
  const resource = documents.find(({ kind }) => kind === 'VClusterClaim');
  return { ...resource, metadata: { ...resource.metadata, generation: 1 } };
}

function kubeconfig(server: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'bench', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'bench', user: { token: 'bench' } }],
    contexts: [{ name: 'bench', context: { cluster: 'bench', user: 'bench' } }],
    'current-context': 'bench',
  });
}
