import type { Finding, Location } from '../validate/finding.ts';
import { exitCodes, GitFailure } from './git.ts';

/** Ends a commit from wherever it is, with something for the user to do. Never leaves this folder. */
export class Stop extends Error {
  override readonly name = 'Stop';
  readonly finding: Finding;

  constructor(finding: Finding) {
    super(finding.message);
    this.finding = finding;
  }
}

export const nowhere: Location = { kind: 'nowhere' };

export const indexLocked: Finding = {
  code: 'commit-index-locked',
  at: nowhere,
  message: 'Another git command is at work in this repository, or one was interrupted: .git/index.lock exists.',
  remedy: 'Wait for the other command; if there is none, remove .git/index.lock.',
};

/** What git's own words on this machine mean; tried in order, the last one always fits. */
const rules: readonly { readonly pattern: RegExp; readonly finding: (said: string) => Finding }[] = [
  {
    pattern: /dubious ownership/i,
    finding: (said) => ({
      code: 'commit-repository-untrusted',
      at: nowhere,
      message: `Git does not trust this repository, because it belongs to another user: ${said}`,
      remedy:
        'Run "git config --global --add safe.directory <folder>", as is usual in containers, or change the owner.',
    }),
  },
  {
    pattern: /not a git repository|must be run in a work tree/i,
    finding: () => ({
      code: 'commit-no-repository',
      at: nowhere,
      message: 'The folder that holds state/ is not in a git work tree.',
      remedy: 'Run "git init" and commit state/, or use -C to name a folder of a clone (not a bare repository).',
    }),
  },
  // Before the lock: it may be what could not be written, and git has words of its own for that.
  {
    pattern: /no space left on device|out of diskspace|disk quota exceeded|ENOSPC|EDQUOT/i,
    finding: (said) => noSpace(said),
  },
  { pattern: /index\.lock|another git process seems to be running/i, finding: () => indexLocked },
  {
    pattern: /permission denied|read-only file system|insufficient permission|EACCES|EROFS|EPERM/i,
    finding: (said) => ({
      code: 'commit-not-writable',
      at: nowhere,
      message: `The repository on this machine cannot be written: ${said}`,
      remedy: 'Check who owns the files below .git, and that the file system is not mounted read-only.',
    }),
  },
  {
    pattern: /(?:)/,
    finding: (said) => ({
      code: 'commit-git-failed',
      at: nowhere,
      message: `Git could not do its part: ${said}`,
      remedy: 'Run "git status" and "git fsck" to see whether the repository is sound; nothing was pushed.',
    }),
  },
];

export function noSpace(said: string): Finding {
  return {
    code: 'commit-no-space',
    at: nowhere,
    message: `There is no space left on this machine: ${said}`,
    remedy: 'Free some space and run the command again; nothing was pushed.',
  };
}

/** The finding for an error of git or of the file system; undefined for a bug of ours. */
export function findingOf(error: unknown): Finding | undefined {
  if (error instanceof Stop) return error.finding;
  if (error instanceof GitFailure)
    return error.answer.code === exitCodes.missing ? gitMissing : ofText(error.answer.stderr || error.message);
  if (error instanceof Error && 'code' in error && typeof error.code === 'string' && isOfTheMachine(error.code))
    return ofText(error.message);
  return undefined;
}

export const gitMissing: Finding = {
  code: 'git-missing',
  at: nowhere,
  message: 'There is no git on the path.',
  remedy: 'Install git 2.30 or later.',
};

function isOfTheMachine(code: string): boolean {
  return ['ENOSPC', 'EDQUOT', 'EACCES', 'EROFS', 'EPERM', 'EMFILE', 'ENFILE', 'EIO'].includes(code);
}

function ofText(text: string): Finding {
  const said = text
    .trim()
    .split('\n')
    .slice(0, 5)
    .join(' ')
    .replace(/^(?:fatal|error): /, '');
  const rule = rules.find(({ pattern }) => pattern.test(text));
  if (rule === undefined) throw new Error('the last rule fits everything');
  return rule.finding(said);
}
