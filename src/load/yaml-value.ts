import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  Scalar,
  type YAMLMap,
} from 'yaml';
import type { DataPath, Finding } from '../validate/finding.ts';
import { valueInWords } from '../validate/words.ts';
import { scalarFindings } from './yaml-scalar.ts';

/** Values that aliases and merge keys may repeat in one document: beyond every honest use, and read in no time. */
const maxRepeated = 10_000;

/** What one document says as plain JSON data, and what is wrong with how it says it. */
export interface DocumentValue {
  readonly value: unknown;
  readonly findings: readonly Finding[];
}

/**
 * Reads instead of the library's `toJS`, which cannot bound merge keys (eemeli/yaml#694), compares keys in quadratic
 * time, keeps quiet about keys that are no text, and does not say where. `minds` limits warnings to paths that matter.
 */
export function readValue(file: string, document: Document.Parsed, minds: (path: DataPath) => boolean): DocumentValue {
  const reader: Reader = { file, minds, findings: [], path: [], anchors: new Map(), values: 0, repeated: 0 };
  return { value: read(reader, document.contents), findings: reader.findings };
}

/** State of one walk in document order: an alias means the latest anchor of its name before it. */
interface Reader {
  readonly file: string;
  readonly minds: (path: DataPath) => boolean;
  readonly findings: Finding[];
  readonly path: (string | number)[];
  readonly anchors: Map<string, Anchor>;
  values: number;
  repeated: number;
}
interface Anchor {
  /** Undefined until the anchored node has been read to its end. */
  done?: { readonly value: unknown; readonly values: number };
}

function read(reader: Reader, node: unknown): unknown {
  if (isAlias(node)) return readAlias(reader, node);
  reader.values++;
  if (isScalar(node)) return anchored(reader, node, () => readScalar(reader, node));
  if (isMap(node)) return anchored(reader, node, () => readMap(reader, node));
  if (isSeq(node)) {
    return anchored(reader, node, () =>
      node.items.map((item, index) => below(reader, index, () => read(reader, item))),
    );
  }
  return null;
}

function below<T>(reader: Reader, step: string | number, inside: () => T): T {
  reader.path.push(step);
  const result = inside();
  reader.path.pop();
  return result;
}

function anchored(reader: Reader, node: Node & { anchor?: string }, inside: () => unknown): unknown {
  if (node.anchor === undefined) return inside();
  const anchor: Anchor = {};
  reader.anchors.set(node.anchor, anchor);
  const before = reader.values;
  const value = inside();
  anchor.done = { value, values: reader.values - before + 1 };
  return value;
}

/** Shares the value: repeating is counted as if it were copied, since whatever reads the data later walks it all. */
function readAlias(reader: Reader, alias: Alias): unknown {
  const anchor = reader.anchors.get(alias.source);
  if (anchor === undefined) {
    report(reader, alias, 'anchor-unknown', {
      message: `\`*${alias.source}\` has no \`&${alias.source}\` before it.`,
      remedy: `Write \`&${alias.source}\` before it, or quote the text.`,
    });
    return null;
  }
  if (anchor.done === undefined) {
    report(reader, alias, 'anchor-expansion', {
      message: `\`*${alias.source}\` lies inside of what it stands for, so it would never end.`,
      remedy: 'Write the values out.',
    });
    return null;
  }
  return charge(reader, alias, anchor.done.values) ? anchor.done.value : null;
}

function charge(reader: Reader, node: Node, values: number): boolean {
  const before = reader.repeated;
  reader.repeated += values;
  reader.values += values;
  if (reader.repeated <= maxRepeated) return true;
  if (before <= maxRepeated) {
    report(reader, node, 'anchor-expansion', {
      message: `Aliases and merge keys stand for more than ${maxRepeated.toLocaleString('en-US')} values from here on.`,
      remedy: 'Write the values out, or give up the nesting of anchors.',
    });
  }
  return false;
}

function readScalar(reader: Reader, scalar: Scalar): unknown {
  reportScalar(reader, scalar);
  // What JSON does not have is reported, and goes on as the text that it is.
  return typeof scalar.value === 'number' && !Number.isFinite(scalar.value) ? scalar.source : scalar.value;
}

function reportScalar(reader: Reader, scalar: Scalar): void {
  for (const finding of scalarFindings(reader.file, scalar)) {
    if (finding.code !== 'yaml-version-trap' || reader.minds(reader.path)) reader.findings.push(finding);
  }
}

function readMap(reader: Reader, map: YAMLMap): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  const first = new Map<string, Node>();
  const merges: Pair[] = [];
  for (const pair of map.items) {
    const key = readKey(reader, pair);
    if (key === undefined) continue;
    const node = pair.key as Node;
    const earlier = first.get(key);
    if (earlier !== undefined) reportTwice(reader, key, node, earlier);
    else first.set(key, node);
    if (isMergeKey(node)) {
      if (earlier === undefined) merges.push(pair);
      continue;
    }
    const value = below(reader, key, () => read(reader, pair.value));
    if (earlier === undefined) result[key] = value;
  }
  for (const pair of merges) merge(reader, pair, result);
  return result;
}

/** The key as text; undefined (and reported) when it is none or must not be used. */
function readKey(reader: Reader, pair: Pair): string | undefined {
  const node = pair.key;
  if (isScalar(node) && typeof node.value === 'string') {
    if (node.value === '__proto__') {
      report(reader, node, 'unsafe-key', { message: 'The key `__proto__` is not allowed.', remedy: 'Rename it.' });
      return undefined;
    }
    below(reader, node.value, () => reportScalar(reader, node));
    return node.value;
  }
  const place = isNode(node) ? node : isNode(pair.value) ? pair.value : undefined;
  if (place !== undefined) {
    report(reader, place, 'non-string-key', {
      message: `A key must be text, not ${keyInWords(node)}.`,
      remedy: isScalar(node) && node.source ? `Quote it: \`"${node.source}"\`.` : 'Use a text as the key.',
    });
  }
  return undefined;
}

function keyInWords(node: unknown): string {
  if (isAlias(node)) return 'an alias';
  return valueInWords(isScalar(node) ? node.value : isSeq(node) ? [null] : isMap(node) ? {} : null);
}

function isNode(value: unknown): value is Node {
  return isScalar(value) || isMap(value) || isSeq(value) || isAlias(value);
}

export function isMergeKey(node: unknown): boolean {
  return isScalar(node) && node.value === '<<' && node.type === Scalar.PLAIN && node.tag === undefined;
}

/** Keys written in the mapping win over merged ones, and of several sources the first (yaml.org/type/merge). */
function merge(reader: Reader, pair: Pair, into: Record<string, unknown>): void {
  const before = reader.values;
  const reported = reader.findings.length;
  const value = below(reader, '<<', () => read(reader, pair.value));
  // An alias that was refused stands for nothing, and has been reported.
  if (value === null && (reader.findings.length > reported || reader.repeated > maxRepeated)) return;
  const sources = Array.isArray(value) ? value : [value];
  const place = (isNode(pair.value) ? pair.value : pair.key) as Node;
  if (!isAlias(pair.value) && !charge(reader, place, reader.values - before)) return;
  for (const source of sources) {
    if (typeof source !== 'object' || source === null || Array.isArray(source)) {
      report(reader, place, 'merge-source', {
        message: `\`<<\` merges mappings, not ${valueInWords(source)}.`,
        remedy: 'Give it the alias of a mapping, or quote it if it is an ordinary key.',
      });
      return;
    }
    for (const [key, merged] of Object.entries(source)) if (!Object.hasOwn(into, key)) into[key] = merged;
  }
}

function reportTwice(reader: Reader, key: string, node: Node, earlier: Node): void {
  reader.findings.push({
    code: 'duplicate-key',
    at: rangeOf(reader.file, node),
    message: `\`${key}\` is there twice.`,
    remedy: 'Keep one of the two.',
    related: [{ message: 'The first one is here.', at: rangeOf(reader.file, earlier) }],
  });
}

function report(reader: Reader, node: Node, code: Finding['code'], words: Pick<Finding, 'message' | 'remedy'>): void {
  reader.findings.push({ code, at: rangeOf(reader.file, node), ...words });
}

export function rangeOf(file: string, node: { range?: readonly number[] | null | undefined }): Finding['at'] {
  const start = node.range?.[0] ?? 0;
  return { kind: 'range', file, start, end: node.range?.[1] ?? start };
}
