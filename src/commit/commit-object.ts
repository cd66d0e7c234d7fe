import type { Git, GitAnswer } from './git.ts';
import { GitFailure } from './git.ts';
import { type GitConfig, isSet } from './git-config.ts';
import { formatMessage, type MessageParts } from './message.ts';
import { nowhere, Stop } from './stop.ts';

export interface Author {
  readonly name: string;
  readonly email: string;
}

export interface CommitContent {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Author;
  readonly message: MessageParts;
  /** The user's, for `commit.gpgSign`. */
  readonly config: GitConfig;
}

/**
 * Makes the commit without moving any branch. No commit hooks run: a formatter in a pre-commit hook would rewrite
 * generated files, and the commit would no longer hold what was compiled. `git commit-tree` does not look at
 * `commit.gpgSign` by itself.
 */
export async function createCommit(git: Git, content: CommitContent): Promise<string> {
  const { tree, parents, author, message, config } = content;
  const sign = isSet(config, 'commit.gpgsign');
  const options = [...(sign ? ['--gpg-sign'] : []), ...parents.flatMap((parent) => ['-p', parent])];
  const answer = await git.ask(['-c', 'i18n.commitEncoding=UTF-8', 'commit-tree', ...options, '-F', '-', tree], {
    input: formatMessage(message),
    env: {
      GIT_AUTHOR_NAME: author.name,
      GIT_AUTHOR_EMAIL: author.email,
      GIT_COMMITTER_NAME: author.name,
      GIT_COMMITTER_EMAIL: author.email,
    },
  });
  if (answer.code === 0) return answer.stdout.trim();
  throw sign && isAboutSigning(answer) ? unsigned(answer) : new GitFailure('commit-tree', answer);
}

function isAboutSigning({ stderr }: GitAnswer): boolean {
  return /gpg|sign|secret key|ssh-keygen|load key|passphrase/i.test(stderr);
}

function unsigned({ stderr }: GitAnswer): Stop {
  return new Stop({
    code: 'commit-signing-failed',
    at: nowhere,
    message: `The commit could not be signed:\n${stderr.trim()}`,
    remedy: 'Check user.signingKey and gpg.format, and that the agent needs no terminal; or unset commit.gpgSign here.',
  });
}
