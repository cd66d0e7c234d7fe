/**
 * What the API server says to an eviction, by what a drain does about it. From kubernetes
 * `pkg/registry/core/pod/storage/eviction.go`; other admission may add refusals of its own.
 */
export type EvictionAnswer =
  | { readonly kind: 'evicted' }
  /** No such pod: done, once its absence is seen. */
  | { readonly kind: 'gone' }
  /** The name is another pod's now: done with ours. */
  | { readonly kind: 'replaced' }
  | { readonly kind: 'blockedByBudget'; readonly budget?: string; readonly needs?: number; readonly has?: number }
  /** The disruption controller has not yet seen the budget as it is, or its pods. */
  | { readonly kind: 'budgetUnobserved'; readonly budget?: string; readonly retryAfterSeconds: number }
  /** Negative, or with more than 2000 evictions that its controller has not confirmed. */
  | { readonly kind: 'budgetRefuses'; readonly text: string }
  /** The API server has too much to do: meant for the client, not for this pod. */
  | { readonly kind: 'slowDown'; readonly retryAfterSeconds: number }
  | { readonly kind: 'namespaceTerminating' }
  /** No permission, or an admission webhook says no. */
  | { readonly kind: 'forbidden'; readonly text: string }
  /** Two budgets on one pod: the subresource does not support it, today or ever. */
  | { readonly kind: 'misconfigured' }
  /** Also a connection that was lost: `status` is 0. */
  | {
      readonly kind: 'serverError';
      readonly status: number;
      readonly text: string;
      readonly retryAfterSeconds?: number;
    };

interface Answered {
  readonly status: number;
  readonly message: string;
  readonly causes: readonly { readonly reason: string; readonly message: string }[];
  /** What it is about, when that is not the pod. */
  readonly about: string;
  readonly retryAfterSeconds?: number;
}

interface Row {
  readonly when: (answered: Answered) => boolean;
  readonly means: (answered: Answered) => EvictionAnswer;
}

/** Cause of a 429 or 403, as `details.causes[].reason`. */
const BUDGET = 'DisruptionBudget';
const NAMESPACE = 'NamespaceTerminating';

/** Of this many seconds the API server speaks itself where it names any. */
const unnamedDelay = 10;

/** The first row that fits. */
const rows: readonly Row[] = [
  { when: ({ status }) => status >= 200 && status < 300, means: () => ({ kind: 'evicted' }) },
  { when: ({ status }) => status === 404, means: () => ({ kind: 'gone' }) },
  { when: ({ status, message }) => status === 409 && /\bUID\b/.test(message), means: () => ({ kind: 'replaced' }) },
  { when: (answered) => answered.status === 429 && has(answered, BUDGET), means: byBudget },
  {
    when: ({ status }) => status === 429,
    means: ({ retryAfterSeconds }) => ({ kind: 'slowDown', retryAfterSeconds: retryAfterSeconds ?? unnamedDelay }),
  },
  {
    when: (answered) => answered.status === 403 && has(answered, NAMESPACE),
    means: () => ({ kind: 'namespaceTerminating' }),
  },
  {
    when: ({ status, about }) => status === 403 && about.startsWith('poddisruptionbudget'),
    means: ({ message }) => ({ kind: 'budgetRefuses', text: message }),
  },
  {
    when: ({ status, message }) => status === 500 && message.includes('more than one PodDisruptionBudget'),
    means: () => ({ kind: 'misconfigured' }),
  },
  {
    when: ({ status }) => status >= 400 && status < 500 && status !== 409,
    means: ({ message }) => ({ kind: 'forbidden', text: message }),
  },
];

/**
 * `body` is the parsed answer, or its text. A Status that says `Failure` counts more than the HTTP status beside it:
 * "more than one PodDisruptionBudget" comes as 201 Created with a Status of 500 in it. `retryAfterSeconds` is the
 * header, which priority and fairness sends with no Status at all.
 */
export function classifyEviction(httpStatus: number, body: unknown, retryAfterSeconds?: number): EvictionAnswer {
  const answered = read(httpStatus, body, retryAfterSeconds);
  return rows.find(({ when }) => when(answered))?.means(answered) ?? serverError(answered);
}

/**
 * The numbers are the server's own, newer than any we have watched. What the budget is now is read from the budget:
 * these words are for people, and they have changed between versions.
 */
function byBudget({ causes, retryAfterSeconds }: Answered): EvictionAnswer {
  const message = causes.find(({ reason }) => reason === BUDGET)?.message ?? '';
  const name = /disruption budget (\S+)/.exec(message)?.[1];
  const budget = name === undefined ? {} : { budget: name };
  if (message.includes('still being processed')) {
    return { kind: 'budgetUnobserved', ...budget, retryAfterSeconds: retryAfterSeconds ?? unnamedDelay };
  }
  const [, needs, found] = /needs ([0-9]+) healthy pods and has ([0-9]+)/.exec(message) ?? [];
  if (needs === undefined || found === undefined) return { kind: 'blockedByBudget', ...budget };
  return { kind: 'blockedByBudget', ...budget, needs: Number(needs), has: Number(found) };
}

function serverError({ status, message, retryAfterSeconds }: Answered): EvictionAnswer {
  const wait = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return { kind: 'serverError', status, text: message, ...wait };
}

function has({ causes }: Answered, cause: string): boolean {
  return causes.some(({ reason }) => reason === cause);
}

function read(httpStatus: number, body: unknown, header: number | undefined): Answered {
  const status = record(body);
  const details = record(status.details);
  const isFailure = status.status === 'Failure' && typeof status.code === 'number';
  const seconds = details.retryAfterSeconds;
  const told = header ?? (typeof seconds === 'number' && seconds > 0 ? seconds : undefined);
  return {
    status: isFailure ? Number(status.code) : httpStatus,
    message: typeof body === 'string' ? body : text(status.message),
    causes: list(details.causes).map((cause) => ({
      reason: text(record(cause).reason),
      message: text(record(cause).message),
    })),
    about: text(details.kind).toLowerCase(),
    ...(told !== undefined && { retryAfterSeconds: told }),
  };
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
