import { isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap, type YAMLSeq } from 'yaml';
import type { DataPath } from '../validate/finding.ts';
import { entryLines, flowText, itemLines, type PlainValue, scalarText } from './plain-value.ts';
import { EditRefused } from './refused.ts';
import { type Found, indentStep, lineEnding } from './source.ts';
import type { Splice } from './splice.ts';

/** Adds `rest` → `value` to what is there. `after` names keys to stand behind, best first; else it comes last. */
export function insertEntry(
  text: string,
  parent: Found & { readonly kind: 'value' },
  entry: { readonly rest: DataPath; readonly value: PlainValue; readonly after: readonly string[] },
): Splice {
  const [key, ...deeper] = entry.rest;
  if (typeof key !== 'string') throw new EditRefused('it has no such list item');
  const value = nest(deeper, entry.value);
  const { node, pair } = parent;
  if (isMap(node))
    return node.flow
      ? intoFlow(node, `${scalarText(key)}: ${flowText(value)}`, entry.after)
      : intoBlockMap(text, node, { key, value, after: entry.after });
  return intoNothing(text, node, pair, { [key]: value });
}

/** Adds an item at the end of a list that is there. */
export function insertItem(text: string, list: YAMLSeq, value: PlainValue): Splice {
  if (list.flow) return intoFlow(list, flowText(value), []);
  const indent = blockIndent(list);
  return insertLines(text, endOf(list), itemLines(value, indentStep(text)), indent);
}

/** Gives a value to a key that has none (`key:`), or only `null`. */
export function intoNothing(text: string, node: Node, pair: Pair | undefined, value: PlainValue): Splice {
  if (!isScalar(node) || node.value !== null || pair === undefined) throw new EditRefused('there is no place for it');
  const [start, end] = rangeOf(node);
  if (start < end) return { start, end, text: flowText(value) };
  const colon = colonEnd(pair);
  const column = columnOf(text, keyStart(pair));
  if (column === undefined) return { start: colon, end: colon, text: ` ${flowText(value)}` };
  const step = indentStep(text);
  const lines = Array.isArray(value)
    ? value.flatMap((item: PlainValue) => itemLines(item, step))
    : mapLines(value, step);
  return insertLines(text, colon, lines, column + step);
}

function mapLines(value: PlainValue, step: number): string[] {
  return Object.entries(value ?? {}).flatMap(([key, item]: [string, PlainValue]) => entryLines(key, item, step));
}

function nest(path: DataPath, value: PlainValue): PlainValue {
  return path.reduceRight<PlainValue>((inner, key) => {
    if (typeof key === 'number') throw new EditRefused('it has no such list item');
    return { [key]: inner };
  }, value);
}

function intoFlow(collection: YAMLMap | YAMLSeq, added: string, after: readonly string[]): Splice {
  const last = (isMap(collection) ? sibling(collection, after) : undefined) ?? collection.items.at(-1);
  if (last === undefined) {
    const open = rangeOf(collection)[0] + 1;
    return { start: open, end: open, text: added };
  }
  const end = endOfItem(last);
  return { start: end, end, text: `, ${added}` };
}

function intoBlockMap(
  text: string,
  map: YAMLMap,
  entry: { readonly key: string; readonly value: PlainValue; readonly after: readonly string[] },
): Splice {
  const before = sibling(map, entry.after) ?? map.items.at(-1);
  if (before === undefined) throw new EditRefused('there is no place for it');
  return insertLines(text, endOfItem(before), entryLines(entry.key, entry.value, indentStep(text)), blockIndent(map));
}

function sibling(map: YAMLMap, names: readonly string[]): Pair | undefined {
  for (const name of names) {
    const found = map.items.find((pair) => isScalar(pair.key) && pair.key.value === name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Puts whole lines behind the line on which `offset` is, and behind comments that belong to what ends there. */
function insertLines(text: string, offset: number, lines: readonly string[], indent: number): Splice {
  const eol = lineEnding(text);
  const block = lines.map((line) => `${' '.repeat(indent)}${line}`).join(eol);
  let start = offset;
  if (offset === 0 || text[offset - 1] !== '\n') start = nextLine(text, offset);
  for (;;) {
    const comment = /^( *)#[^\n]*(?:\n|$)/.exec(text.slice(start));
    if (comment === null || (comment[1]?.length ?? 0) <= indent) break;
    start += comment[0].length;
  }
  return start === text.length && !text.endsWith('\n')
    ? { start, end: start, text: `${eol}${block}` }
    : { start, end: start, text: `${block}${eol}` };
}

function nextLine(text: string, offset: number): number {
  const newline = text.indexOf('\n', offset);
  return newline === -1 ? text.length : newline + 1;
}

function endOfItem(item: unknown): number {
  if (typeof item === 'object' && item !== null && 'key' in item && 'value' in item) {
    const pair = item as Pair;
    return isNode(pair.value) ? endOf(pair.value, pair) : isNode(pair.key) ? endOf(pair.key) : lost();
  }
  return isNode(item) ? endOf(item) : lost();
}

/** Behind the last character that belongs to the value itself: no comment, no blank line. */
function endOf(node: Node, pair?: Pair): number {
  if ((isMap(node) || isSeq(node)) && !node.flow) {
    const last = node.items.at(-1);
    return last === undefined ? rangeOf(node)[1] : endOfItem(last);
  }
  const [start, end] = rangeOf(node);
  // An empty value is said to lie behind the comments that follow its key.
  return start === end && pair !== undefined ? colonEnd(pair) : end;
}

/** Behind the colon of a pair, or behind the anchor and tag that follow it. */
export function colonEnd(pair: Pair): number {
  const source = pair.srcToken;
  const last = source?.sep?.findLast((token) => ['map-value-ind', 'anchor', 'tag'].includes(token.type));
  if (last === undefined) throw new EditRefused('there is no place for it');
  return last.offset + last.source.length;
}

function keyStart(pair: Pair): number {
  return isNode(pair.key) ? rangeOf(pair.key)[0] : lost();
}

/** Column of the key in its line; undefined when something other than indentation and list dashes stands before it. */
function columnOf(text: string, offset: number): number | undefined {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).replace(/^\ufeff/, '');
  return /^[ -]*$/.test(line) ? line.length : undefined;
}

function blockIndent(collection: YAMLMap | YAMLSeq): number {
  const source = collection.srcToken;
  if (source === undefined || !('indent' in source)) return lost();
  return source.indent;
}

export function rangeOf(node: Node): readonly [number, number] {
  const range = node.range;
  if (!Array.isArray(range)) return lost();
  return [range[0], range[1]];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'range' in value;
}

function lost(): never {
  throw new EditRefused('there is no place for it');
}
