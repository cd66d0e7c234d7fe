import { readFileSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { InternalError } from '../internal-error.ts';
import { blobId } from './blob.ts';
import type { ListedFile, Listing } from './listing.ts';
import { bySourcePath, type Source, type Tree } from './tree.ts';

/** The state as it lies on disk. `listing` says what there is; only files that are asked for are opened. */
export function worktree(root: string, listing: Listing): Tree {
  const sources: Source[] = [];
  for (const [path, file] of listing) {
    if (path.startsWith('state/')) sources.push(sourceOf(root, path, file));
  }
  const known = new Set(sources.map((source) => source.path));
  return {
    label: 'worktree',
    sources: sources.sort(bySourcePath),
    prefetch: async () => {},
    read: (path) => {
      if (!known.has(path)) throw new InternalError(`${path} is not among the sources`);
      return readFileSync(join(root, path));
    },
  };
}

function sourceOf(root: string, path: string, { oid, symlink, refused }: ListedFile): Source {
  if (symlink) return resolveLink(root, path);
  return refused === undefined ? { path, oid } : { path, oid, refused };
}

/** A link inside `state/` counts as the file it leads to; one that leaves it is never followed. */
function resolveLink(root: string, path: string): Source {
  try {
    const target = realpathSync(join(root, path));
    const home = realpathSync(join(root, 'state')) + sep;
    if (!target.startsWith(home)) return { path, oid: '', link: 'outside' };
    return { path, oid: blobId(readFileSync(target)) };
  } catch {
    return { path, oid: '', link: 'broken' };
  }
}
