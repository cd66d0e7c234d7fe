import { isDeepStrictEqual } from 'node:util';
import { parse, parseDocument } from 'yaml';
import { entryLines, type PlainValue } from '../edit/plain-value.ts';
import { EditRefused } from '../edit/refused.ts';
import { appendToList, editScalar } from '../edit/scalar.ts';
import type { LifecycleRecord } from '../resolve/state.ts';
import type { DataPath } from '../validate/finding.ts';

/**
 * The file of a record that is to say this. What it said before keeps its place and its comments, as far as it still
 * holds. Throws EditRefused for a text that is no record.
 */
export function recordText(before: string | undefined, record: LifecycleRecord): string {
  const spec = specOf(record);
  if (before === undefined) return newRecordText(record.name, spec);
  const known = specIn(before);
  // Nobody else has written in it: then there is no word of theirs to be kept in its place.
  if (before === newRecordText(record.name, known)) return newRecordText(record.name, spec);
  const kept = Object.fromEntries(Object.entries(known).filter(([key, value]) => canStay(value, spec[key])));
  return edit(without(before, Object.keys(known), kept), ['spec'], kept, spec);
}

type PlainMap = Readonly<Record<string, PlainValue>>;

/** The whole file, as it is written the first time. */
export function newRecordText(name: string, spec: PlainMap): string {
  return `# yaml-language-server: $schema=../schemas/record.schema.json
# $schema: ../schemas/record.schema.json
# Written by the lifecycle runner. Read it, do not edit it.
apiVersion: quiesce.dev/v1alpha1
kind: Record
metadata:
  name: ${name}
${entryLines('spec', spec, 2).join('\n')}
`;
}

/** As it is written: without what the file itself says, and without lists that have nothing in them. */
function specOf({ origin: _, name: __, ...record }: LifecycleRecord): PlainMap {
  const says = (value: unknown): boolean => value !== undefined && !(Array.isArray(value) && value.length === 0);
  const entries = Object.entries(record).filter(([, value]) => says(value));
  const order = [...keyOrder, ...entries.map(([key]) => key)];
  return Object.fromEntries(
    entries.sort(([a], [b]) => order.indexOf(a) - order.indexOf(b)).map(([key, value]) => [key, value as PlainValue]),
  );
}

/** Who reads it wants to know first what it is, then what will happen, then what was done about it. */
const keyOrder: readonly string[] = [
  'identity',
  'firstSeen',
  'renewals',
  'deadlines',
  'warnedAnewFrom',
  'warnings',
  'notices',
  'rejections',
  'asleep',
  'schedule',
  'observed',
  'deletion',
  'uninstalled',
];

function specIn(text: string): PlainMap {
  const document: unknown = parse(text);
  const spec = typeof document === 'object' && document !== null && 'spec' in document ? document.spec : undefined;
  if (typeof spec !== 'object' || spec === null) throw new EditRefused('it is no record');
  return spec as PlainMap;
}

/** Whether the new value can be had by adding and replacing: nothing in it has to go. */
function canStay(before: PlainValue | undefined, after: PlainValue | undefined): boolean {
  if (after === undefined) return false;
  if (isList(before)) return isList(after) && isDeepStrictEqual(after.slice(0, before.length), before);
  if (!isMap(before)) return !isList(after) && !isMap(after);
  return isMap(after) && Object.entries(before).every(([key, value]) => canStay(value, after[key]));
}

/** The library writes the file anew: comments stay beside what they stand at, blanks may change. */
function without(text: string, keys: readonly string[], kept: PlainMap): string {
  const gone = keys.filter((key) => kept[key] === undefined);
  if (gone.length === 0) return text;
  const document = parseDocument(text);
  for (const key of gone) document.deleteIn(['spec', key]);
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

function edit(text: string, path: DataPath, before: PlainMap, after: PlainMap): string {
  const keys = Object.keys(after);
  let edited = text;
  for (const [index, key] of keys.entries()) {
    const [old, value, at] = [before[key], after[key] ?? null, [...path, key]];
    if (isDeepStrictEqual(old, value)) continue;
    if (isList(old) && isList(value)) edited = append(edited, at, value.slice(old.length));
    else if (isMap(old) && isMap(value)) edited = edit(edited, at, old, value);
    else edited = editScalar(edited, 0, at, value, { after: keys.slice(0, index).toReversed() });
  }
  return edited;
}

function append(text: string, path: DataPath, items: readonly PlainValue[]): string {
  return items.reduce<string>((edited, item) => appendToList(edited, 0, path, item), text);
}

function isList(value: PlainValue | undefined): value is readonly PlainValue[] {
  return Array.isArray(value);
}

function isMap(value: PlainValue | undefined): value is PlainMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
