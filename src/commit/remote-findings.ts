import type { Finding } from '../validate/finding.ts';
import type { RemoteFailure } from './push-answer.ts';
import { gitMissing, noSpace, nowhere } from './stop.ts';

export interface RemoteContext {
  /** Name or address as people know it, without credentials. */
  readonly remote: string;
  readonly branch: string;
  readonly attempts: number;
  /** The branch is one for a pull request. */
  readonly isReview: boolean;
  /** The part of the settings that says where to push: `git.target`. */
  readonly setting: string;
}

/** What a failed fetch or push means for the user, and what to do about it. */
export function remoteFinding({ kind, said }: RemoteFailure, context: RemoteContext): Finding {
  if (kind === 'no-space') return noSpace(said);
  if (kind === 'git-missing') return gitMissing;
  const { code, message, remedy } = meanings[kind];
  const because = said === '' ? '.' : `:\n${said}`;
  return { code, at: nowhere, message: `${message(context)}${because}`, remedy: remedy(context) };
}

interface Meaning {
  readonly code: Finding['code'];
  readonly message: (context: RemoteContext) => string;
  readonly remedy: (context: RemoteContext) => string;
}

const meanings: Readonly<Record<Exclude<RemoteFailure['kind'], 'no-space' | 'git-missing'>, Meaning>> = {
  raced: {
    code: 'commit-raced',
    message: ({ remote, branch, attempts }) =>
      `Others pushed to ${branch} of ${remote} first, ${times(attempts)} in a row`,
    remedy: () => 'Run the command again when the branch is quieter; nothing was lost.',
  },
  unclear: {
    code: 'commit-connection-lost',
    message: ({ remote, attempts }) => `The connection to ${remote} broke or the server failed, ${times(attempts)}`,
    remedy: () => 'Run the command again later: it looks at what arrived before it does anything.',
  },
  refused: {
    code: 'commit-refused',
    message: ({ remote, branch }) => `${remote} does not accept the push to ${branch}`,
    remedy: ({ isReview, setting }) =>
      isReview
        ? 'Let the server accept this user for that branch.'
        : `Set ${setting}.push to "branch" in state/settings.yaml to push a branch for a pull request, or let the server accept this user.`,
  },
  hook: {
    code: 'commit-hook-refused',
    message: ({ branch }) => `The pre-push hook of this repository refused the push to ${branch}`,
    remedy: () => 'Do what the hook asks for, and run the command again.',
  },
  credentials: {
    code: 'commit-credentials',
    message: ({ remote }) => `${remote} does not accept the credentials`,
    remedy: () =>
      'Set up a credential helper, an SSH key or a token that may push here; git is not allowed to ask for them.',
  },
  missing: {
    code: 'commit-remote-missing',
    message: ({ remote }) => `There is no repository at ${remote}, or these credentials may not see it`,
    remedy: () => 'Check the address and who has access.',
  },
  unreachable: {
    code: 'commit-unreachable',
    message: ({ remote }) => `${remote} cannot be reached`,
    remedy: () => 'Check the address, the network, proxies and certificates, and run the command again.',
  },
  'name-taken': {
    code: 'commit-branch-name',
    message: ({ remote, branch }) => `A branch named ${branch} cannot exist in ${remote} beside another one`,
    remedy: ({ setting }) => `Choose another branch in ${setting}: "a" and "a/b" exclude each other.`,
  },
  unknown: {
    code: 'commit-push-failed',
    message: ({ remote, branch }) => `The push to ${branch} of ${remote} failed`,
    remedy: () => 'Git says what is wrong; nothing was changed there.',
  },
};

function times(attempts: number): string {
  return attempts === 1 ? 'once' : `${attempts} times`;
}
