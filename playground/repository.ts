import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Backend, httpBackend, killGroup } from '../test/support/git-http-backend.ts';
import { isolatedEnvironment, makeBare, runGit } from '../test/support/temp-repo.ts';
import { Refusal } from './options.ts';

/** A move of the branch `main`. */
export interface Push {
  readonly commits: readonly { readonly id: string; readonly subject: string; readonly author: string }[];
  readonly tip: string;
  /** Paths of the files that differ. */
  readonly changed: readonly string[];
}

/** A bare repository that git reaches over HTTP, for reading and writing. */
export interface Repository {
  readonly url: string;
  /** For git in this folder's clones: it knows nothing of the person at the terminal. */
  readonly env: Readonly<Record<string, string>>;
  /** Told of every push from then on. */
  onPush(listener: (push: Push) => void): void;
  close(): Promise<void>;
}

const name = 'clusters';

export async function serveRepository(folder: string, port: number): Promise<Repository> {
  const git = join(folder, 'git');
  // By the mark, the reaper finds what git leaves running if this process is killed.
  const env = { ...isolatedEnvironment(folder), QUIESCE_SANDBOX: folder };
  const bare = join(git, `${name}.git`);
  makeBare(bare);
  const listeners: ((push: Push) => void)[] = [];
  const backend: Backend = { folder: git, env, children: new Set() };
  let before = '';
  let reading = Promise.resolve();
  const look = async () => {
    const tip = await tipOf(bare, env);
    if (tip === before || tip === '') return;
    const push = await readPush(bare, env, { before, tip });
    before = tip;
    for (const listener of listeners) listener(push);
  };
  const server = createServer((request, response) => {
    if (isPush(request)) {
      response.once('close', () => {
        reading = reading.then(look, look);
      });
    }
    answer(backend, request, response);
  });
  return {
    url: `http://127.0.0.1:${await listen(server, port)}/${name}.git`,
    env,
    onPush: (listener) => listeners.push(listener),
    close: async () => {
      for (const child of backend.children) killGroup(child);
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

function isPush({ method, url = '' }: IncomingMessage): boolean {
  return method === 'POST' && url.endsWith('/git-receive-pack');
}

function answer(backend: Backend, request: IncomingMessage, response: ServerResponse): void {
  httpBackend(backend, request, response).catch(() => response.destroy());
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? 'is taken' : `cannot be listened on (${message})`;
    throw new Refusal(`port ${port} ${why}. Choose another with --port, or any free one without it`);
  }
  return (server.address() as AddressInfo).port;
}

async function tipOf(bare: string, env: NodeJS.ProcessEnv): Promise<string> {
  return (await runGit(bare, ['for-each-ref', '--format=%(objectname)', 'refs/heads/main'], env)).trim();
}

async function readPush(
  bare: string,
  env: NodeJS.ProcessEnv,
  { before, tip }: { readonly before: string; readonly tip: string },
): Promise<Push> {
  const range = before === '' ? [tip] : [`${before}..${tip}`];
  const log = await runGit(bare, ['log', '--reverse', '--format=%H%x09%an%x09%s', ...range], env);
  const compared = before === '' ? ['ls-tree', '-r', '--name-only', tip] : ['diff', '--name-only', before, tip];
  const files = await runGit(bare, compared, env);
  const commits = lines(log).map((line) => {
    const [id = '', author = '', ...subject] = line.split('\t');
    return { id, author, subject: subject.join('\t') };
  });
  return { commits, tip, changed: lines(files) };
}

function lines(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}
