import { isDeepStrictEqual } from 'node:util';
import { isAlias, isScalar, isSeq, type Node, type Pair, type Scalar } from 'yaml';
import type { DataPath } from '../validate/finding.ts';
import { colonEnd, insertEntry, insertItem, intoNothing, rangeOf } from './insert.ts';
import {
  flowText,
  isPlainScalar,
  type PlainScalar,
  type PlainValue,
  type ScalarStyle,
  scalarText,
} from './plain-value.ts';
import { EditRefused } from './refused.ts';
import { documentAt, type Found, find, parseSource } from './source.ts';
import { applySplice, type Splice } from './splice.ts';

export interface Placement {
  /** Keys behind which a key that is not there yet is put, best first; without any of them it comes last. */
  readonly after?: readonly string[];
}

/**
 * Sets the value at a path and leaves every other character as it is: comments, quotes, line endings, byte order mark,
 * flow style, other documents. Missing keys are added with the file's own indentation. Lists and maps can be added, but
 * not put in the place of a value that is there. Throws EditRefused where that cannot be done faithfully.
 */
export function editScalar(
  text: string,
  document: number,
  path: DataPath,
  value: PlainValue,
  placement: Placement = {},
): string {
  const documents = parseSource(text);
  const source = documentAt(documents, document);
  const found = find(source, path);
  if (found.kind === 'value' && isDeepStrictEqual(found.node.toJS(source), value)) return text;
  const splice =
    found.kind === 'missing'
      ? insertEntry(text, found.parent, { rest: found.rest, value, after: placement.after ?? [] })
      : replace(text, found, value);
  return applySplice(text, documents, splice, { document, path, value, how: 'set' });
}

/** Adds an item at the end of the list at a path, which is made when it is not there. */
export function appendToList(text: string, document: number, path: DataPath, value: PlainValue): string {
  const documents = parseSource(text);
  const found = find(documentAt(documents, document), path);
  const splice = append(text, found, value);
  return applySplice(text, documents, splice, { document, path, value, how: 'append' });
}

function append(text: string, found: Found, value: PlainValue): Splice {
  if (found.kind === 'missing') return insertEntry(text, found.parent, { rest: found.rest, value: [value], after: [] });
  if (found.kind === 'bare-key') return behindKey(found.pair, [value]);
  if (isSeq(found.node)) return insertItem(text, found.node, value);
  return intoNothing(text, found.node, found.pair, [value]);
}

function replace(text: string, found: Exclude<Found, { kind: 'missing' }>, value: PlainValue): Splice {
  if (found.kind === 'bare-key') return behindKey(found.pair, value);
  const { node, pair } = found;
  if (!isPlainScalar(value)) return intoNothing(text, node, pair, value);
  if (isScalar(node)) return replaceScalar(text, node, pair, value);
  if (isAlias(node)) return over(node, scalarText(value));
  throw new EditRefused('it holds a list or a map where a single value should go');
}

function replaceScalar(text: string, node: Scalar, pair: Pair | undefined, value: PlainScalar): Splice {
  const [start, end] = rangeOf(node);
  if (start === end) {
    if (pair === undefined) throw new EditRefused('the list item is empty');
    const colon = colonEnd(pair);
    return { start: colon, end: colon, text: ` ${scalarText(value)}` };
  }
  if (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED') return replaceBlock(text, [start, end], value);
  return over(node, scalarText(value, styleOf(node)));
}

/** `key: |` with lines below becomes `key: value`: a comment behind the header stays, and so do blank lines. */
function replaceBlock(text: string, [start, end]: readonly [number, number], value: PlainScalar): Splice {
  const block = text.slice(start, end);
  const header = /^[|>][-+0-9]*([^\n]*\n?)/.exec(block);
  const blank = /(?<=\n)(?:[ \t]*\r?\n)*$/.exec(block)?.[0] ?? '';
  return { start, end, text: `${scalarText(value)}${header?.[1] ?? ''}${blank}` };
}

function behindKey(pair: Pair, value: PlainValue): Splice {
  if (!isScalar(pair.key)) throw new EditRefused('its key is no scalar');
  const end = rangeOf(pair.key)[1];
  return { start: end, end, text: `: ${flowText(value)}` };
}

function over(node: Node, text: string): Splice {
  const [start, end] = rangeOf(node);
  return { start, end, text };
}

function styleOf(node: Scalar): ScalarStyle {
  if (node.type === 'QUOTE_SINGLE') return 'single';
  return node.type === 'QUOTE_DOUBLE' ? 'double' : 'plain';
}
