import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { readKeys } from '../../src/keepalive/keys.ts';
import { type Link, ownerMark, signLink } from '../../src/keepalive/link-token.ts';
import { type GitServer, startGitServer } from '../support/git-server.ts';
import { commitInBare, isolatedEnvironment, runGit } from '../support/temp-repo.ts';
import { pageFile } from './page-file.ts';

export const day = 86_400_000;
const identity = '0123456789abcdef0123';

export interface LabOptions {
  /** Names of claims; each has a record of 85 days without a renewal, so its sleep is 5 days ahead. */
  readonly claims?: readonly string[];
  /** More lines below `spec` of the settings. */
  readonly settings?: string;
  /** Files in place of those that are made, or besides them. */
  readonly files?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** Arguments of Node that start the page. Default: as it is bundled from the sources as they are. */
  readonly program?: readonly string[];
}

/** The page as a real process in front of a real git server. */
export interface Lab {
  readonly url: string;
  readonly folder: string;
  readonly git: GitServer;
  readonly now: number;
  /** Address of the page for a claim. */
  link(claim: string, change?: Partial<Link>): Promise<string>;
  /** Spec of a claim's record on the branch now. */
  record(claim: string, branch?: string): Promise<Record<string, unknown>>;
  /** The same of many, with one git. */
  records(claims: readonly string[]): Promise<readonly Record<string, unknown>[]>;
  log(branch?: string): Promise<readonly string[]>;
  /** Text of `<branch>:<path>`. */
  show(ref: string): Promise<string>;
  commit(file: string, content: string): Promise<void>;
  metrics(): Promise<string>;
  start(environment?: Readonly<Record<string, string>>): Promise<void>;
  /** The network between page and git server: nothing goes through, or everything again. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** The process that serves the page. */
  process(): ChildProcess;
  /** Ids of what it has started. */
  children(): readonly number[];
  /** Lines of its log since the last start. */
  readonly lines: Record<string, unknown>[];
  stop(signal?: NodeJS.Signals): Promise<void>;
  close(): Promise<void>;
}

export async function openLab(options: LabOptions = {}): Promise<Lab> {
  const folder = mkdtempSync(join(tmpdir(), 'quiesce-keepalive-'));
  const env = isolatedEnvironment(folder);
  const git = await startGitServer({ repos: ['platform'] });
  const now = Math.floor(Date.now() / 1000) * 1000;
  for (const [path, text] of Object.entries(filesFor(options, now))) write(folder, join('seed', path), text);
  await push(join(folder, 'seed'), git.url('platform'), env);
  write(folder, 'keys/key-1', 'a key of at least thirty-two bytes, for tests\n');
  const ports = { page: await freePort(), metrics: await freePort() };
  const line = openLine(git.port, await freePort());
  await line.mend();
  const url = `http://127.0.0.1:${ports.page}`;
  const program = options.program ?? [await pageFile()];
  let child: ChildProcess | undefined;
  const lines: Record<string, unknown>[] = [];
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  const start = async (more: Readonly<Record<string, string>> = {}): Promise<void> => {
    lines.length = 0;
    child = spawn(process.execPath, [...program], {
      env: { ...env, ...variables(folder, line.port, ports), ...options.environment, ...more },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await started(child, lines);
  };
  await start();
  await known(url);
  const show = async (ref: string): Promise<string> => runGit(git.bare('platform'), ['show', ref], env);
  return {
    url,
    folder,
    git,
    now,
    lines,
    cut: line.cut,
    mend: line.mend,
    start,
    stop,
    process: () => child as ChildProcess,
    children: () => childrenOf(child?.pid ?? 0),
    link: async (claim, change = {}) => {
      const link = {
        claim,
        identity,
        deadline: now + 5 * day,
        issuedAt: now,
        owner: ownerMark(`${claim}@example.edu`),
      };
      return signLink(readKeys(join(folder, 'keys')), url, { ...link, ...change });
    },
    show,
    record: async (claim, branch = 'main') => parse(await show(`${branch}:state/records/${claim}.yaml`)).spec,
    records: async (claims) => {
      const asked = claims.map((claim) => `main:state/records/${claim}.yaml\n`).join('');
      const said = await runGit(git.bare('platform'), ['cat-file', '--batch'], env, asked);
      const texts = said.split(/^[0-9a-f]{40} blob \d+\n/m).slice(1);
      return texts.map((text) => parse(text).spec);
    },
    log: async (branch = 'main') =>
      (await runGit(git.bare('platform'), ['log', '--format=%s', branch, '--'], env)).trim().split('\n'),
    commit: async (file, content) => {
      await commitInBare(git.bare('platform'), { file, content }, env);
    },
    metrics: async () => (await fetch(`http://127.0.0.1:${ports.metrics}/metrics`)).text(),
    close: async () => {
      await stop('SIGKILL');
      await line.cut();
      await git.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function variables(folder: string, gitPort: number, ports: { readonly page: number; readonly metrics: number }) {
  return {
    QUIESCE_LISTEN: `127.0.0.1:${ports.page}`,
    QUIESCE_METRICS_LISTEN: `127.0.0.1:${ports.metrics}`,
    QUIESCE_URL: `http://127.0.0.1:${ports.page}`,
    QUIESCE_GIT_URL: `http://127.0.0.1:${gitPort}/platform.git`,
    QUIESCE_KEYS: join(folder, 'keys'),
    QUIESCE_WORK: join(folder, 'work'),
    TMPDIR: tmpdir(),
  };
}

async function started(child: ChildProcess, lines: Record<string, unknown>[]): Promise<void> {
  await new Promise<void>((done, fail) => {
    child.once('exit', (code) => fail(new Error(`the page ended with ${code}`)));
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      const said = JSON.parse(line);
      lines.push(said);
      if (said.message === 'started') done();
    });
  });
}

function filesFor({ claims = ['ada'], settings = '', files = {} }: LabOptions, now: number): Record<string, string> {
  const entries = claims.flatMap((name) => [
    [`state/claims/${name}.yaml`, claimText(name)],
    [`state/records/${name}.yaml`, recordOf(name, now - 85 * day)],
  ]);
  return { 'state/settings.yaml': settingsText(settings), ...Object.fromEntries(entries), ...files };
}

function settingsText(more: string): string {
  return `apiVersion: quiesce.dev/v1alpha1
kind: Settings
metadata: { name: campus }
spec:
  clusters: [{ name: atlas, server: "https://kubernetes.default.svc", applier: argocd }]
  claims: { version: 0.30.1 }
  mail: { from: quiesce@example.edu, replyTo: platform-team@example.edu, host: smtp.example.edu }
  lifecycle: { timeZone: Europe/Berlin }
  git:
    url: https://git.example.edu/platform.git
    author: { name: Quiesce, email: quiesce@example.edu }
${more}
  images: { quiesce: "registry.example.edu/quiesce:1" }
`;
}

export function claimText(name: string, more = ''): string {
  return `# What somebody wrote.
apiVersion: quiesce.dev/v1alpha1
kind: VClusterClaim
metadata: { name: ${name} }
spec:
  owner: { name: Ada ${name}, email: ${name}@example.edu }
${more}`;
}

export function recordOf(name: string, firstSeen: number, more = ''): string {
  return `apiVersion: quiesce.dev/v1alpha1
kind: Record
metadata: { name: ${name} }
spec:
  identity: ${identity}
  firstSeen: "${new Date(firstSeen).toISOString().replace('.000', '')}"
${more}`;
}

function write(folder: string, path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
}

async function push(seed: string, url: string, env: Record<string, string>): Promise<void> {
  await runGit(seed, ['init', '--quiet', '--initial-branch=main', '.'], env);
  await runGit(seed, ['add', '--all'], env);
  await runGit(seed, ['commit', '--quiet', '-m', 'Begin'], env);
  await runGit(seed, ['push', '--quiet', url, 'main'], env);
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

/** The settings are there: what a page shows from now on does not depend on how fast this machine is. */
async function known(url: string): Promise<void> {
  const until = Date.now() + 30_000;
  while (!(await get(url)).html.includes('<span class="brand">campus</span>')) {
    if (Date.now() > until) throw new Error('the page does not reach git');
    await sleep(50);
  }
}

function openLine(to: number, port: number) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const other = connect(to, '127.0.0.1');
    for (const [here, there] of [
      [socket, other],
      [other, socket],
    ] as const) {
      sockets.add(here);
      here.on('error', () => there.destroy()).on('close', () => there.destroy());
    }
    socket.pipe(other).pipe(socket);
  });
  return {
    port,
    mend: async (): Promise<void> => {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    cut: async (): Promise<void> => {
      for (const socket of sockets) socket.destroy();
      sockets.clear();
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** What a person sees of an answer. */
export interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  readonly title: string;
}

export async function get(address: string, headers: Record<string, string> = {}): Promise<Page> {
  return pageOf(await fetch(address, { headers: { 'accept-language': 'en', ...headers } }));
}

/** As the browser sends the form of a page that it has read. */
export async function press(address: string, headers: Record<string, string> = {}): Promise<Page> {
  const { html } = await get(address, headers);
  return post(address, /name="form" value="([^"]+)"/.exec(html)?.[1] ?? '', headers);
}

export async function post(address: string, form: string, headers: Record<string, string> = {}): Promise<Page> {
  const { origin } = new URL(address);
  const response = await fetch(address, {
    method: 'POST',
    body: new URLSearchParams({ form }),
    headers: { 'accept-language': 'en', origin, 'sec-fetch-site': 'same-origin', ...headers },
  });
  return pageOf(response);
}

async function pageOf(response: Response): Promise<Page> {
  const html = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    html,
    title: /<h1>([^<]*)<\/h1>/.exec(html)?.[1] ?? '',
  };
}
