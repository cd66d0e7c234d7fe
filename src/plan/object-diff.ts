import type { Json } from '../render/yaml.ts';
import { compareText } from './change.ts';

/** A rendered object and what identifies it: `<group>/<Kind>/<namespace>/<name>`. */
export interface RenderedObject {
  readonly id: string;
  readonly value: JsonObject;
}

export interface JsonObject {
  readonly [key: string]: Json;
}

/** What changes of one object. Plain JSON. */
export interface ObjectDiff {
  readonly id: string;
  readonly action: 'added' | 'changed' | 'removed';
  /** Only of changed ones, sorted by path. */
  readonly fields: readonly FieldDiff[];
}

/** `before` is absent for what was added, `after` for what was removed. */
export interface FieldDiff {
  /** `spec.template.spec.containers[name=syncer].image`; keys that are no plain word are quoted. */
  readonly path: string;
  readonly before?: Json;
  readonly after?: Json;
}

/** By objects and fields, not by lines: the order of keys, of objects and of entries with names means nothing. */
export function objectDiffs(before: readonly RenderedObject[], after: readonly RenderedObject[]): ObjectDiff[] {
  const was = new Map(before.map(({ id, value }) => [id, value]));
  const is = new Map(after.map(({ id, value }) => [id, value]));
  const ids = [...new Set([...was.keys(), ...is.keys()])].sort(compareText);
  return ids.flatMap((id): ObjectDiff[] => {
    const [old, now] = [was.get(id), is.get(id)];
    if (old === undefined) return [{ id, action: 'added', fields: [] }];
    if (now === undefined) return [{ id, action: 'removed', fields: [] }];
    const fields = mapDiffs(old, now, '').sort((a, b) => compareText(a.path, b.path));
    return fields.length === 0 ? [] : [{ id, action: 'changed', fields }];
  });
}

function valueDiffs(before: Json, after: Json, path: string): FieldDiff[] {
  if (isMap(before) && isMap(after)) return mapDiffs(before, after, path);
  if (Array.isArray(before) && Array.isArray(after)) return listDiffs(before, after, path);
  return before === after ? [] : [{ path, before, after }];
}

function mapDiffs(before: JsonObject, after: JsonObject, path: string): FieldDiff[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key) => entryDiffs(own(before, key), own(after, key), `${path}${step(key, path === '')}`));
}

/** Names come from outside: `constructor` is a key like any other. */
function own(map: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

function entryDiffs(before: Json | undefined, after: Json | undefined, path: string): FieldDiff[] {
  if (before === undefined) return after === undefined ? [] : [{ path, after }];
  return after === undefined ? [{ path, before }] : valueDiffs(before, after, path);
}

function step(key: string, first: boolean): string {
  if (!/^[A-Za-z_][\w-]*$/.test(key)) return `[${JSON.stringify(key)}]`;
  return first ? key : `.${key}`;
}

/** What may tell the entries of a list apart, as the API's own merge keys do. */
const nameKeys = ['name', 'mountPath', 'containerPort', 'port', 'host', 'ip', 'address', 'topologyKey'];

function listDiffs(before: readonly Json[], after: readonly Json[], path: string): FieldDiff[] {
  const key = nameKeys.find((candidate) => isUnique(before, candidate) && isUnique(after, candidate));
  if (key !== undefined && before.length + after.length > 0) return namedDiffs(before, after, { path, key });
  return isOrdered(path) ? wholeDiff(before, after, path) : memberDiffs(before, after, path);
}

function isUnique(list: readonly Json[], key: string): boolean {
  const names = list.map((entry) => (isMap(entry) ? own(entry, key) : undefined));
  return (
    names.every((name) => typeof name === 'string' || typeof name === 'number') && new Set(names).size === list.length
  );
}

function namedDiffs(
  before: readonly Json[],
  after: readonly Json[],
  { path, key }: { readonly path: string; readonly key: string },
): FieldDiff[] {
  const named = (list: readonly Json[]) => new Map(list.filter(isMap).map((entry) => [String(entry[key]), entry]));
  const [was, is] = [named(before), named(after)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((name) =>
    entryDiffs(was.get(name), is.get(name), `${path}[${key}=${name}]`),
  );
}

/** A command's words mean nothing one by one. */
function isOrdered(path: string): boolean {
  return /\.(?:args|command)$/.test(path);
}

function wholeDiff(before: readonly Json[], after: readonly Json[], path: string): FieldDiff[] {
  return canonical(before) === canonical(after) ? [] : [{ path, before, after }];
}

/**
 * Entries without names: those that are the same on both sides pair off, however they are ordered; one left on each side
 * is the same entry changed; of others it is not known which became which.
 */
function memberDiffs(before: readonly Json[], after: readonly Json[], path: string): FieldDiff[] {
  const gone = without(before, after);
  const come = without(after, before);
  const [old] = gone;
  const [now] = come;
  if (gone.length === 1 && come.length === 1 && isMap(old) && isMap(now)) {
    return valueDiffs(old, now, `${path}[${before.indexOf(old)}]`);
  }
  return [
    ...gone.map((entry) => ({ path: `${path}[]`, before: entry })),
    ...come.map((entry) => ({ path: `${path}[]`, after: entry })),
  ];
}

/** A difference of multisets. */
function without(list: readonly Json[], others: readonly Json[]): Json[] {
  const counts = new Map<string, number>();
  for (const other of others.map(canonical)) counts.set(other, (counts.get(other) ?? 0) + 1);
  return list.filter((entry) => {
    const text = canonical(entry);
    const left = counts.get(text) ?? 0;
    counts.set(text, left - 1);
    return left <= 0;
  });
}

/** One text for values that mean the same. */
function canonical(value: Json): string {
  return JSON.stringify(value, (_, inner: Json) =>
    isMap(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => compareText(a, b))) : inner,
  );
}

export function isMap(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
