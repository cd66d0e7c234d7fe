import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { blobId } from '../load/blob.ts';
import { inventoryName } from '../load/inventory.ts';
import type { OutputFiles } from '../load/output-files.ts';
import { type InventoryLine, objectInWords } from '../plan/inventory.ts';
import type { Unit } from '../plan/unit.ts';
import type { Finding } from '../validate/finding.ts';

export interface FileChange {
  /** Relative to the output folder. */
  readonly path: string;
  readonly change: 'added' | 'changed' | 'removed';
}

/** Takes what has to change: a stage that moves it into place, or a collector for `--check`. */
export interface Sink {
  add(path: string, text: string | Uint8Array): void;
  remove(path: string): void;
}

export interface OutputState {
  /** Absolute path of the output folder. */
  readonly folder: string;
  /** What is in it. Kept up with what is handed to the sink. */
  readonly files: OutputFiles;
  readonly previous: readonly InventoryLine[];
  readonly raw: (line: InventoryLine) => Uint8Array | undefined;
}

/** First line of every file we write; by it a file is known as ours even when the inventory was lost. */
function banner(source: string): string {
  return `${BANNER_START} ${source.replace(/[\p{Cc}\u2028\u2029]/gu, '?')}: edit that, not this.\n`;
}
const BANNER_START = '# Compiled by quiesce from';

/** Collects what a compile makes, and works out which files that changes. */
export class Output {
  readonly changes: FileChange[] = [];
  readonly findings: Finding[] = [];
  readonly lines: InventoryLine[] = [];
  private readonly owned: ReadonlySet<string>;
  private readonly claimed = new Map<string, string>();
  private readonly state: OutputState;
  private readonly sink: Sink;

  constructor(state: OutputState, sink: Sink) {
    this.state = state;
    this.sink = sink;
    this.owned = new Set(state.previous.flatMap((line) => line.path ?? []));
  }

  /** A unit that the inventory answers for: its file is there, with the right bytes. */
  reuse(line: InventoryLine): void {
    if (line.path !== undefined) this.claim(line.path, line.source);
    this.lines.push(line);
  }

  put(
    unit: Unit,
    key: string,
    rendered: { readonly text: string; readonly objects: readonly string[] } | undefined,
    warnings: readonly Finding[],
  ): void {
    const { file, document } = unit.origin;
    const base = { id: unit.id, source: file, ...(document === 0 ? {} : { document }), key };
    const tail = { facts: unit.facts, ...(warnings.length === 0 ? {} : { warnings }) };
    if (unit.path === undefined || rendered === undefined) {
      this.lines.push({ ...base, ...tail });
      return;
    }
    const text = banner(file) + rendered.text;
    const content = blobId(Buffer.from(text));
    // Objects last: readers of the inventory rely on it.
    this.lines.push({ ...base, path: unit.path, content, ...tail, objects: rendered.objects });
    if (this.claim(unit.path, file)) this.place(unit.path, text, content);
  }

  /** Removes what is ours and no longer wanted, and writes the inventory. Returns the lines in their final order. */
  finish(): readonly InventoryLine[] {
    for (const path of this.owned) {
      if (this.claimed.has(path) || this.state.files.get(path) === undefined) continue;
      this.sink.remove(path);
      this.state.files.delete(path);
      this.changes.push({ path, change: 'removed' });
    }
    this.lines.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
    const newline = Buffer.from('\n');
    const rows = this.lines.map((line) => this.state.raw(line) ?? Buffer.from(JSON.stringify(line)));
    const bytes = Buffer.concat(rows.flatMap((row) => [row, newline]));
    this.place(inventoryName, bytes, blobId(bytes), true);
    this.changes.sort((a, b) => (a.path < b.path ? -1 : 1));
    return this.lines;
  }

  /** False, with a finding, when two sources ask for one path. */
  private claim(path: string, source: string): boolean {
    const other = this.claimed.get(path);
    this.claimed.set(path, source);
    if (other === undefined) return true;
    this.findings.push({
      code: 'path-shared',
      at: { kind: 'file', file: source },
      message: `${path} would be written for ${source} and for ${other}.`,
      remedy: 'Rename one of the two.',
      related: [{ message: 'the other one', at: { kind: 'file', file: other } }],
    });
    return false;
  }

  private place(path: string, text: string | Uint8Array, content: string, ours = this.owned.has(path)): void {
    const there = this.state.files.get(path);
    if (there?.oid === content) return;
    if (there !== undefined && !ours && !this.carriesBanner(path)) {
      this.findings.push({
        code: 'out-occupied',
        at: { kind: 'nowhere' },
        message: `${join(this.state.folder, path)} is in the way: it is not one of our files.`,
        remedy: 'Move the file away or delete it.',
      });
      return;
    }
    this.sink.add(path, text);
    this.state.files.set(path, content);
    this.changes.push({ path, change: there === undefined ? 'added' : 'changed' });
  }

  private carriesBanner(path: string): boolean {
    const file = openSync(join(this.state.folder, path), 'r');
    try {
      const start = Buffer.alloc(BANNER_START.length);
      readSync(file, start);
      return start.toString() === BANNER_START;
    } finally {
      closeSync(file);
    }
  }
}

/** Files below the output folder that are not ours: in no line of the inventory, neither of the one before nor of this one. */
export function foreignFiles(paths: ReadonlySet<string>, lines: readonly InventoryLine[]): string[] {
  const ours = new Set([inventoryName, ...lines.flatMap((line) => line.path ?? [])]);
  return [...paths].filter((path) => !ours.has(path)).sort();
}

/**
 * One object that two units of a cluster render: appliers would keep the last, or fight over it (flux#2571). What is in
 * the inventory has been compared before, so only objects that are new to their unit are looked for in other lines.
 */
export function sharedObjects(lines: readonly InventoryLine[], previous: readonly InventoryLine[]): Finding[] {
  const before = new Map(previous.map((line) => [line.id, line]));
  const fresh = lines.filter((line) => before.get(line.id) !== line);
  const owners = new Map<string, InventoryLine[]>();
  const findings: Finding[] = [];
  for (const line of fresh) {
    const known = new Set(before.get(line.id)?.objects);
    for (const object of line.objects ?? []) {
      const others = owners.get(object) ?? [];
      for (const other of others) if (sameCluster(line, other)) findings.push(objectTwice(object, line, other));
      if (others.length > 0 || !known.has(object) || !sameCluster(line, before.get(line.id) ?? line)) {
        owners.set(object, [...others, line]);
      }
    }
  }
  return [...findings, ...sharedWithKept(lines, new Set(fresh), owners)];
}

function sharedWithKept(
  lines: readonly InventoryLine[],
  fresh: ReadonlySet<InventoryLine>,
  owners: ReadonlyMap<string, readonly InventoryLine[]>,
): Finding[] {
  if (owners.size === 0) return [];
  const findings: Finding[] = [];
  for (const line of lines) {
    if (fresh.has(line)) continue;
    for (const object of line.objects ?? []) {
      for (const other of owners.get(object) ?? [])
        if (sameCluster(line, other)) findings.push(objectTwice(object, other, line));
    }
  }
  return findings;
}

function sameCluster(a: InventoryLine, b: InventoryLine): boolean {
  return a.path?.split('/', 1)[0] === b.path?.split('/', 1)[0];
}

function objectTwice(object: string, line: InventoryLine, other: InventoryLine): Finding {
  return {
    code: 'object-twice',
    at: { kind: 'file', file: line.source },
    message: `${objectInWords(object)} is rendered for ${line.id} and for ${other.id}.`,
    remedy: 'Remove or rename one of the two.',
    related: [{ message: 'the other one', at: { kind: 'file', file: other.source } }],
  };
}
