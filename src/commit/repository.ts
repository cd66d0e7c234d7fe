import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Git } from './git.ts';
import { type GitConfig, quiet, readConfig } from './git-config.ts';
import { indexLocked, nowhere, Stop } from './stop.ts';

/** The user's repository, as far as a commit needs to know it. */
export interface Repository {
  /** Git in the folder that holds `state/`, without hooks. */
  readonly git: Git;
  /** The same as the user runs it. */
  readonly pusher: Git;
  /** Git in the top folder of the work tree. */
  readonly top: Git;
  /** Of this work tree, absolute. */
  readonly gitDir: string;
  /** Of all its work trees: where objects and branches are. */
  readonly commonDir: string;
  /** From the top of the repository to the folder that holds `state/`: empty, or ending in `/`. */
  readonly prefix: string;
  readonly head: string;
  /** Checked-out branch; absent on a detached HEAD. */
  readonly branch?: string;
  readonly config: GitConfig;
  /** Files of `state/` that differ from HEAD, relative to the folder that holds `state/`. */
  readonly dirty: readonly string[];
}

export async function openRepository(pusher: Git): Promise<Repository> {
  const git = pusher.with(quiet);
  const inside = (await git.run(['rev-parse', '--is-inside-work-tree'])).trim();
  if (inside !== 'true') throw new Stop(noWorkTree);
  const questions = ['--absolute-git-dir', '--git-common-dir', '--show-toplevel', '--show-prefix'];
  const [gitDir = '', commonDir = '', top = '', prefix = ''] = (await git.run(['rev-parse', ...questions])).split('\n');
  const underWay = operationUnderWay(gitDir);
  if (underWay !== undefined) throw new Stop(inProgress(underWay));
  const status = await git.run([
    ...[
      'status',
      '--porcelain=v2',
      '--branch',
      '-z',
      '--untracked-files=all',
      '--ignore-submodules=all',
      '--no-renames',
    ],
    ...['--', 'state'],
  ]);
  const { head, branch, paths } = parseStatus(status);
  if (head === undefined) throw new Stop(nothingCommitted);
  return {
    git,
    pusher,
    top: git.in(top),
    gitDir,
    commonDir: resolve(git.dir, commonDir),
    prefix,
    head,
    ...(branch === undefined ? {} : { branch }),
    config: await readConfig(git),
    dirty: paths.map((path) => (path.startsWith(prefix) ? path.slice(prefix.length) : path)),
  };
}

/** Editors take the lock for an instant whenever a file changes; only one that stays is worth a word. */
export async function refuseLockedIndex(gitDir: string): Promise<void> {
  for (let waited = 0; existsSync(join(gitDir, 'index.lock')); waited += 1) {
    if (waited === 20) throw new Stop(indexLocked);
    await sleep(100);
  }
}

/** Absent on a detached HEAD. */
export async function currentBranch(git: Git): Promise<string | undefined> {
  const answer = await git.ask(['symbolic-ref', '--quiet', 'HEAD']);
  return answer.code === 0 ? answer.stdout.trim().replace(/^refs\/heads\//, '') : undefined;
}

interface Status {
  readonly head?: string;
  readonly branch?: string;
  readonly paths: readonly string[];
}

/** Number of fields before the path, by the kind of entry. */
const fieldsBeforePath: Readonly<Record<string, number>> = { '1': 8, u: 10, '?': 1, '!': 1 };

function parseStatus(output: string): Status {
  const records = output.split('\0').filter((record) => record !== '');
  const header = (name: string): string | undefined =>
    records.find((record) => record.startsWith(`# ${name} `))?.slice(name.length + 3);
  const head = header('branch.oid');
  const branch = header('branch.head');
  const paths = records.flatMap((record) => {
    const fields = fieldsBeforePath[record.charAt(0)];
    return fields === undefined ? [] : [record.split(' ').slice(fields).join(' ')];
  });
  return {
    ...(head === undefined || head === '(initial)' ? {} : { head }),
    ...(branch === undefined || branch === '(detached)' ? {} : { branch }),
    paths,
  };
}

const operations: readonly { readonly file: string; readonly name: string }[] = [
  { file: 'rebase-merge', name: 'rebase' },
  { file: 'rebase-apply', name: 'rebase' },
  { file: 'MERGE_HEAD', name: 'merge' },
  { file: 'CHERRY_PICK_HEAD', name: 'cherry-pick' },
  { file: 'REVERT_HEAD', name: 'revert' },
  { file: 'BISECT_LOG', name: 'bisect' },
];

function operationUnderWay(gitDir: string): string | undefined {
  return operations.find(({ file }) => existsSync(join(gitDir, file)))?.name;
}

function inProgress(name: string) {
  const end =
    name === 'bisect'
      ? 'End it with "git bisect reset".'
      : `Finish it with "git ${name} --continue", or give it up with "git ${name} --abort".`;
  return {
    code: 'commit-in-progress',
    at: nowhere,
    message: `A ${name} is under way in this repository.`,
    remedy: end,
  } as const;
}

const noWorkTree = {
  code: 'commit-no-repository',
  at: nowhere,
  message: 'The folder that holds state/ is not in a git work tree.',
  remedy: 'Use -C to name a folder of a clone; a bare repository has no work tree.',
} as const;

const nothingCommitted = {
  code: 'commit-nothing-committed',
  at: nowhere,
  message: 'This repository has no commit yet.',
  remedy: 'Commit state/ first: "git add state && git commit".',
} as const;
