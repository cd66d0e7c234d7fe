import { type ChildProcess, spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

export interface Backend {
  /** Holds the repositories. */
  readonly folder: string;
  readonly env: Record<string, string>;
  /** Those at work. */
  readonly children: Set<ChildProcess>;
}

/** One CGI call. Bodies are streamed both ways, so that packs of any size go through. */
export async function httpBackend(
  { folder, env, children }: Backend,
  request: IncomingMessage,
  response: ServerResponse,
  cutAfterBytes?: number,
): Promise<void> {
  const child = spawn('git', ['http-backend'], {
    cwd: folder,
    // A group of its own, so that hooks and whatever they start end with it.
    detached: true,
    env: { ...env, ...cgiVariables(request, folder) },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  children.add(child);
  child.once('close', () => children.delete(child));
  // A backend that ends before it has read everything, or a client that goes away, is part of what is tested.
  child.stdin.on('error', () => {});
  request.on('error', () => child.stdin.destroy());
  request.once('close', () => !request.complete && child.stdin.destroy());
  request.pipe(child.stdin);
  if (cutAfterBytes !== undefined) return cutAnswer(child.stdout, response, cutAfterBytes);
  const { head, rest } = await readHead(child.stdout);
  const { status, headers } = parseHead(head);
  response.writeHead(status, headers);
  response.write(rest);
  child.stdout.pipe(response);
}

/** Ends a backend with its hooks and whatever they started. */
export function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Ended by itself.
  }
}

async function cutAnswer(output: Readable, response: ServerResponse, bytes: number): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of output) chunks.push(chunk as Buffer);
  const all = Buffer.concat(chunks);
  const end = all.indexOf('\r\n\r\n');
  const { status, headers } = parseHead(all.subarray(0, end).toString());
  if (bytes === 0) return void response.destroy();
  response.writeHead(status, headers);
  response.write(all.subarray(end + 4, end + 4 + bytes), () => response.destroy());
}

function cgiVariables(request: IncomingMessage, folder: string): Record<string, string> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const header = (name: string): string => String(request.headers[name] ?? '');
  const optional: Record<string, string> = {
    CONTENT_LENGTH: header('content-length'),
    HTTP_CONTENT_ENCODING: header('content-encoding'),
    GIT_PROTOCOL: header('git-protocol'),
  };
  return {
    GIT_PROJECT_ROOT: folder,
    GIT_HTTP_EXPORT_ALL: '1',
    REQUEST_METHOD: request.method ?? 'GET',
    PATH_INFO: decodeURIComponent(url.pathname),
    QUERY_STRING: url.search.slice(1),
    CONTENT_TYPE: header('content-type'),
    REMOTE_ADDR: '127.0.0.1',
    REMOTE_USER: 'pusher',
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== '')),
  };
}

async function readHead(output: Readable): Promise<{ readonly head: string; readonly rest: Buffer }> {
  let seen = Buffer.alloc(0);
  return new Promise((done, fail) => {
    const onData = (chunk: Buffer): void => {
      seen = Buffer.concat([seen, chunk]);
      const end = seen.indexOf('\r\n\r\n');
      if (end === -1) return;
      output.pause();
      output.off('data', onData);
      done({ head: seen.subarray(0, end).toString(), rest: seen.subarray(end + 4) });
    };
    output.on('data', onData);
    output.once('end', () => fail(new Error('git http-backend gave no answer')));
    output.once('error', fail);
  });
}

function parseHead(head: string): { readonly status: number; readonly headers: Record<string, string> } {
  const headers: Record<string, string> = {};
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon)] = line.slice(colon + 1).trim();
  }
  const { Status, ...others } = headers;
  return { status: Number.parseInt(Status ?? '200', 10), headers: others };
}
