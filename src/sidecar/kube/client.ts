import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import type { Connection } from './connection.ts';
import { NoAnswer, Refused } from './failures.ts';
import { type Place, pathTo, type Resource } from './resource.ts';

type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'apply' | 'delete' | 'evict';

interface Call extends Place {
  readonly verb: Verb;
  readonly resource: Resource;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly contentType?: string;
  /** Form of the answer, if not plain JSON of the whole object. */
  readonly accept?: string | undefined;
  /** In place of the resource's own, which then only names it: for what is no resource. */
  readonly path?: string;
  readonly signal?: AbortSignal | undefined;
}

export interface Answer {
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  /** Header, as it is. */
  readonly date: string | undefined;
  readonly text: string;
}

/** One request that is over; `status` 0 is no answer. Watches are over when they are accepted or refused. */
export interface RequestSeen {
  readonly verb: Verb;
  readonly resource: string;
  readonly status: number;
  readonly seconds: number;
  readonly date: string | undefined;
}

export interface ClientOptions {
  readonly connection: Connection;
  readonly userAgent: string;
  /** For a whole request and its answer; of a watch, and of each page of a list, for the beginning of the answer. */
  readonly limitMs: number;
  readonly onRequest?: (seen: RequestSeen) => void;
}

/** Every request names its verb and its resource: nothing else is sent. */
export interface KubeClient {
  /** The answer, also one that says no. Throws NoAnswer. */
  send(call: Call): Promise<Answer>;
  /** The object in the answer. Throws Refused and NoAnswer. */
  read<T>(call: Call): Promise<T>;
  /** For lists and watches: the answer as it comes. Throws Refused and NoAnswer. */
  open(call: Call): Promise<IncomingMessage>;
}

export function clientFor(options: ClientOptions): KubeClient {
  const send = (call: Call): Promise<Answer> =>
    limited(options, call, (signal) =>
      measured(options, call, async () => {
        const message = await begin(options, call, signal);
        return { ...headOf(message), text: await text(message) };
      }),
    );
  return {
    send,
    read: async <T>(call: Call) => {
      const answer = await send(call);
      if (answer.status >= 300) throw new Refused(describe(call), answer);
      return JSON.parse(answer.text) as T;
    },
    open: (call) => limited(options, call, (signal) => open(options, call, signal)),
  };
}

/** The limit ends with the head of the answer: the rest of a watch comes whenever it comes. */
async function open(options: ClientOptions, call: Call, signal: AbortSignal): Promise<IncomingMessage> {
  let message: IncomingMessage | undefined;
  const answer = await measured(options, call, async () => {
    message = await begin(options, call, signal);
    const head = headOf(message);
    return head.status < 300 ? head : { ...head, text: await text(message) };
  });
  if (message === undefined || answer.status >= 300) throw new Refused(describe(call), answer);
  return message;
}

/** A timer of its own, gone with the request: those of AbortSignal.timeout stay until they are over. */
async function limited<T>(
  { limitMs }: ClientOptions,
  call: Call,
  act: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new Error(`no answer within ${limitMs} ms`)), limitMs);
  try {
    return await act(call.signal === undefined ? limit.signal : AbortSignal.any([limit.signal, call.signal]));
  } finally {
    clearTimeout(timer);
  }
}

async function measured(options: ClientOptions, call: Call, act: () => Promise<Answer>): Promise<Answer> {
  const { verb, resource } = call;
  const begun = performance.now();
  const seen = (status: number, date?: string) => {
    const seconds = (performance.now() - begun) / 1000;
    options.onRequest?.({ verb, resource: resource.plural, status, seconds, date });
  };
  try {
    const answer = await act();
    seen(answer.status, answer.date);
    if (answer.status === 401) options.connection.forget();
    return answer;
  } catch (error) {
    seen(0);
    throw error instanceof NoAnswer ? error : new NoAnswer(describe(call), error);
  }
}

/**
 * A connection that was kept and that the server closed meanwhile breaks at the first use. What only reads is sent once
 * more; with everything else it is for the next pass to see what came of it.
 */
async function begin(options: ClientOptions, call: Call, signal: AbortSignal): Promise<IncomingMessage> {
  try {
    return await once(options, call, signal);
  } catch (error) {
    const isStale = error instanceof NoAnswer && error.cause instanceof StaleSocket;
    if (!isStale || methods[call.verb] !== 'GET') throw error;
    return once(options, call, signal);
  }
}

class StaleSocket extends Error {}

async function once({ connection, userAgent }: ClientOptions, call: Call, signal: AbortSignal) {
  const { agent, headers } = await connection.credentials();
  const payload = call.body === undefined ? undefined : JSON.stringify(call.body);
  const url = new URL(connection.server + (call.path ?? pathTo(call.resource, call)));
  for (const [name, value] of Object.entries(call.query ?? {})) url.searchParams.set(name, value);
  const request = url.protocol === 'http:' ? plainRequest : tlsRequest;
  return new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(url, {
      agent: url.protocol === 'http:' ? undefined : agent,
      method: methods[call.verb],
      signal,
      headers: {
        ...headers,
        accept: call.accept ?? 'application/json',
        'user-agent': userAgent,
        ...(payload !== undefined && {
          'content-type': call.contentType ?? 'application/json',
          'content-length': Buffer.byteLength(payload),
        }),
      },
    });
    sent.once('response', resolve);
    sent.once('error', (error: NodeJS.ErrnoException) => {
      const cause = signal.aborted && signal.reason instanceof Error ? signal.reason : error;
      const stale = sent.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      reject(new NoAnswer(describe(call), stale ? new StaleSocket(error.message) : cause));
    });
    sent.end(payload);
  });
}

const methods: Readonly<Record<Verb, string>> = {
  get: 'GET',
  list: 'GET',
  watch: 'GET',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  apply: 'PATCH',
  delete: 'DELETE',
  evict: 'POST',
};

function headOf({ statusCode = 0, headers }: IncomingMessage): Answer {
  const seconds = Number(headers['retry-after']);
  const retryAfterSeconds = Number.isFinite(seconds) && headers['retry-after'] !== undefined ? seconds : undefined;
  return { status: statusCode, retryAfterSeconds, date: headers.date, text: '' };
}

function describe({ verb, resource, namespace, name }: Call): string {
  const what = [namespace, name].filter((part) => part !== undefined).join('/');
  return what === '' ? `${verb} ${resource.plural}` : `${verb} ${resource.plural} ${what}`;
}
