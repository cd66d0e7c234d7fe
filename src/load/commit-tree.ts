import { posix } from 'node:path';
import { InternalError } from '../internal-error.ts';
import { gitBlobs, gitBytes, gitOutput } from './git.ts';
import { bySourcePath, type Source, type Tree } from './tree.ts';

/** The state in a commit, without a checkout. Undefined when git does not know the ref. */
export async function commitTree(root: string, ref: string): Promise<Tree | undefined> {
  return (await commitFiles(root, ref, []))?.tree;
}

export interface CommitFiles {
  readonly tree: Tree;
  /** Blob ids of the files asked for besides, as far as they are there. */
  readonly beside: ReadonlyMap<string, string>;
}

/** The state in a commit, and which content some other files have there, in one call. */
export async function commitFiles(
  root: string,
  ref: string,
  beside: readonly string[],
): Promise<CommitFiles | undefined> {
  const output = await gitOutput(root, [
    ...['ls-tree', '-r', '-z', '--end-of-options', `${ref}^{commit}`, 'state/'],
    ...beside,
  ]);
  if (output === undefined) return undefined;
  const entries = parseTree(output);
  const others = entries.filter(({ path }) => !path.startsWith('state/'));
  const state = others.length === 0 ? entries : entries.filter(({ path }) => path.startsWith('state/'));
  return { tree: await treeOf(root, ref, state), beside: new Map(others.map(({ path, oid }) => [path, oid])) };
}

async function treeOf(root: string, ref: string, entries: readonly Entry[]): Promise<Tree> {
  const sources = await resolveLinks(root, entries);
  const oids = new Map(sources.map((source) => [source.path, source.oid]));
  const blobs = new Map<string, Uint8Array>();
  return {
    label: ref,
    sources,
    prefetch: async (paths) => {
      const wanted = paths.map((path) => oids.get(path) ?? '').filter((oid) => oid !== '' && !blobs.has(oid));
      if (wanted.length === 0) return;
      for (const [oid, bytes] of await gitBlobs(root, wanted)) blobs.set(oid, bytes);
    },
    read: (path) => {
      const bytes = blobs.get(oids.get(path) ?? '');
      if (bytes === undefined) throw new InternalError(`${path} of ${ref} was not prefetched`);
      return bytes;
    },
  };
}

/** Content of a blob by its id or name (`HEAD:./out/inventory.jsonl`); undefined when there is none. */
export async function blobBytes(root: string, blob: string): Promise<Buffer | undefined> {
  return gitBytes(root, ['cat-file', 'blob', blob]);
}

interface Entry {
  readonly path: string;
  readonly oid: string;
  readonly symlink: boolean;
}

/** A link's blob is the name of its target: one that names another file of the tree counts as that file. */
async function resolveLinks(root: string, entries: readonly Entry[]): Promise<Source[]> {
  const links = entries.filter((entry) => entry.symlink);
  if (links.length === 0) return entries.map(({ path, oid }): Source => ({ path, oid })).sort(bySourcePath);
  const targets = await gitBlobs(
    root,
    links.map((link) => link.oid),
  );
  const files = new Map(entries.filter((entry) => !entry.symlink).map((entry) => [entry.path, entry.oid]));
  const sources = entries.map(({ path, oid, symlink }): Source => {
    if (!symlink) return { path, oid };
    const target = posix.join(posix.dirname(path), new TextDecoder().decode(targets.get(oid)));
    const targetOid = files.get(target);
    if (targetOid !== undefined) return { path, oid: targetOid };
    return { path, oid: '', link: target.startsWith('state/') ? 'broken' : 'outside' };
  });
  return sources.sort(bySourcePath);
}

/** Lines `<mode> blob <oid>\t<path>`. */
function parseTree(output: string): Entry[] {
  const entries: Entry[] = [];
  for (const line of output.split('\0')) {
    const tab = line.indexOf('\t');
    const [mode, type, oid] = line.slice(0, tab).split(' ');
    if (type !== 'blob' || oid === undefined) continue;
    const path = line.slice(tab + 1);
    entries.push({ path, oid, symlink: mode === '120000' });
  }
  return entries;
}
