import { type Dirent, lstatSync, readdirSync, readFileSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { blobId } from './blob.ts';
import { gitOutput } from './git.ts';

/** What lies below some folders of the work tree: path (with `/`, relative to the root) → blob id of the bytes. */
export type Listing = Map<string, ListedFile>;
export interface ListedFile {
  readonly oid: string;
  readonly symlink: boolean;
  /** Set where the system does not let us read it (no permission, a broken disk): why. */
  readonly refused?: string;
}

/**
 * Lists the files of folders with their blob ids, without reading those that git knows to be unchanged: its index
 * remembers size, times and id of each, also right after a clone. Whatever git is unsure of is read and hashed here.
 * Outside a git repository every file is read. In `tracked` folders, files that git does not track are left out:
 * looking for them costs more than all the rest (see `listUntracked`).
 *
 * Ids of index entries are of the content as git stores it: with `core.autocrlf` or filters that may differ from the
 * bytes on disk. That costs a render that was not needed, never a wrong result.
 */
export async function listFiles(
  root: string,
  folders: { readonly all: readonly string[]; readonly tracked: readonly string[] },
): Promise<Listing> {
  const paths = [...folders.all, ...folders.tracked];
  const [index, dirty, untracked] = await Promise.all([
    gitOutput(root, ['ls-files', '-z', '-s', '--', ...paths]),
    gitOutput(root, ['diff-files', '-z', '--name-only', '--relative', '--', ...paths]),
    listUntracked(root, folders.all),
  ]);
  if (index === undefined || dirty === undefined || untracked === undefined) return walkFiles(root, paths);
  const listing = parseIndex(index);
  inspectInto(listing, root, [...split(dirty), ...untracked]);
  return listing;
}

/** Paths below the folders that git does not track, ignored ones too. Undefined outside a repository. */
export async function listUntracked(root: string, folders: readonly string[]): Promise<string[] | undefined> {
  if (folders.length === 0) return [];
  const output = await gitOutput(root, ['ls-files', '-z', '-o', '--', ...folders]);
  return output === undefined ? undefined : split(output);
}

/** Looks at these paths on disk and puts what is there into the listing. */
export function inspectInto(listing: Listing, root: string, paths: readonly string[]): void {
  for (const path of paths) {
    const file = inspect(root, path);
    if (file === undefined) listing.delete(path);
    else listing.set(path, file);
  }
}

/** Lists by reading every file; also the way to look at a folder that git does not track. */
function walkFiles(root: string, folders: readonly string[]): Listing {
  const listing: Listing = new Map();
  const walk = (folder: string): void => {
    const entries = entriesOf(join(root, folder));
    if ('refused' in entries) {
      listing.set(folder, { oid: '', symlink: false, refused: entries.refused });
      return;
    }
    for (const entry of entries) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) walk(path);
      else {
        const file = inspect(root, path);
        if (file !== undefined) listing.set(path, file);
      }
    }
  };
  for (const folder of folders) walk(folder);
  return listing;
}

/** The file as it is on disk now; undefined when there is none. */
function inspect(root: string, path: string): ListedFile | undefined {
  const full = join(root, path);
  const stat = statusOf(full);
  if (stat === undefined) return undefined;
  if (stat.isSymbolicLink()) return { oid: '', symlink: true };
  return stat.isFile() ? unlessRefused(() => ({ oid: blobId(readFileSync(full)), symlink: false })) : undefined;
}

/** What cannot be read is not gone: it must never be taken for something that a person removed. */
function unlessRefused(look: () => ListedFile): ListedFile {
  try {
    return look();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    return { oid: '', symlink: false, refused: error.message };
  }
}

function statusOf(path: string): Stats | undefined {
  return unlessAbsent(() => lstatSync(path, { throwIfNoEntry: false }));
}

function entriesOf(folder: string): Dirent[] | { readonly refused: string } {
  try {
    return unlessAbsent(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    return { refused: error.message };
  }
}

/** Nothing is there, or a file where a folder should be. */
function unlessAbsent<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return;
    throw error;
  }
}

/** Lines `<mode> <oid> <stage>\t<path>`. Submodules are no files of ours; a link's id is of its target's name. */
function parseIndex(output: string): Listing {
  const listing: Listing = new Map();
  for (const line of split(output)) {
    const mode = line.slice(0, 6);
    if (mode === '160000') continue;
    const tab = line.indexOf('\t');
    listing.set(line.slice(tab + 1), { oid: line.slice(7, tab - 2), symlink: mode === '120000' });
  }
  return listing;
}

function split(output: string): string[] {
  return output === '' ? [] : output.slice(0, -1).split('\0');
}
