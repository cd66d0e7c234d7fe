import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Finding } from '../validate/finding.ts';
import { isAlive } from './alive.ts';
import type { Sink } from './output.ts';
import { inTurn } from './turn.ts';

/**
 * Files are written aside and moved into place only when all of them are there: a compile that fails leaves the
 * output byte-identical. A move that fails half-way (which a full disk cannot cause, but lost permissions can) is
 * undone before the error is passed on.
 */
export interface Stage extends Sink {
  /** Moves everything into place. A refusal of the operating system is a finding; nothing has changed then. */
  commit(): Finding | undefined;
  discard(): void;
}

/** For a dry run. */
export const noStage: Stage = { add: () => {}, remove: () => {}, commit: () => undefined, discard: () => {} };

/** `scratch` must be on the same file system as `target`. */
export function openStage(target: string, scratch: string, id: string): Stage {
  const folder = join(scratch, `stage-${id}`);
  const folders = new Set<string>();
  const removed: string[] = [];
  let isUsed = false;
  let refused = attempt(() => clearStale(scratch));
  return {
    add: (path, text) => {
      isUsed = true;
      refused ??= attempt(() => stageFile(join(folder, 'new', path), text, folders));
    },
    remove: (path) => {
      isUsed = true;
      removed.push(path);
    },
    commit: () => {
      // Where nothing changes, nobody minds that nothing can be written.
      if (!isUsed) return undefined;
      refused ??= attempt(() => inTurn(join(scratch, 'moving'), () => moveAll(target, folder, removed)));
      return refused;
    },
    discard: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** All or nothing: what was moved before something went wrong is moved back. */
function moveAll(target: string, folder: string, removed: readonly string[]): void {
  const undo: (() => void)[] = [];
  try {
    merge({ from: join(folder, 'new'), to: target, old: join(folder, 'old') }, undo);
    for (const path of removed) {
      const place = join(target, path);
      if (isThere(place)) setAside(place, join(folder, 'old', path), undo);
    }
  } catch (error) {
    for (const step of undo.reverse()) step();
    throw error;
  }
  for (const path of removed) removeEmptyParents(target, path);
}

function stageFile(file: string, text: string | Uint8Array, folders: Set<string>): void {
  const parent = dirname(file);
  if (!folders.has(parent)) mkdirSync(parent, { recursive: true });
  folders.add(parent);
  writeFileSync(file, text);
}

/**
 * Moves what is staged into place. Where nothing is in the way a whole folder moves at once, so a first compile is one
 * move and not one for each file.
 */
function merge(
  places: { readonly from: string; readonly to: string; readonly old: string },
  undo: (() => void)[],
): void {
  const { from, to, old } = places;
  if (!existsSync(from)) return;
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const place = join(to, entry.name);
    if (entry.isDirectory() && existsSync(place)) {
      merge({ from: source, to: place, old: join(old, entry.name) }, undo);
      continue;
    }
    const there = lstatSync(place, { throwIfNoEntry: false });
    if (there?.isDirectory() === true) throw Object.assign(new Error(`${place} is a folder`), { code: 'EISDIR' });
    if (there !== undefined) setAside(place, join(old, entry.name), undo);
    renameSync(source, place);
    undo.push(() => renameSync(place, source));
  }
}

function isThere(place: string): boolean {
  return lstatSync(place, { throwIfNoEntry: false }) !== undefined;
}

function setAside(place: string, old: string, undo: (() => void)[]): void {
  mkdirSync(dirname(old), { recursive: true });
  renameSync(place, old);
  undo.push(() => renameSync(old, place));
}

/** What the operating system refuses (no space, no permission, a file where a folder is needed) is the user's to mend. */
function attempt(action: () => void): Finding | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    return {
      code: 'write-failed',
      at: { kind: 'nowhere' },
      message: `The output could not be written: ${error.message}.`,
      remedy: 'Free space or mend the permissions, then compile again; nothing was changed.',
    };
  }
}

function removeEmptyParents(target: string, path: string): void {
  for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
    const folder = join(target, parent);
    if (existsSync(folder) && readdirSync(folder).length > 0) return;
    if (existsSync(folder)) rmdirSync(folder);
  }
}

/** Stages of processes that were killed; those of processes still alive are theirs. */
function clearStale(scratch: string): void {
  mkdirSync(scratch, { recursive: true });
  writeFileSync(join(scratch, '.gitignore'), '*\n');
  for (const name of readdirSync(scratch)) {
    const pid = /^stage-(\d+)(?:-|$)/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(scratch, name), { recursive: true, force: true });
  }
}
