import { copyFileSync, existsSync, lstatSync, rmdirSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Git } from './git.ts';
import { isSet } from './git-config.ts';
import { isAncestor } from './history.ts';
import { currentBranch, type Repository } from './repository.ts';

/** What became of the branch that the user has checked out. */
export type LocalBranch =
  /** Not concerned: the commit went somewhere else. */
  | { readonly kind: 'untouched' }
  | {
      readonly kind: 'advanced';
      /** Output files with bytes that no commit had, e.g. from a `synth` of other state: they were written anew. */
      readonly replaced: readonly string[];
    }
  /** The commit is on the remote but not here; nothing here was changed. `git pull` brings it. */
  | { readonly kind: 'behind'; readonly reason: string };

export interface AdvanceOptions {
  readonly to: string;
  /** Folder of the output, from the top. */
  readonly path: string;
  readonly runFolder: string;
}

/**
 * Moves the checked-out branch, index and work tree on to the new commit, as `git merge --ff-only` does: what is
 * staged or edited stays as it is, and where that is in the way nothing happens at all. Except that files of the
 * output folder are ours, so a copy that `synth` left there is no obstacle.
 */
export async function advance(repository: Repository, options: AdvanceOptions): Promise<LocalBranch> {
  const { top, gitDir, config } = repository;
  const { to, path } = options;
  const branch = await currentBranch(top);
  if (branch !== repository.branch)
    return { kind: 'behind', reason: `${branch ?? 'a detached HEAD'} is checked out by now` };
  const from = (await top.run(['rev-parse', '--verify', 'HEAD'])).trim();
  if ((await isAncestor(top, from, to)) !== true)
    return { kind: 'behind', reason: 'there are new commits on the branch' };
  if (!existsSync(join(gitDir, 'index'))) return { kind: 'behind', reason: 'the branch is not checked out' };
  const entries = await differences(top, from, to);
  const isOurs = (entry: Entry): boolean => entry.path.startsWith(`${path}/`);
  // Which files a sparse checkout has on disk is for git to say.
  const ours = isSet(config, 'core.sparsecheckout') ? [] : entries.filter(isOurs);
  if (ours.length < entries.length) {
    const obstacle = await obstacleTo(repository, { ...options, from, ours });
    if (obstacle !== undefined) return { kind: 'behind', reason: obstacle };
  }
  const replaced = await unknownBytes(top, path, ours);
  await stageEntries(top, ours);
  if (ours.length < entries.length) await top.run(['read-tree', '-m', '-u', from, to]);
  await writeEntries(top, path, ours);
  await top.run(['update-ref', '-m', 'quiesce commit', 'HEAD', to, from]);
  return { kind: 'advanced', replaced };
}

interface Entry {
  readonly path: string;
  readonly mode: string;
  readonly id: string;
  readonly isRemoved: boolean;
}

/** Records `:<mode> <mode> <id> <id> <status>` and path, each ended by NUL. */
async function differences(git: Git, from: string, to: string): Promise<readonly Entry[]> {
  const fields = (await git.run(['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', from, to])).split(
    '\0',
  );
  const entries: Entry[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [, mode = '', , id = '', status = ''] = (fields[index] ?? '').split(' ');
    entries.push({ path: fields[index + 1] ?? '', mode, id, isRemoved: status === 'D' });
  }
  return entries;
}

/** Tries the move with a copy of the index and without writing files. */
async function obstacleTo(
  { top, gitDir }: Repository,
  { from, to, ours, runFolder }: AdvanceOptions & { readonly from: string; readonly ours: readonly Entry[] },
): Promise<string | undefined> {
  const copy = join(runFolder, 'index-to-try');
  copyFileSync(join(gitDir, 'index'), copy);
  const env = { GIT_INDEX_FILE: copy };
  await stageEntries(top, ours, env);
  const answer = await top.ask(['read-tree', '-n', '-m', '-u', from, to], { env });
  return answer.code === 0
    ? undefined
    : answer.stderr
        .trim()
        .split('\n')[0]
        ?.replace(/^(?:error|fatal): /, '');
}

async function stageEntries(
  git: Git,
  entries: readonly Entry[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  if (entries.length === 0) return;
  // Removals first: a file may have to give way to a folder of the same name.
  const sorted = [...entries.filter((entry) => entry.isRemoved), ...entries.filter((entry) => !entry.isRemoved)];
  const input = sorted.map(({ path, mode, id, isRemoved }) => `${isRemoved ? '0' : mode} ${id}\t${path}\0`).join('');
  await git.run(['update-index', '--replace', '-z', '--index-info'], { input, env });
}

async function writeEntries(git: Git, folder: string, entries: readonly Entry[]): Promise<void> {
  for (const { path } of entries.filter((entry) => entry.isRemoved)) removeFile(git.dir, folder, path);
  const written = entries.filter((entry) => !entry.isRemoved);
  if (written.length === 0) return;
  const input = written.map(({ path }) => `${path}\0`).join('');
  await git.run(['checkout-index', '--force', '--index', '-z', '--stdin'], { input });
}

/** Removes a file and the folders that are empty without it, up to the output folder. */
function removeFile(top: string, folder: string, path: string): void {
  if (lstatSync(join(top, path), { throwIfNoEntry: false }) === undefined) return;
  unlinkSync(join(top, path));
  for (let parent = dirname(path); parent.length > folder.length; parent = dirname(parent)) {
    try {
      rmdirSync(join(top, parent));
    } catch {
      return; // Not empty.
    }
  }
}

/** Of the files to be written, those whose bytes on disk are neither what was committed nor what will be. */
async function unknownBytes(git: Git, folder: string, entries: readonly Entry[]): Promise<readonly string[]> {
  if (entries.length === 0) return [];
  const status = await git.run([
    'status',
    '--porcelain=v1',
    '-z',
    '--no-renames',
    '--untracked-files=all',
    '--',
    `:(top,literal)${folder}`,
  ]);
  const edited = new Set(status.split('\0').map((record) => record.slice(3)));
  const candidates = entries.filter(({ path }) => edited.has(path) && existsSync(join(git.dir, path)));
  if (candidates.length === 0) return [];
  const ids = await git.run(['hash-object', '--stdin-paths'], {
    input: candidates.map(({ path }) => `${path}\n`).join(''),
  });
  const onDisk = ids.split('\n');
  return candidates.filter(({ id }, index) => id !== onDisk[index]).map(({ path }) => path);
}
