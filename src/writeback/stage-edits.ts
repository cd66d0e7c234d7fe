import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkOut } from '../commit/checkout.ts';
import { type ChangedFile, stageFiles } from '../commit/stage.ts';
import { nowhere, Stop } from '../commit/stop.ts';
import { InternalError } from '../internal-error.ts';
import type { ClonePlace } from './clone.ts';

/** A file of `state/` as it is to be. */
export interface FileEdit {
  /** Relative to the repository: `state/claims/ada.yaml`. */
  readonly path: string;
  /** The whole text; undefined removes the file. */
  readonly text: string | undefined;
}

export interface Staged {
  /** Id of the whole tree with the edits in it. */
  readonly tree: string;
  /** The edits that changed something. */
  readonly changed: readonly FileEdit[];
}

/** Puts edits on top of a commit, without a checkout of anything but the edited files. */
export async function stageEdits(place: ClonePlace, commit: string, edits: readonly FileEdit[]): Promise<Staged> {
  const paths = edits.map(({ path }) => path);
  if (new Set(paths).size < paths.length) throw new InternalError(`a file is edited twice: ${paths.join(' ')}`);
  const before = await entriesAt(place, commit, paths);
  const checkout = await checkOut(place, place.scratch, { commit, onDisk: [] });
  try {
    const there = edits.filter(({ path, text }) => text !== undefined || before.has(path));
    for (const { path, text } of there) if (text !== undefined) write(join(checkout.dir, path), text);
    const tree = await stageFiles(
      checkout,
      'state',
      there.map(({ path, text }) => ({
        path: belowState(path),
        change: changeOf(before.has(path), text),
      })),
    );
    const after = await entriesAt(place, tree, paths);
    return { tree, changed: there.filter(({ path }) => before.get(path) !== after.get(path)) };
  } finally {
    rmSync(dirname(checkout.dir), { recursive: true, force: true });
  }
}

function changeOf(existed: boolean, text: string | undefined): ChangedFile['change'] {
  if (text === undefined) return 'removed';
  return existed ? 'changed' : 'added';
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function belowState(path: string): string {
  if (!path.startsWith('state/')) throw new InternalError(`${path} is not below state/`);
  return path.slice('state/'.length);
}

/**
 * Path → blob of those that exist. Each must be an ordinary file in ordinary folders: through a link, an edit would go
 * somewhere else, or replace the link by a copy that nobody knows of.
 */
async function entriesAt({ git }: ClonePlace, tree: string, paths: readonly string[]): Promise<Map<string, string>> {
  const entries = new Map<string, string>();
  if (paths.length === 0) return entries;
  const files = new Set(paths);
  const wanted = [...new Set(paths.flatMap(withParents))];
  for (const line of await listed(git, tree, wanted)) {
    const tab = line.indexOf('\t');
    const [mode = '', , id = ''] = line.slice(0, tab).split(' ');
    const path = line.slice(tab + 1);
    const isFolder = mode === '040000';
    if (isFolder === files.has(path) || mode === '120000' || mode === '160000') refuse(path);
    if (!isFolder) entries.set(path, id);
  }
  return entries;
}

/** More are looked up in a list of everything: git compares each path asked for with each one there is. */
const few = 100;

/** Lines `<mode> <type> <id>\t<path>` of those that exist. */
async function listed(git: ClonePlace['git'], tree: string, paths: readonly string[]): Promise<readonly string[]> {
  if (paths.length > few) {
    const wanted = new Set(paths);
    const all = lines(await git.run(['ls-tree', '-r', '-t', '-z', tree, '--', 'state/']));
    return all.filter((line) => wanted.has(line.slice(line.indexOf('\t') + 1)));
  }
  // By depth: asked for a folder and for a file in it, `ls-tree` answers with everything in that folder.
  const depthOf = (path: string): number => path.split('/').length;
  const found: string[] = [];
  for (const depth of new Set(paths.map(depthOf))) {
    const level = paths.filter((path) => depthOf(path) === depth);
    found.push(...lines(await git.run(['ls-tree', '-z', tree, '--', ...level])));
  }
  return found;
}

function lines(output: string): string[] {
  return output.split('\0').filter((line) => line !== '');
}

function withParents(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

function refuse(path: string): never {
  throw new Stop({
    code: 'commit-path-occupied',
    at: nowhere,
    message: `${path} is not the ordinary file or folder that an edit of state/ needs there.`,
    remedy: 'Replace the link by the file itself.',
  });
}
