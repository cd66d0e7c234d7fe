import * as z from 'zod';
import { amounts, instant, maybe, number, text } from './shape/fields.ts';
import { release, seenObject, servedKind, unread } from './shape/objects.ts';
import { claim, claimWorkload, installation } from './shape/ours.ts';
import { budget, controller, node, pod, volume } from './shape/workload.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * A snapshot as lines of JSON: what it is, then one line for each thing in it, then how many lines there were. So it can be
 * written and read bit by bit, however large the cluster is, and one that was cut short is seen to be.
 */

const formatVersion = 1;

/** The lists in the order in which they are written, with what each of their items has to be. */
const shapes: { readonly [L in List]: z.ZodType<Snapshot[L][number]> } = {
  nodes: node,
  pods: pod,
  controllers: controller,
  budgets: budget,
  csiDrivers: text,
  volumes: volume,
  namespaces: z.object({ name: text, terminating: z.boolean() }),
  kinds: servedKind,
  unserved: unread,
  objects: seenObject,
  releases: release,
  claims: claim,
  installations: installation,
  claimWorkloads: claimWorkload,
  unread,
};

type List = { [K in keyof Snapshot]: Snapshot[K] extends readonly unknown[] ? K : never }[keyof Snapshot];

const lists = Object.keys(shapes).filter(isList);

function isList(key: string): key is List {
  return Object.hasOwn(shapes, key);
}

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

/**
 * Kinds of lines that a later version adds are passed over. What is read has the shape that the deciders rely on: a file may
 * have been edited, or come from anywhere.
 */
export function readSnapshot(text: Iterable<string>): ReadSnapshot {
  const parts = openParts();
  let head: z.infer<typeof headShape> | undefined;
  let count = 0;
  for (const each of text) {
    const value = parsed(each);
    if (value === undefined) return count === 0 ? foreign : damaged(count + 1);
    if (head === undefined) {
      const refused = refusal(value);
      if (refused !== undefined) return refused;
      const checked = headShape.safeParse(value);
      if (!checked.success) return misshapen(1, checked.error);
      head = checked.data;
    } else if ('end' in value) {
      if (value.end !== count) return damaged(count + 1);
      return { kind: 'ok', snapshot: { version: 1, ...head, ...parts.all } };
    } else {
      const error = parts.add(value);
      if (error !== undefined) return misshapen(count + 1, error);
    }
    count += 1;
  }
  return count === 0 ? foreign : cutShort(count);
}

const headShape = z.object({
  takenBy: text,
  takenAt: instant,
  tookMs: number,
  cluster: z.object({ name: text, uid: maybe(text), serverVersion: maybe(text) }),
  priorityClasses: amounts,
});

type Parts = { readonly [L in List]: Snapshot[L][number][] };

interface OpenParts {
  readonly all: Parts;
  add(line: Readonly<Record<string, unknown>>): z.ZodError | undefined;
}

function openParts(): OpenParts {
  const all: Parts = {
    nodes: [],
    pods: [],
    controllers: [],
    budgets: [],
    csiDrivers: [],
    volumes: [],
    namespaces: [],
    kinds: [],
    unserved: [],
    objects: [],
    releases: [],
    claims: [],
    installations: [],
    claimWorkloads: [],
    unread: [],
  };
  const addTo = <L extends List>(list: L, item: unknown): z.ZodError | undefined => {
    const shape: z.ZodType<Snapshot[L][number]> = shapes[list];
    const { success, data, error } = shape.safeParse(item);
    const part: Snapshot[L][number][] = all[list];
    if (success) part.push(data);
    return error;
  };
  return {
    all,
    add: (line) => {
      for (const [key, item] of Object.entries(line)) {
        const error = isList(key) ? addTo(key, item) : undefined;
        if (error !== undefined)
          return new z.ZodError(error.issues.map((issue) => ({ ...issue, path: [key, ...issue.path] })));
      }
      return undefined;
    },
  };
}

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

function misshapen(at: number, error: z.ZodError): ReadSnapshot {
  const [issue] = error.issues;
  const where = issue?.path.map(String).join('.') ?? '';
  const what = issue?.code === 'invalid_type' ? `is no ${issue.expected}` : 'has a value that no snapshot has there';
  return {
    kind: 'refused',
    why: `It is damaged in line ${at}: \`${where}\` ${what}.`,
    remedy: 'Take it anew: a snapshot is not made to be edited.',
  };
}
