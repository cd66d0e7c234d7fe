/** The API server answered, and the answer is no. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  readonly reason: string;
  readonly causes: readonly Cause[];
  readonly retryAfterSeconds: number | undefined;

  constructor(what: string, answer: RefusedAnswer) {
    const said = statusObject(answer.text);
    super(`${what}: ${answer.status} ${said.message ?? answer.text.slice(0, 300)}`);
    this.status = answer.status;
    this.reason = said.reason ?? '';
    this.causes = said.details?.causes ?? [];
    this.retryAfterSeconds = answer.retryAfterSeconds ?? said.details?.retryAfterSeconds;
  }
}

/** Nobody knows whether the request was carried out: the connection broke, or time was up. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';

  constructor(what: string, cause: unknown) {
    super(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** Errors of the world; of any other kind they are a mistake of ours, and go on up. */
export function refusal(error: unknown): { readonly status: number; readonly text: string } {
  if (error instanceof Refused) return { status: error.status, text: error.message };
  if (error instanceof NoAnswer) return { status: 0, text: error.message };
  throw error;
}

/** As a word, for logs and metrics. */
export function outcomeOf(status: number): string {
  if (status === 0) return 'no-answer';
  return status === 409 ? 'conflict' : `refused-${status}`;
}

export interface Cause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

export interface RefusedAnswer {
  readonly status: number;
  readonly text: string;
  readonly retryAfterSeconds?: number | undefined;
}

/** As the API server words a refusal. Proxies in between do not, so nothing of it is certain to be there. */
interface StatusObject {
  readonly message?: string;
  readonly reason?: string;
  readonly details?: { readonly causes?: readonly Cause[]; readonly retryAfterSeconds?: number };
}

function statusObject(text: string): StatusObject {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}
