import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, type Node, visit, type YAMLMap } from 'yaml';
import { isMergeKey } from '../load/yaml-value.ts';
import type { DataPath } from './finding.ts';
import type { TextRange } from './open-file.ts';

/**
 * The characters of a value or of its key. A missing one is shown at what is there of its path; a value that goes over
 * several lines, or that is not there at all behind its colon, at its key.
 */
export function rangeOfValue(document: Document.Parsed, path: DataPath, on: 'key' | 'value'): TextRange {
  const { nearest, value } = follow(document, path);
  if (on === 'value' && value !== undefined && isOnItsOwn(value)) return rangeOf(value);
  if (nearest !== undefined) return rangeOf(nearest);
  const [start] = document.range;
  return { start, end: start };
}

interface Followed {
  /** The key of the value, or of the last thing on the way that is there; for an item of a list, where it begins. */
  readonly nearest: Node | undefined;
  /** Undefined when the path does not lead to the end. */
  readonly value?: Node;
}

function follow(document: Document.Parsed, path: DataPath): Followed {
  const search: Search = { document, left: 2000 };
  let value = document.contents as Node | null | undefined;
  let nearest = beginning(value);
  for (const step of path) {
    const inside: Step | undefined = value ? stepInto(search, value, step) : undefined;
    if (inside === undefined) return { nearest };
    nearest = inside.key ?? beginning(inside.value);
    value = inside.value;
  }
  return value ? { nearest, value } : { nearest };
}

interface Search {
  readonly document: Document.Parsed;
  anchors?: ReadonlyMap<string, readonly Node[]>;
  /** Ends a merge that leads to itself, or to very many others. */
  left: number;
}

interface Step {
  readonly key?: Node;
  readonly value: Node | null | undefined;
}

/** Through aliases and merge keys too: shown is where the text is. */
function stepInto(search: Search, node: Node, step: string | number): Step | undefined {
  if (search.left-- < 0) return undefined;
  if (isAlias(node)) {
    const target = anchorOf(search, node);
    return target === undefined ? undefined : stepInto(search, target, step);
  }
  if (isSeq(node) && typeof step === 'number') {
    const item = node.items[step];
    return item === undefined ? undefined : { value: item as Node };
  }
  if (!isMap(node) || typeof step !== 'string') return undefined;
  const pair = node.items.find(({ key }) => isScalar(key) && key.value === step);
  if (pair !== undefined) return { key: pair.key as Node, value: pair.value as Node | null };
  return stepIntoMerged(search, node, step);
}

function stepIntoMerged(search: Search, map: YAMLMap, step: string): Step | undefined {
  for (const { key, value } of map.items) {
    if (!isMergeKey(key)) continue;
    for (const source of isSeq(value) ? value.items : [value]) {
      const found = stepInto(search, source as Node, step);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** The latest anchor of the name before the alias. The library's own search walks the whole document each time. */
function anchorOf(search: Search, alias: Alias): Node | undefined {
  search.anchors ??= anchorsOf(search.document);
  const start = rangeOf(alias).start;
  return search.anchors.get(alias.source)?.findLast((node) => rangeOf(node).start < start);
}

function anchorsOf(document: Document.Parsed): ReadonlyMap<string, readonly Node[]> {
  const anchors = new Map<string, Node[]>();
  visit(document, {
    Value: (_, node) => {
      if (node.anchor === undefined) return;
      const same = anchors.get(node.anchor);
      if (same === undefined) anchors.set(node.anchor, [node]);
      else same.push(node);
    },
  });
  return anchors;
}

/** A mapping begins at its first key, a list at its first item: the whole of it would be many lines. */
function beginning(node: Node | null | undefined): Node | undefined {
  if (node === null || node === undefined || isOnItsOwn(node)) return node ?? undefined;
  if (isMap(node)) return node.items[0]?.key as Node | undefined;
  return isSeq(node) ? beginning(node.items[0] as Node | undefined) : node;
}

function isOnItsOwn(node: Node): boolean {
  if (isMap(node) || isSeq(node)) return node.flow === true;
  return !(isScalar(node) && node.value === null && node.source === '');
}

function rangeOf(node: Node): TextRange {
  const start = node.range?.[0] ?? 0;
  return { start, end: node.range?.[1] ?? start };
}
