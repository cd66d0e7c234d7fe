import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import type { PlainValue } from '../edit/plain-value.ts';
import { appendToList, editScalar } from '../edit/scalar.ts';
import type { DataPath } from '../validate/finding.ts';

/**
 * A record with what another version of it knows besides. Both only ever grow: lists by what happened, deadlines by
 * moving later. So the union of the two is what a single history would have led to. Records of two different claims that
 * followed each other under one name are not joined: the first argument counts.
 */
export function mergeRecords(ours: string, theirs: string): string {
  const [mine, other] = [plain(parse(ours)), plain(parse(theirs))];
  const [here, there] = [fieldOf(mine, 'spec'), fieldOf(other, 'spec')];
  if (!isMap(here) || !isMap(there)) return ours;
  if (here.identity !== undefined && there.identity !== undefined && here.identity !== there.identity) return ours;
  return join(ours, ['spec'], here, there);
}

type PlainMap = Readonly<Record<string, PlainValue>>;

function join(text: string, path: DataPath, ours: PlainMap, theirs: PlainMap): string {
  let joined = text;
  for (const [key, added] of Object.entries(theirs)) {
    const at = [...path, key];
    const known = ours[key];
    if (known === undefined || known === null) joined = editScalar(joined, 0, at, added);
    else if (isList(known) && isList(added)) joined = append(joined, at, known, added);
    else if (isMap(known) && isMap(added)) joined = join(joined, at, known, added);
    else if (path.at(-1) === 'deadlines' && isLater(added, known)) joined = editScalar(joined, 0, at, added);
  }
  return joined;
}

function append(text: string, path: DataPath, ours: readonly PlainValue[], theirs: readonly PlainValue[]): string {
  const added = theirs.filter((item) => !ours.some((known) => isDeepStrictEqual(known, item)));
  return added.reduce<string>((joined, item) => appendToList(joined, 0, path, item), text);
}

/** Instants in UTC. */
function isLater(a: PlainValue, b: PlainValue): boolean {
  return Date.parse(String(a)) > Date.parse(String(b));
}

function isList(value: PlainValue): value is readonly PlainValue[] {
  return Array.isArray(value);
}

function isMap(value: PlainValue | undefined): value is PlainMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldOf(value: PlainValue, key: string): PlainValue | undefined {
  return isMap(value) ? value[key] : undefined;
}

/** Records hold strings only: what else YAML has is nothing that a record can say. */
function plain(value: unknown): PlainValue {
  return value as PlainValue;
}
