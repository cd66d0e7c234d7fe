import { posix } from 'node:path';
import { InternalError } from '../internal-error.ts';
import { gitBlobs, gitOutput } from './git.ts';
import { bySourcePath, type Source, type Tree } from './tree.ts';

/** The state in a commit, without a checkout. Undefined when git does not know the ref. */
export async function commitTree(root: string, ref: string): Promise<Tree | undefined> {
  const commit = (
    await gitOutput(root, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`])
  )?.trim();
  if (commit === undefined || commit === '') return undefined;
  const output = await gitOutput(root, ['ls-tree', '-r', '-z', commit, '--', 'state/']);
  if (output === undefined) return undefined;
  const sources = await resolveLinks(root, parseTree(output));
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

/** Content of one file at a ref; undefined when there is none. */
export async function fileAt(root: string, ref: string, path: string): Promise<string | undefined> {
  return gitOutput(root, ['cat-file', 'blob', `${ref}:./${path}`]);
}

interface Entry {
  readonly path: string;
  readonly oid: string;
  readonly symlink: boolean;
}

/** A link's blob is the name of its target: one that names another file of the tree counts as that file. */
async function resolveLinks(root: string, entries: readonly Entry[]): Promise<Source[]> {
  const links = entries.filter((entry) => entry.symlink);
  const targets =
    links.length === 0
      ? new Map<string, Uint8Array>()
      : await gitBlobs(
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
