import { isAscii } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InventoryLine } from '../plan/inventory.ts';
import type { Finding } from '../validate/finding.ts';
import { blobBytes } from './commit-tree.ts';

export const inventoryName = 'inventory.jsonl';

export interface PreviousInventory {
  /** What `out/` holds now. */
  readonly lines: readonly InventoryLine[];
  /**
   * What checks across compiles compare with. The same lines, unless `out/` lost its inventory: then those of the
   * last commit, so that emptying `out/` first does not get around a check.
   */
  readonly reference: readonly InventoryLine[];
  readonly findings: readonly Finding[];
  /** The bytes of each line, so that a reused one is written again without being made again. */
  readonly raw: ReadonlyMap<InventoryLine, Uint8Array>;
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
  return { lines: [], reference: committed.lines, findings: [], raw: new Map() };
}

/**
 * The inventory is written by us alone, so a line that parses is taken at its word. Objects are most of a line and
 * rarely asked for: they stay bytes until then.
 */
export function parseInventory(content: Uint8Array, path: string): PreviousInventory {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  // Names are ASCII, so most inventories are: read as Latin-1 they take a third of the time and half of the memory.
  const encoding = isAscii(bytes) ? 'latin1' : 'utf8';
  const lines: InventoryLine[] = [];
  const raw = new Map<InventoryLine, Buffer>();
  let number = 0;
  for (let start = 0, end = 0; start < bytes.length; start = end + 1) {
    const found = bytes.indexOf(newline, start);
    end = found < 0 ? bytes.length : found;
    number += 1;
    if (start === end) continue;
    const row = bytes.subarray(start, end);
    const line = parseLine(row, encoding);
    if (line === undefined) return unusable(broken(path, number));
    lines.push(line);
    raw.set(line, row);
  }
  return { lines, reference: lines, findings: [], raw };
}

const newline = 10;

function parseLine(row: Buffer, encoding: 'latin1' | 'utf8'): InventoryLine | undefined {
  try {
    const start = endsAsObjectsDo(row) ? row.lastIndexOf(OBJECTS, undefined, 'latin1') : -1;
    if (start < 0) return checkedLine(JSON.parse(row.toString(encoding)));
    const line = checkedLine(JSON.parse(`${row.toString(encoding, 0, start)}}`));
    return line && new LazyLine(line, row.subarray(start + OBJECTS.length - 1, -1));
  } catch {
    return undefined;
  }
}

/** With `]}`. */
function endsAsObjectsDo(row: Buffer): boolean {
  return row[row.length - 2] === 0x5d && row[row.length - 1] === 0x7d;
}

function checkedLine(line: Partial<InventoryLine>): InventoryLine | undefined {
  const { id, source, key, facts } = line;
  const isWhole = typeof id === 'string' && typeof source === 'string' && typeof key === 'string';
  return isWhole && typeof facts?.kind === 'string' ? (line as InventoryLine) : undefined;
}

/** The last field of a line that has it. Inside of a JSON string its quotes would be escaped. */
const OBJECTS = ',"objects":[';

class LazyLine implements InventoryLine {
  readonly id: string;
  readonly source: string;
  readonly document: number;
  readonly key: string;
  readonly path: string;
  readonly content: string;
  readonly facts: InventoryLine['facts'];
  readonly warnings: readonly Finding[];
  readonly #objects: Buffer;

  constructor(line: InventoryLine, objects: Buffer) {
    this.id = line.id;
    this.source = line.source;
    this.document = line.document ?? 0;
    this.key = line.key;
    this.path = line.path ?? '';
    this.content = line.content ?? '';
    this.facts = line.facts;
    this.warnings = line.warnings ?? [];
    this.#objects = objects;
  }

  get objects(): readonly string[] {
    return JSON.parse(this.#objects.toString()) as readonly string[];
  }
}

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

function unusable(finding: Finding): PreviousInventory {
  return { lines: [], reference: [], findings: [finding], raw: new Map() };
}
