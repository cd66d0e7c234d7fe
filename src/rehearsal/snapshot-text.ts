import type { Snapshot } from './snapshot.ts';

/**
 * A snapshot as lines of JSON: what it is, then one line for each thing in it, then how many lines there were. So it can be
 * written and read bit by bit, however large the cluster is, and one that was cut short is seen to be.
 */

const formatVersion = 1;

const lists = [
  'nodes',
  'pods',
  'controllers',
  'budgets',
  'csiDrivers',
  'volumes',
  'namespaces',
  'kinds',
  'unserved',
  'objects',
  'releases',
  'claims',
  'installations',
  'claimWorkloads',
  'unread',
] as const satisfies readonly (keyof Snapshot)[];

type List = (typeof lists)[number];

/** Each with its line break. */
export function* snapshotLines(snapshot: Snapshot): Generator<string> {
  const { version, takenBy, takenAt, tookMs, cluster, priorityClasses } = snapshot;
  yield line({ quiesceSnapshot: version, takenBy, takenAt, tookMs, cluster, priorityClasses });
  let count = 1;
  for (const list of lists) {
    for (const item of snapshot[list]) {
      yield line({ [list]: item });
      count += 1;
    }
  }
  yield line({ end: count });
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

export type ReadSnapshot =
  | { readonly kind: 'ok'; readonly snapshot: Snapshot }
  /** `why` is a sentence, `remedy` another one. */
  | { readonly kind: 'refused'; readonly why: string; readonly remedy: string };

/** Kinds of lines that a later version adds are passed over. */
export function readSnapshot(text: Iterable<string>): ReadSnapshot {
  const parts = new Map<List, unknown[]>(lists.map((list) => [list, []]));
  let head: Partial<Head> | undefined;
  let count = 0;
  for (const each of text) {
    const value = parsed(each);
    if (value === undefined) return count === 0 ? foreign : damaged(count + 1);
    if (head === undefined) {
      const refused = refusal(value);
      if (refused !== undefined) return refused;
      head = value;
    } else if ('end' in value) return value.end === count ? whole(head, parts) : damaged(count + 1);
    else for (const [key, item] of Object.entries(value)) parts.get(key as List)?.push(item);
    count += 1;
  }
  return count === 0 ? foreign : cutShort(count);
}

type Head = Pick<Snapshot, 'takenBy' | 'takenAt' | 'tookMs' | 'cluster' | 'priorityClasses'>;

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function refusal(head: Record<string, unknown>): ReadSnapshot | undefined {
  const { quiesceSnapshot: version, takenAt, cluster } = head;
  if (typeof version !== 'number' || typeof takenAt !== 'number' || typeof cluster !== 'object') return foreign;
  if (version <= formatVersion) return undefined;
  return {
    kind: 'refused',
    why: `It was taken by a newer Quiesce: its format is ${version}, and this one reads up to ${formatVersion}.`,
    remedy: 'Rehearse with that version, or take it anew with this one.',
  };
}

const foreign: ReadSnapshot = {
  kind: 'refused',
  why: 'It is no snapshot of Quiesce.',
  remedy: 'Take one with "quiesce snapshot -o FILE".',
};

function damaged(at: number): ReadSnapshot {
  return { kind: 'refused', why: `It is damaged in line ${at}.`, remedy: 'Take it anew.' };
}

function cutShort(count: number): ReadSnapshot {
  return {
    kind: 'refused',
    why: `It is cut short after ${count} ${count === 1 ? 'line' : 'lines'}.`,
    remedy: 'Take it anew, or copy it again.',
  };
}

/** What the lines hold is trusted to have the types of this format: it comes from us. */
function whole(head: Partial<Head>, parts: ReadonlyMap<List, unknown[]>): ReadSnapshot {
  const { takenBy = '', takenAt = 0, tookMs = 0, cluster = { name: '' }, priorityClasses = {} } = head;
  const read = Object.fromEntries(parts) as unknown as Pick<Snapshot, List>;
  return { kind: 'ok', snapshot: { version: 1, takenBy, takenAt, tookMs, cluster, priorityClasses, ...read } };
}
