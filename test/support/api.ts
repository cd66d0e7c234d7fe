import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import type { Access } from './access.ts';

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its query. */
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly limitSeconds?: number;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The API server said no: `status` is HTTP's, `answer` is its Status object. */
export class ApiRefusal extends Error {
  readonly status: number;
  readonly answer: StatusObject;

  constructor({ method, path }: ApiRequest, { status, body }: ApiAnswer) {
    const answer = asJson(body);
    super(`${method} ${path}: ${status} ${answer.message ?? body}`);
    this.status = status;
    this.answer = answer;
  }
}

export interface StatusObject {
  readonly message?: string;
  readonly reason?: string;
  readonly details?: { readonly causes?: readonly { readonly reason?: string; readonly message?: string }[] };
}

const agents = new WeakMap<Access, Agent>();

/**
 * One request as it is and its answer as it is. The client library drops fields it does not know, turns times into
 * Dates and lower-cases names in paths; tests have to speak about what the server really holds.
 */
export async function send(
  access: Access,
  { method, path, body, contentType, limitSeconds = 30 }: ApiRequest,
): Promise<ApiAnswer> {
  const { url, ca, token } = access;
  const agent = agents.get(access) ?? new Agent({ ca, keepAlive: true, maxSockets: 8 });
  agents.set(access, agent);
  const payload = body === undefined ? '' : JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    'content-type': contentType ?? 'application/json',
    // Node says no length with a DELETE, and the server would read the body as the next request.
    'content-length': Buffer.byteLength(payload),
  };
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, url), { agent, headers, method }, (answer) => {
      const { statusCode = 0, headers } = answer;
      text(answer).then((all) => resolve({ status: statusCode, headers, body: all }), reject);
    });
    sent.setTimeout(limitSeconds * 1000, () =>
      sent.destroy(new Error(`no answer to ${method} ${path} within ${limitSeconds} s`)),
    );
    sent.once('error', reject);
    sent.end(payload);
  });
}

/** The object in the answer; throws ApiRefusal. */
export async function call<T>(access: Access, request: ApiRequest): Promise<T> {
  const answer = await send(access, request);
  if (answer.status >= 300) throw new ApiRefusal(request, answer);
  return JSON.parse(answer.body) as T;
}

function asJson(body: string): StatusObject {
  try {
    return JSON.parse(body) as StatusObject;
  } catch {
    return {};
  }
}
