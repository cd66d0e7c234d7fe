import { isAscii } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InventoryLine } from '../plan/inventory.ts';
import type { Finding } from '../validate/finding.ts';
import { fileAt } from './commit-tree.ts';

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
  /** The text of each line, so that a reused one is written again without being made again. */
  readonly raw: ReadonlyMap<InventoryLine, string>;
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

export async function readInventory(
  root: string,
  { path, bytes, refused }: InventoryFile,
  parse = parseInventory,
): Promise<PreviousInventory> {
  if (refused !== undefined) return unusable(unreadable(path, refused));
  if (bytes !== undefined) return parse(textOf(bytes), path);
  const committed = parse((await fileAt(root, 'HEAD', path)) ?? '', path);
  return { lines: [], reference: committed.lines, findings: [], raw: new Map() };
}

/** Parses each text once. */
export function rememberedInventories(): typeof parseInventory {
  const known = new Map<string, PreviousInventory>();
  return (text, path) => {
    const parsed = known.get(text) ?? parseInventory(text, path);
    known.set(text, parsed);
    return parsed;
  };
}

export function parseInventory(text: string, path: string): PreviousInventory {
  const lines: InventoryLine[] = [];
  const raw = new Map<InventoryLine, string>();
  let number = 0;
  for (const row of text.split('\n')) {
    number += 1;
    if (row === '') continue;
    const line = parseLine(row);
    if (line === undefined) return unusable(broken(path, number));
    lines.push(line);
    raw.set(line, row);
  }
  return { lines, reference: lines, findings: [], raw };
}

/**
 * The inventory is written by us alone, so a line that parses is taken at its word. Objects are most of a line and
 * rarely asked for: they stay text until then.
 */
function parseLine(row: string): InventoryLine | undefined {
  try {
    const start = row.endsWith(']}') ? row.lastIndexOf(OBJECTS) : -1;
    if (start < 0) return checkedLine(JSON.parse(row));
    const line = checkedLine(JSON.parse(`${row.slice(0, start)}}`));
    return line && new LazyLine(line, row.slice(start + OBJECTS.length - 1, -1));
  } catch {
    return undefined;
  }
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
  readonly #objects: string;

  constructor(line: InventoryLine, objects: string) {
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
    return JSON.parse(this.#objects) as readonly string[];
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

/** Names are ASCII, so most inventories are: read as Latin-1 they take a third of the time and half of the memory. */
function textOf(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}
