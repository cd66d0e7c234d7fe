import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Git } from './git.ts';
import { plain } from './git-config.ts';
import type { Workplace } from './workplace.ts';

/** A private work tree: git in its top folder, with an index of its own. */
export interface PrivateCheckout {
  readonly git: Git;
  readonly dir: string;
  /** Stands for "no object" in this repository: SHA-1 and SHA-256 differ in length. */
  readonly nullId: string;
}

export interface CheckoutContent {
  /** Absent: an empty tree. */
  readonly commit?: string;
  /** What is on disk, as lists of pathspecs; absent: everything. */
  readonly onDisk?: readonly (readonly string[])[];
  /** Pathspecs of files that are not on disk, but that git is to count as present and unchanged. */
  readonly inIndexOnly?: readonly (readonly string[])[];
}

/**
 * Checks a commit out into a new folder. It is what `git worktree add` makes, except that the repository does not
 * learn of it: nothing to unregister after an interruption, no post-checkout hook, and no sparse patterns taken over
 * from the user.
 */
export async function checkOut(
  { git, commonDir }: Pick<Workplace, 'git' | 'commonDir'>,
  runFolder: string,
  { commit, onDisk, inIndexOnly = [] }: CheckoutContent,
): Promise<PrivateCheckout> {
  const folder = mkdtempSync(join(runFolder, 'checkout-'));
  const dir = join(folder, 'tree');
  const admin = join(folder, 'git');
  for (const made of [dir, admin]) mkdirSync(made);
  writeFileSync(join(admin, 'HEAD'), `${commit ?? 'ref: refs/heads/quiesce-empty'}\n`);
  writeFileSync(join(admin, 'commondir'), `${commonDir}\n`);
  writeFileSync(join(dir, '.git'), `gitdir: ${admin}\n`);
  const there = git.in(dir).with(plain);
  const checkout = { git: there, dir, nullId: '0'.repeat(commit?.length ?? 40) };
  if (commit === undefined) return checkout;
  if (onDisk === undefined) {
    await there.run(['read-tree', '--reset', '-u', commit]);
    return checkout;
  }
  await there.run(['read-tree', commit]);
  await forFiles(there, inIndexOnly, ['update-index', '--skip-worktree']);
  await forFiles(there, onDisk, ['checkout-index', '--force', '--index']);
  return checkout;
}

/** Runs a command with the names of the files that any of the lists selects. */
async function forFiles(git: Git, lists: readonly (readonly string[])[], command: readonly string[]): Promise<void> {
  let input = '';
  for (const pathspecs of lists) input += await git.run(['ls-files', '-z', '--', ...pathspecs]);
  // A name that is no UTF-8 did not come through; nothing of ours has such a name, nor is anything read from there.
  const names = input.split('\0').filter((name) => name !== '' && !name.includes('\uFFFD'));
  if (names.length > 0) await git.run([...command, '-z', '--stdin'], { input: `${names.join('\0')}\0` });
}
