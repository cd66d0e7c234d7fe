import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CannotListen } from '../sidecar/health.ts';
import type { ListenAddress } from '../sidecar/option-values.ts';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Address of the other end of the connection. */
  readonly socket: string | undefined;
  header(name: string): string | undefined;
  /** Empty when it is longer than a form of ours can be. */
  body(): Promise<string>;
}

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type App = (asked: Asked) => Promise<Answer>;

export interface ServeOptions {
  readonly listen: ListenAddress;
  /** On every answer. */
  readonly headers: Readonly<Record<string, string>>;
  readonly onAsked: () => void;
  readonly onAnswer: (method: string, seconds: number) => void;
}

export interface PageServer {
  readonly port: number;
  /** Ends what is under way first. */
  close(): Promise<void>;
}

/** A form of ours has about 60 characters. */
const longestBody = 4_096;

/**
 * Node's own server: `Request` and `Response`, on which frameworks build, would take a sixth of the page's memory.
 * Throws CannotListen.
 */
export async function servePage(app: App, { listen, headers, onAsked, onAnswer }: ServeOptions): Promise<PageServer> {
  const { host, port } = listen;
  const server = createServer(
    // Whoever sends a request slowly must not hold a connection for long.
    { requestTimeout: 20_000, headersTimeout: 10_000, keepAliveTimeout: 10_000, maxHeaderSize: 16_384 },
    (request, response) => {
      const begin = performance.now();
      onAsked();
      app(askedIn(request))
        .then((answer) => send(request, response, { ...answer, headers: { ...headers, ...answer.headers } }))
        .catch(() => response.destroy())
        .finally(() => onAnswer(request.method ?? '', (performance.now() - begin) / 1000));
    },
  );
  server.maxConnections = 2_000;
  server.listen({ port, ...(host !== undefined && { host }) });
  try {
    await once(server, 'listening');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CannotListen(`cannot listen on ${host ?? ''}:${port}: ${why}`);
  }
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      await closed;
    },
  };
}

function askedIn(request: IncomingMessage): Asked {
  const [path = '', query = ''] = (request.url ?? '').split('?', 2);
  return {
    method: request.method ?? '',
    path,
    query: new URLSearchParams(query),
    socket: request.socket.remoteAddress,
    header: (name) => {
      const value = request.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    body: async () => bodyOf(request),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes <= longestBody) chunks.push(chunk as Buffer);
    else if (bytes > 16 * longestBody) break;
  }
  return bytes > longestBody ? '' : Buffer.concat(chunks).toString('utf8');
}

function send(request: IncomingMessage, response: ServerResponse, { status, type, body, headers }: Answer): void {
  // What was not read of a request would be taken for the next one.
  if (!request.complete) response.setHeader('Connection', 'close');
  response.writeHead(status, {
    ...headers,
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}
