import { join } from 'node:path';
import { type Checkout, intactLines, listWorktree, type OutputPlace, openCheckout } from './load/checkout.ts';
import { openInventory } from './load/inventory.ts';
import type { Listing } from './load/listing.ts';
import { readMemory, stampOf, writeMemory } from './load/memory.ts';
import { type Problems, problemsOf } from './located.ts';
import type { Facts } from './plan/facts.ts';
import { isError } from './validate/codes.ts';
import type { Finding, Problem } from './validate/finding.ts';
import { version } from './version.ts';
import type { FileChange, Sink } from './write/output.ts';

export type { OutputPlace } from './load/checkout.ts';
export type { Problems } from './located.ts';
export type { FileChange } from './write/output.ts';

export interface CompileOptions {
  /** The folder that holds `state/`. */
  readonly root: string;
  /** Compile the state of this commit; else the work tree's. */
  readonly ref?: string;
  /** Where the output goes; default: `out` beside `state`. */
  readonly out?: OutputPlace;
  /** Render every unit, whatever the inventory says. */
  readonly full?: boolean;
  /** Say what would be written, write nothing. */
  readonly dryRun?: boolean;
  /** Let up to this many claims or objects be dropped, beyond what the settings allow. */
  readonly allowMassRemoval?: number;
  readonly onProgress?: (event: ProgressEvent) => void;
}

export interface ProgressEvent {
  readonly stage: 'load' | 'render';
  readonly done: number;
  readonly total: number;
}

export interface Synthesized {
  readonly kind: 'ok';
  readonly warnings: readonly Problem[];
  readonly changes: readonly FileChange[];
  /** Files below `out/` that are not ours: left alone, named. */
  readonly foreign: readonly string[];
  readonly units: number;
  readonly rendered: number;
  /** What was, and what is now; both empty when nothing changed. */
  readonly before: readonly Facts[];
  readonly after: readonly Facts[];
}

/** The whole line: load → validate → resolve → plan → render → write. A state with a Problem writes nothing. */
export async function synth(options: CompileOptions): Promise<Synthesized | Problems> {
  const listing = listWorktree(options);
  // Read while git is at work: it is needed unless nothing changed, and costs no time then.
  const inventory = openInventory(options.out?.root ?? options.root, options.out?.folder ?? 'out');
  const seen = await listing;
  const unchanged = options.full === true ? undefined : recall(options.root, seen);
  if (unchanged !== undefined) return unchanged;
  const opened = await openCheckout({ ...options, inventory }, seen);
  if (opened.kind === 'problems') return opened;
  const { checkout } = opened;
  const { openStage, noStage } = await import('./write/stage.ts');
  const scratch = join(checkout.out.root, '.quiesce');
  const stage =
    options.dryRun === true ? noStage : openStage(checkout.outFolder, scratch, `${process.pid}-${nextStage++}`);
  try {
    const result = await run(options, checkout, stage);
    if (result.kind === 'problems' || options.dryRun === true) return result;
    const refused = stage.commit();
    if (refused !== undefined) return problemsOf(checkout, [refused]);
    remember(checkout, result);
    return result;
  } finally {
    stage.discard();
  }
}

/** Compiles of one process may run side by side. */
let nextStage = 0;

/** Everything short of writing. Always in full: what is checked is the state, not what an inventory says of it. */
export async function validate(options: CompileOptions): Promise<Synthesized | Problems> {
  return synth({ ...options, full: true, dryRun: true });
}

export interface Checked extends Synthesized {
  /** How `out/` differs from what it should be; empty when it is up to date. */
  readonly stale: readonly StaleFile[];
}

export interface StaleFile {
  readonly path: string;
  /** Unified diff from what is there to what should be. */
  readonly diff: string;
}

/** Compiles in full, writes nothing, and compares with `out/`. */
export async function check(options: CompileOptions): Promise<Checked | Problems> {
  const opened = await openCheckout(options);
  if (opened.kind === 'problems') return opened;
  const { openDiff } = await import('./write/diff.ts');
  const diff = openDiff(opened.checkout.outFolder);
  const result = await run({ ...options, full: true }, opened.checkout, diff);
  return result.kind === 'problems' ? result : { ...result, stale: diff.files() };
}

async function run(options: CompileOptions, checkout: Checkout, sink: Sink): Promise<Synthesized | Problems> {
  const { compile } = await import('./compile.ts');
  const { reference, findings: broken } = checkout.inventory;
  const reusable = options.full === true ? [] : intactLines(checkout);
  const compiled = await compile({ tree: checkout.tree, reusable, reference, onProgress: stageOf(options, 'load') });
  const found = [...broken, ...compiled.findings];
  const { settings } = compiled;
  if (settings === undefined || hasErrors(found)) return problemsOf(checkout, found);

  const { emit } = await import('./emit.ts');
  const emitted = await emit(
    {
      compiled,
      settings,
      checkout,
      limits: { ...settings.removal, allowed: options.allowMassRemoval ?? 0 },
      onProgress: stageOf(options, 'render'),
    },
    sink,
  );
  const all = [...found, ...emitted.findings];
  if (hasErrors(all)) return problemsOf(checkout, all);
  const changed = emitted.changes.length > 0;
  return {
    kind: 'ok',
    warnings: (await problemsOf(checkout, all)).problems,
    changes: emitted.changes,
    foreign: emitted.foreign,
    units: emitted.lines.length,
    rendered: compiled.units.length,
    before: changed ? reference.map((line) => line.facts) : [],
    after: changed ? emitted.lines.map((line) => line.facts) : [],
  };
}

/** The answer without any work, when every file is as the last compile left it. */
function recall(root: string, seen: Listing | undefined): Synthesized | undefined {
  const memory = seen === undefined ? undefined : readMemory(root);
  if (seen === undefined || memory === undefined || memory.stamp !== stampOf(seen, version)) return undefined;
  const { units, warnings, foreign } = memory;
  return { kind: 'ok', units, warnings, foreign, changes: [], rendered: 0, before: [], after: [] };
}

function remember({ seen, root, files }: Checkout, result: Synthesized): void {
  if (seen === undefined) return;
  const { units, warnings, foreign } = result;
  writeMemory(root, { stamp: stampOf(files.updated(seen), version), units, warnings, foreign });
}

function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some(isError);
}

function stageOf(options: CompileOptions, stage: ProgressEvent['stage']): (done: number, total: number) => void {
  return (done, total) => options.onProgress?.({ stage, done, total });
}
