import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { clientFor, type KubeClient, type RequestSeen } from '../../../src/sidecar/kube/client.ts';

export interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly body: string;
}

export interface ScriptedServer {
  readonly client: KubeClient;
  readonly asked: readonly Asked[];
  readonly seen: readonly RequestSeen[];
  /** How often the credentials were thrown away. */
  forgotten(): number;
  stop(): Promise<void>;
}

/** Something that speaks HTTP and answers as a test says, for what a real API server cannot be made to do. */
export async function startScripted(
  respond: (asked: Asked, answer: ServerResponse, request: IncomingMessage) => void,
  limitMs = 2000,
): Promise<ScriptedServer> {
  const asked: Asked[] = [];
  const seen: RequestSeen[] = [];
  let forgotten = 0;
  const server = createServer((request, answer) => {
    void text(request).then((body) => {
      const one = { method: request.method ?? '', url: new URL(request.url ?? '/', 'http://localhost'), body };
      asked.push(one);
      respond(one, answer, request);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const agent = new Agent({ keepAlive: true });
  const client = clientFor({
    connection: {
      server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      context: 'scripted',
      credentials: async () => ({ agent, headers: { Authorization: 'Bearer one' } }),
      forget: () => {
        forgotten += 1;
      },
    },
    userAgent: 'test',
    limitMs,
    onRequest: (request) => seen.push(request),
  });
  return {
    client,
    asked,
    seen,
    forgotten: () => forgotten,
    stop: async () => {
      agent.destroy();
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

export function json(answer: ServerResponse, value: unknown, status = 200): void {
  answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
