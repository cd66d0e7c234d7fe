import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Backend, httpBackend, killGroup } from './git-http-backend.ts';
import { commitInBare, type ForeignChange, installHook, isolatedEnvironment, makeBare } from './temp-repo.ts';

/** What a request is for. `ask-…` is the first request of a fetch or push, which learns where branches are. */
type Stage = 'ask-fetch' | 'fetch' | 'ask-push' | 'push';

type Fault =
  | { readonly kind: 'status'; readonly code: number }
  /** The line breaks after this many bytes of the request arrived. */
  | { readonly kind: 'cut-request'; readonly afterBytes: number }
  /** The server does all of its work, and then the line breaks after this many bytes of the answer. */
  | { readonly kind: 'cut-response'; readonly afterBytes: number }
  | { readonly kind: 'delay'; readonly milliseconds: number };

interface Credentials {
  readonly username: string;
  readonly password: string;
}

export interface GitServerOptions {
  readonly repos: readonly string[];
  /** Asked for by HTTP Basic; without them everybody may do everything. */
  readonly credentials?: Credentials;
  /** For every repository: name of the hook → shell script. */
  readonly hooks?: Readonly<Record<string, string>>;
  /** Default: any that is free. */
  readonly port?: number;
}

export interface GitServer {
  readonly port: number;
  /** Address of a repository, with credentials if given. */
  url(name: string, credentials?: Credentials): string;
  /** The bare repository on disk. */
  bare(name: string): string;
  add(name: string): Promise<void>;
  hook(name: string, hook: string, script: string): void;
  /** Breaks the next requests of a stage. */
  fault(stage: Stage, fault: Fault, times?: number): void;
  /** Somebody else pushes just before the next request of this stage is answered. */
  competeOnce(name: string, change: ForeignChange, before?: Stage): void;
  /** What has been asked for so far. */
  readonly requests: readonly { readonly stage: Stage; readonly repo: string }[];
  close(): Promise<void>;
}

interface Planned {
  readonly stage: Stage;
  readonly repo?: string;
  readonly fault?: Fault;
  readonly run?: () => Promise<unknown>;
  left: number;
}

/** A real git server over smart HTTP: `git http-backend` behind a small HTTP server on a port that the system chooses. */
export async function startGitServer(options: GitServerOptions): Promise<GitServer> {
  const context = openContext(options);
  const { planned, requests, env } = context;
  const server = createServer((request, response) => {
    answer(context, request, response).catch(() => response.destroy());
  });
  const cleanUp = (): void => cleanUpContext(context);
  process.once('exit', cleanUp);
  const bare = (name: string): string => join(context.folder, `${name}.git`);
  const close = async (): Promise<void> => {
    process.off('exit', cleanUp);
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    cleanUp();
  };
  try {
    for (const name of options.repos) addRepository(context, bare(name));
    const port = await listen(server, options.port ?? 0);
    return {
      port,
      url: (name, credentials) => `http://${userInfo(credentials)}127.0.0.1:${port}/${name}.git`,
      bare,
      add: async (name) => addRepository(context, bare(name)),
      hook: (name, hook, script) => installHook(bare(name), hook, script),
      fault: (stage, fault, times = 1) => planned.push({ stage, fault, left: times }),
      competeOnce: (name, change, before = 'push') =>
        planned.push({ stage: before, repo: name, left: 1, run: async () => commitInBare(bare(name), change, env) }),
      requests,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Context extends Backend {
  readonly planned: Planned[];
  readonly requests: { stage: Stage; repo: string }[];
  readonly options: GitServerOptions;
}

function openContext(options: GitServerOptions): Context {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quiesce-git-server-')));
  return {
    folder,
    env: isolatedEnvironment(folder),
    children: new Set<ChildProcess>(),
    planned: [],
    requests: [],
    options,
  };
}

function cleanUpContext({ folder, children }: Context): void {
  for (const child of children) killGroup(child);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function addRepository({ options }: Context, dir: string): void {
  makeBare(dir);
  for (const [hook, script] of Object.entries(options.hooks ?? {})) installHook(dir, hook, script);
}

async function answer(context: Context, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const { credentials } = context.options;
  if (credentials !== undefined && !isKnown(request, credentials)) {
    response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="git"' }).end('Who are you?\n');
    return;
  }
  const stage = stageOf(url);
  const repo = /^\/([^/]+)\.git(?:\/|$)/.exec(url.pathname)?.[1] ?? '';
  if (stage !== undefined) context.requests.push({ stage, repo });
  for (const fault of await takePlanned(context, stage, repo)) {
    if (fault.kind === 'delay') await new Promise((done) => setTimeout(done, fault.milliseconds));
    else if (fault.kind === 'status')
      return void response.writeHead(fault.code).end('A fault that the test asked for.\n');
    else if (fault.kind === 'cut-request') return cutAfter(request, fault.afterBytes);
    else return httpBackend(context, request, response, fault.afterBytes);
  }
  return httpBackend(context, request, response);
}

/** Runs what is planned for this request, and returns the faults. */
async function takePlanned({ planned }: Context, stage: Stage | undefined, repo: string): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  for (const plan of planned) {
    if (plan.left === 0 || plan.stage !== stage || (plan.repo !== undefined && plan.repo !== repo)) continue;
    plan.left -= 1;
    await plan.run?.();
    if (plan.fault !== undefined) faults.push(plan.fault);
  }
  return faults;
}

async function cutAfter(request: IncomingMessage, bytes: number): Promise<void> {
  let seen = 0;
  for await (const chunk of request) {
    seen += (chunk as Buffer).length;
    if (seen >= bytes) break;
  }
  request.socket.destroy();
}

function stageOf(url: URL): Stage | undefined {
  const service = url.pathname.endsWith('/info/refs') ? url.searchParams.get('service') : undefined;
  if (service === 'git-upload-pack') return 'ask-fetch';
  if (service === 'git-receive-pack') return 'ask-push';
  if (url.pathname.endsWith('/git-upload-pack')) return 'fetch';
  return url.pathname.endsWith('/git-receive-pack') ? 'push' : undefined;
}

function isKnown(request: IncomingMessage, { username, password }: Credentials): boolean {
  return request.headers.authorization === `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

function userInfo(credentials: Credentials | undefined): string {
  if (credentials === undefined) return '';
  return `${encodeURIComponent(credentials.username)}:${encodeURIComponent(credentials.password)}@`;
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(port, '127.0.0.1', done);
  });
  return (server.address() as AddressInfo).port;
}
