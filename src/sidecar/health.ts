import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ListenAddress } from './option-values.ts';

/** What may be wrong, each by its name; empty is well. */
type Complaints = () => readonly string[];

export interface HealthOptions {
  readonly listen: ListenAddress;
  readonly metricsListen?: ListenAddress;
  /** Wrong in a way that only a restart mends. */
  readonly alive: Complaints;
  /** Not yet, or not now, of use. */
  readonly ready: Complaints;
  readonly metrics: () => Promise<{ readonly contentType: string; readonly text: string }>;
}

export interface HealthServers {
  /** Ports that are listened on: of --listen, then of --metrics-listen. */
  readonly ports: readonly number[];
  close(): Promise<void>;
}

type Page = (answer: ServerResponse) => void | Promise<void>;

/** The address is taken, or not ours: wrong use, in words. */
export class CannotListen extends Error {
  override readonly name = 'CannotListen';
}

/** Throws CannotListen. */
export async function serveHealth(options: HealthOptions): Promise<HealthServers> {
  const health: Record<string, Page> = {
    '/healthz': (answer) => complain(answer, options.alive()),
    '/readyz': (answer) => complain(answer, options.ready()),
  };
  const metrics: Record<string, Page> = {
    '/metrics': async (answer) => {
      const { contentType, text } = await options.metrics();
      answer.writeHead(200, { 'content-type': contentType }).end(text);
    },
  };
  const servers =
    options.metricsListen === undefined
      ? [await serve(options.listen, { ...health, ...metrics })]
      : [await serve(options.listen, health), await serve(options.metricsListen, metrics)];
  return {
    ports: servers.map((server) => (server.address() as AddressInfo).port),
    close: async () => {
      for (const server of servers) {
        server.closeAllConnections();
        if (server.listening) await once(server.close(), 'close');
      }
    },
  };
}

async function serve({ host, port }: ListenAddress, pages: Readonly<Record<string, Page>>): Promise<Server> {
  const server = createServer((asked, answer) => {
    const page = pages[(asked.url ?? '').replace(/\?.*/, '')];
    if (page === undefined || (asked.method !== 'GET' && asked.method !== 'HEAD')) {
      answer.writeHead(page === undefined ? 404 : 405).end();
      return;
    }
    Promise.resolve(page(answer)).catch(() => answer.destroy());
  });
  server.listen({ port, ...(host !== undefined && { host }) });
  try {
    await once(server, 'listening');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CannotListen(`cannot listen on ${host ?? ''}:${port}: ${why}`);
  }
  return server;
}

function complain(answer: ServerResponse, complaints: readonly string[]): void {
  answer.writeHead(complaints.length === 0 ? 200 : 503, { 'content-type': 'text/plain; charset=utf-8' });
  answer.end(complaints.length === 0 ? 'ok\n' : `${complaints.join('\n')}\n`);
}
