import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair, parseAllDocuments } from 'yaml';
import { parseYaml } from '../load/yaml-syntax.ts';
import type { DataPath } from '../validate/finding.ts';
import { EditRefused } from './refused.ts';

/** Where a path leads in a parsed document. */
export type Found =
  | { readonly kind: 'value'; readonly node: Node; readonly pair?: Pair }
  /** A key with nothing after it, not even a colon: `{ a }`. */
  | { readonly kind: 'bare-key'; readonly pair: Pair }
  /** `parent` is what the last existing part of the path leads to; `rest` is what is not there. */
  | { readonly kind: 'missing'; readonly parent: Found & { readonly kind: 'value' }; readonly rest: DataPath };

/**
 * Offsets of every node are into the whole text, byte order mark and earlier documents included. Keys are not compared
 * here, which takes quadratic time: of two equal ones the edit finds the first, and is then refused for being without
 * effect.
 */
export function parseSource(text: string): Document[] {
  if (parseYaml(text).kind === 'too-deep') throw new EditRefused('it is nested too deeply');
  const documents = parseAllDocuments(text, { keepSourceTokens: true, prettyErrors: false, uniqueKeys: false });
  return Array.isArray(documents) ? documents : [];
}

export function documentAt(documents: readonly Document[], index: number): Document {
  const document = documents[index];
  if (document === undefined) throw new EditRefused(`there is no document number ${index + 1} in it`);
  const [error] = document.errors;
  if (error !== undefined) throw new EditRefused(`it is not valid YAML: ${error.message}`);
  return document;
}

export function find(document: Document, path: DataPath): Found {
  if (document.contents === null || isNothing(document.contents)) throw new EditRefused('the document is empty');
  let at: Found & { readonly kind: 'value' } = { kind: 'value', node: document.contents };
  for (const [depth, key] of path.entries()) {
    const next: Found | undefined = step(at.node, key, path.slice(0, depth));
    if (next === undefined) return { kind: 'missing', parent: at, rest: path.slice(depth) };
    if (next.kind !== 'value')
      return depth === path.length - 1 ? next : refuse(path.slice(0, depth + 1), 'has no value');
    at = next;
  }
  return at;
}

function step(node: Node, key: string | number, path: DataPath): Found | undefined {
  if (isAlias(node)) return refuse(path, `is an alias of &${node.source}, which other places share`);
  if (isMap(node)) {
    const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key));
    if (pair === undefined) return undefined;
    return isNodeValue(pair.value) ? { kind: 'value', node: pair.value, pair } : { kind: 'bare-key', pair };
  }
  if (isSeq(node) && typeof key === 'number') {
    const item = node.items[key];
    return isNodeValue(item) ? { kind: 'value', node: item } : undefined;
  }
  if (isNothing(node)) return undefined;
  return refuse(path, 'does not hold what the edit expects there');
}

function isNothing(node: Node): boolean {
  return isScalar(node) && node.value === null;
}

/** In a parsed document everything that is not absent is a node. */
function isNodeValue(value: unknown): value is Node {
  return isScalar(value) || isAlias(value) || isMap(value) || isSeq(value);
}

function refuse(path: DataPath, what: string): never {
  throw new EditRefused(`${path.length === 0 ? 'its root' : `\`${path.join('.')}\``} ${what}`);
}

/** The line ending of the file: that of its first line. */
export function lineEnding(text: string): '\r\n' | '\n' {
  return /\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n';
}

/** How far the file indents: the column of its first indented line that is no list item; 2 when there is none. */
export function indentStep(text: string): number {
  const width = /\n( {1,8})[^\s#-]/.exec(text)?.[1]?.length ?? 2;
  return Math.max(width, 2);
}
