import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import type { KubeConfig } from '@kubernetes/client-node';
import { type Access, clientFor, writeKubeconfig } from './access.ts';
import type { Cluster } from './cluster.ts';
import { files } from './control-plane-flags.ts';

export interface FaultProxy {
  /** The cluster's own credentials, through the proxy. */
  readonly access: Access;
  readonly client: KubeConfig;
  readonly kubeconfig: string;
  /** The same way for somebody else, for example with the token of a ServiceAccount. */
  accessAs(token: string): Access;
  /** Every request so far, in the order of arrival, those that were not let through included. */
  readonly requests: readonly SeenRequest[];
  /** Of the faults that match a request only the first one injected takes effect. */
  inject(fault: Fault): InjectedFault;
  /** Ends every watch that is open, without a word, and tells how many. */
  dropWatches(): number;
  stop(): Promise<void>;
}

interface SeenRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly userAgent: string;
  readonly fault: Effect['effect'] | undefined;
}

interface Selection {
  readonly method?: string;
  /** Tried on the path with its query: `/watch=(1|true)/` selects watches. */
  readonly path?: RegExp;
  /** After so many hits the fault is over. Default: for ever. */
  readonly times?: number;
}

type Effect =
  /** Let through after a while. */
  | { readonly effect: 'delay'; readonly ms: number }
  /** The connection breaks before the API server sees the request. */
  | { readonly effect: 'cut' }
  /** The API server does what it is asked, and the connection breaks before the client knows. */
  | { readonly effect: 'lose-answer' }
  /** Neither an answer nor an end. */
  | { readonly effect: 'hang' }
  | {
      readonly effect: 'answer';
      readonly status: number;
      readonly reason?: string;
      readonly retryAfterSeconds?: number;
    }
  /** A watch that is accepted and then says that its resource version is too old, as the API server does it. */
  | { readonly effect: 'expire-watch' };

type Fault = Selection & Effect;

export interface InjectedFault {
  hits(): number;
  remove(): void;
}

interface ActiveFault {
  readonly fault: Fault;
  hits: number;
}

/** Between a client and the API server, under the API server's own certificate. It speaks HTTP/1.1 only. */
export async function startFaultProxy(cluster: Cluster): Promise<FaultProxy> {
  const agent = new Agent({ ca: cluster.access.ca, keepAlive: true });
  const active: ActiveFault[] = [];
  const requests: SeenRequest[] = [];
  const watches = new Set<ServerResponse>();
  const [cert, key] = await Promise.all(
    [files.certificate, files.certificateKey].map((file) => readFile(join(cluster.sandbox.folder, file))),
  );
  const server = createServer({ ...(cert && { cert }), ...(key && { key }) }, (asked, answer) => {
    const hit = firstMatch(active, asked);
    requests.push(seen(asked, hit));
    if (isWatch(asked)) remember(watches, answer);
    const pass = (onAnswer: OnAnswer) => forward({ asked, answer, agent, to: cluster.access.url, onAnswer });
    play(hit ?? { effect: 'delay', ms: 0 }, { asked, answer, pass });
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const access = { ...cluster.access, url };
  const stop = async () => {
    server.closeAllConnections();
    agent.destroy();
    if (server.listening) await once(server.close(), 'close');
  };
  cluster.onStop(stop);
  return {
    access,
    client: clientFor(access),
    kubeconfig: await writeKubeconfig(join(cluster.sandbox.folder, `proxy-${new URL(url).port}.kubeconfig`), access),
    accessAs: (token) => ({ ...access, token }),
    requests,
    inject: (fault) => inject(active, fault),
    dropWatches: () => dropAll(watches),
    stop,
  };
}

function inject(active: ActiveFault[], fault: Fault): InjectedFault {
  const entry: ActiveFault = { fault, hits: 0 };
  active.push(entry);
  return {
    hits: () => entry.hits,
    remove: () => {
      if (active.includes(entry)) active.splice(active.indexOf(entry), 1);
    },
  };
}

function firstMatch(active: readonly ActiveFault[], { method, url = '' }: IncomingMessage): Fault | undefined {
  const entry = active.find(({ fault, hits }) => {
    const { times = Number.POSITIVE_INFINITY } = fault;
    return hits < times && (fault.method ?? method) === method && (fault.path?.test(url) ?? true);
  });
  if (entry !== undefined) entry.hits += 1;
  return entry?.fault;
}

type OnAnswer = (received: IncomingMessage) => void;

interface Exchange {
  readonly asked: IncomingMessage;
  readonly answer: ServerResponse;
  pass(onAnswer: OnAnswer): void;
}

function play(effect: Effect, { asked, answer, pass }: Exchange): void {
  const relay = (received: IncomingMessage) => {
    answer.writeHead(received.statusCode ?? 502, received.headers);
    // A watch that has nothing to tell yet is open all the same; one that the API server breaks off breaks off here.
    answer.flushHeaders();
    pipeline(received, answer, () => undefined);
  };
  switch (effect.effect) {
    case 'delay':
      if (effect.ms === 0) pass(relay);
      else setTimeout(() => pass(relay), effect.ms).unref();
      return;
    case 'cut':
      asked.socket.destroy();
      return;
    case 'lose-answer':
      pass((received) => received.resume().once('end', () => asked.socket.destroy()));
      return;
    case 'hang':
      asked.resume();
      return;
    case 'answer':
      asked.resume();
      refuse(answer, effect);
      return;
    case 'expire-watch':
      answer.writeHead(200, { 'content-type': 'application/json' });
      answer.end(`${JSON.stringify({ type: 'ERROR', object: statusObject(410, 'Expired') })}\n`);
      return;
  }
}

interface Forward {
  readonly asked: IncomingMessage;
  readonly answer: ServerResponse;
  readonly agent: Agent;
  readonly to: string;
  readonly onAnswer: OnAnswer;
}

function forward({ asked, answer, agent, to, onAnswer }: Forward): void {
  const url = new URL(asked.url ?? '/', to);
  const sent = request(url, { agent, method: asked.method, headers: { ...asked.headers, host: url.host } }, onAnswer);
  // To the client an API server that breaks off looks the same with and without the proxy.
  sent.once('error', () => asked.socket.destroy());
  answer.once('close', () => sent.destroy());
  asked.pipe(sent);
}

function refuse(answer: ServerResponse, { status, reason, retryAfterSeconds }: Effect & { effect: 'answer' }): void {
  const retry = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  answer.writeHead(status, { 'content-type': 'application/json', ...retry });
  answer.end(JSON.stringify(statusObject(status, reason ?? reasons[status] ?? 'Unknown')));
}

const reasons: Readonly<Record<number, string>> = {
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Expired',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
};

function statusObject(code: number, reason: string) {
  const message = `injected by the test: ${code} ${reason}`;
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
}

function seen({ method = '', url = '', headers }: IncomingMessage, hit: Fault | undefined): SeenRequest {
  return { method, path: url, userAgent: headers['user-agent'] ?? '', fault: hit?.effect };
}

function isWatch({ url = '' }: IncomingMessage): boolean {
  return /[?&]watch=(1|true)(&|$)/.test(url);
}

function remember(watches: Set<ServerResponse>, answer: ServerResponse): void {
  watches.add(answer);
  answer.once('close', () => watches.delete(answer));
}

function dropAll(watches: Set<ServerResponse>): number {
  const dropped = [...watches];
  for (const watch of dropped) watch.destroy();
  return dropped.length;
}
