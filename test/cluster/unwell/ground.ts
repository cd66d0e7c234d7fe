import type { FaultProxy } from '../../support/faults.ts';
import { type AuditLine, sidecarUser } from '../sidecar/audit.ts';

/** How an API server answers that cannot do what it is asked. */
interface Illness {
  readonly status: 410 | 429 | 500;
  readonly retryAfterSeconds?: number;
}

export const illnesses: readonly Illness[] = [{ status: 429, retryAfterSeconds: 2 }, { status: 500 }, { status: 410 }];

/** Requests of the sidecar, by what they ask. */
const asked = {
  /** Of kinds, and of objects; watches begin with one. */
  lists: [{ path: /[?&]limit=/ }, { path: /^\/apis?$/ }],
  deletions: [{ method: 'DELETE' }],
  watches: [{ path: /[?&]watch=true/ }],
} as const satisfies Readonly<Record<string, readonly { readonly method?: string; readonly path?: RegExp }[]>>;

/** From now on, until it is called. */
export function infect(proxy: FaultProxy, illness: Illness, ...what: readonly (keyof typeof asked)[]): () => void {
  const faults = what.flatMap((each) =>
    asked[each].map((some) => proxy.inject({ effect: 'answer', ...illness, ...some })),
  );
  return () => {
    for (const fault of faults) fault.remove();
  };
}

/** That were granted, since the log had so many lines: `resource name`. */
export function deletionsSince(lines: readonly AuditLine[], before: number): string[] {
  return lines
    .slice(before)
    .filter(({ user, verb, status }) => user === sidecarUser && verb.startsWith('delete') && status < 300)
    .map(({ resource, name }) => `${resource} ${name}`);
}
