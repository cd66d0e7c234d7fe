import { isAscii } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InventoryLine, KnownLine } from '../plan/inventory.ts';
import type { Finding } from '../validate/finding.ts';
import { blobBytes } from './commit-tree.ts';

export const inventoryName = 'inventory.jsonl';

export interface PreviousInventory {
  /** What `out/` holds now. */
  readonly lines: readonly KnownLine[];
  /**
   * What checks across compiles compare with. The same lines, unless `out/` lost its inventory: then those of the
   * last commit, so that emptying `out/` first does not get around a check.
   */
  readonly reference: readonly KnownLine[];
  readonly findings: readonly Finding[];
  /** The bytes of each line, so that a reused one is written again without being made again. */
  readonly raw: (line: InventoryLine) => Uint8Array | undefined;
}

/** The inventory as it lies on disk; neither where there is none. */
export interface InventoryFile {
  readonly path: string;
  readonly bytes?: Buffer;
  readonly refused?: string;
}

/** `out`: the output folder relative to `root`. Reading is a tenth of the work; parsing is left to who needs it. */
export function openInventory(root: string, out: string): InventoryFile {
  const path = `${out}/${inventoryName}`;
  try {
    return { path, bytes: readFileSync(join(root, path)) };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    return error.code === 'ENOENT' || error.code === 'ENOTDIR' ? { path } : { path, refused: error.message };
  }
}

export async function readInventory(root: string, { path, bytes, refused }: InventoryFile): Promise<PreviousInventory> {
  if (refused !== undefined) return unusable(unreadable(path, refused));
  if (bytes !== undefined) return parseInventory(bytes, path);
  const committed = parseInventory((await blobBytes(root, `HEAD:./${path}`)) ?? new Uint8Array(), path);
  return { lines: [], reference: committed.lines, findings: [], raw: noRow };
}

/**
 * The inventory is written by us alone, so a line that parses is taken at its word. Objects are most of a line and
 * rarely asked for: they stay bytes until then.
 */
export function parseInventory(content: Uint8Array, path: string): PreviousInventory {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  // Names are ASCII, so most inventories are: read as Latin-1 they take a third of the time and half of the memory.
  const encoding = isAscii(bytes) ? 'latin1' : 'utf8';
  const lines: KnownLine[] = [];
  const others = new Map<InventoryLine, Buffer>();
  let number = 0;
  let objects = -1;
  for (let start = 0, end = 0; start < bytes.length; start = end + 1) {
    const found = bytes.indexOf(newline, start);
    end = found < 0 ? bytes.length : found;
    number += 1;
    if (start === end) continue;
    if (objects < start) objects = foundOr(bytes.length, bytes.indexOf(OBJECTS, start, 'latin1'));
    const row = { bytes, start, objects, end };
    const line = endsWithObjects(row) ? lazyLine(row, encoding) : plainLine(bytes.toString(encoding, start, end));
    if (line === undefined) return unusable(broken(path, number));
    lines.push(line);
    if (!(line instanceof LazyLine)) others.set(line, bytes.subarray(start, end));
  }
  const raw = (line: InventoryLine): Uint8Array | undefined =>
    line instanceof LazyLine ? line.row() : others.get(line);
  return { lines, reference: lines, findings: [], raw };
}

const newline = 10;

function foundOr(otherwise: number, found: number): number {
  return found < 0 ? otherwise : found;
}

function plainLine(text: string): KnownLine | undefined {
  const line = checkedLine(text);
  return line && { ...line, origin: { file: line.source, document: line.document ?? 0 } };
}

/** Objects are the last thing in it, as we write them. */
function endsWithObjects({ bytes, objects, end }: Row): boolean {
  return objects < end && bytes[end - 2] === closingBracket && bytes[end - 1] === closingBrace;
}

function lazyLine(row: Row, encoding: 'latin1' | 'utf8'): KnownLine | undefined {
  const { bytes, start, objects } = row;
  const line = checkedLine(`${bytes.toString(encoding, start, objects)}}`);
  return line && new LazyLine(line, row);
}

const closingBracket = 0x5d;
const closingBrace = 0x7d;

function checkedLine(text: string): InventoryLine | undefined {
  try {
    const line: Partial<InventoryLine> = JSON.parse(text);
    const { id, source, key, facts } = line;
    const isWhole = typeof id === 'string' && typeof source === 'string' && typeof key === 'string';
    return isWhole && typeof facts?.kind === 'string' ? (line as InventoryLine) : undefined;
  } catch {
    return undefined;
  }
}

/** The last field of a line that has it. Inside of a JSON string its quotes would be escaped. */
const OBJECTS = ',"objects":[';

/** Where a line is in the file, and in it its objects. */
interface Row {
  readonly bytes: Buffer;
  readonly start: number;
  readonly objects: number;
  readonly end: number;
}

class LazyLine implements KnownLine {
  readonly id: string;
  readonly source: string;
  readonly document: number;
  readonly key: string;
  readonly path: string;
  readonly content: string;
  readonly facts: InventoryLine['facts'];
  readonly warnings: readonly Finding[];
  readonly origin: KnownLine['origin'];
  readonly #row: Row;

  constructor(line: InventoryLine, row: Row) {
    this.id = line.id;
    this.source = line.source;
    this.document = line.document ?? 0;
    this.key = line.key;
    this.path = line.path ?? '';
    this.content = line.content ?? '';
    this.facts = line.facts;
    this.warnings = line.warnings ?? noWarnings;
    this.origin = { file: line.source, document: this.document };
    this.#row = row;
  }

  get objects(): readonly string[] {
    const { bytes, objects, end } = this.#row;
    return JSON.parse(bytes.toString('utf8', objects + OBJECTS.length - 1, end - 1)) as readonly string[];
  }

  row(): Uint8Array {
    const { bytes, start, end } = this.#row;
    return bytes.subarray(start, end);
  }
}

const noWarnings: readonly Finding[] = [];

function broken(path: string, line: number): Finding {
  return {
    code: 'inventory-broken',
    at: { kind: 'file', file: path },
    message: `Line ${line} of ${path} is not an inventory line, so it is not known which files are ours.`,
    remedy: `Restore it, e.g. with "git checkout HEAD -- ${path}" (after a merge conflict: "git checkout --ours -- ${path}"), then compile again.`,
  };
}

function unreadable(path: string, reason: string): Finding {
  return {
    code: 'inventory-broken',
    at: { kind: 'file', file: path },
    message: `${path} cannot be read, so it is not known which files are ours: ${reason}.`,
    remedy: 'Mend what stands in its place, or its permissions, then compile again.',
  };
}

function noRow(): undefined {}

function unusable(finding: Finding): PreviousInventory {
  return { lines: [], reference: [], findings: [finding], raw: noRow };
}
