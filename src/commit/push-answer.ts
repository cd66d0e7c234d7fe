import type { GitAnswer } from './git.ts';
import { printable, redact } from './redact.ts';

/** Why a fetch or a push did not do its work. What can be done about it differs for each. */
export interface RemoteFailure {
  readonly kind: /** Somebody else pushed first: fetch, decide again, push. */
    | 'raced'
    /** The line broke or the server stumbled: it may or may not have taken the push. */
    | 'unclear'
    /** A rule of the server: a hook, a protected branch, a limit. Trying again changes nothing. */
    | 'refused'
    /** The user's own pre-push hook. */
    | 'hook'
    | 'credentials'
    /** No such repository, or none that these credentials may see. */
    | 'missing'
    | 'unreachable'
    /** A branch `a` is in the way of a branch `a/b`, or the other way round. */
    | 'name-taken'
    /** On this machine. */
    | 'no-space'
    | 'git-missing'
    | 'unknown';
  /** What git and the server said, in their words, without credentials, progress and terminal escapes. */
  readonly said: string;
}

export type PushAnswer =
  | {
      readonly kind: 'pushed';
      /** The server's own lines, e.g. where to open a pull request. */
      readonly said: string;
    }
  | RemoteFailure;

interface Rule {
  readonly kind: RemoteFailure['kind'];
  readonly pattern: RegExp;
}

/** What follows the flag of a ref that was not updated (`git push --porcelain`), tried in order. */
const refRules: readonly Rule[] = [
  { kind: 'name-taken', pattern: /exists; cannot create|directory file conflict/ },
  {
    kind: 'raced',
    pattern:
      /^\[rejected\] \((?:fetch first|non-fast-forward|stale info|needs force|remote ref updated since checkout)\)/,
  },
  {
    kind: 'raced',
    pattern:
      /cannot lock ref|incorrect old value provided|failed to update ref|failed to lock|reference already exists/,
  },
  { kind: 'raced', pattern: /^\[remote rejected\].*(?:non-fast-forward|fetch first|is at [0-9a-f]+ but expected)/ },
  { kind: 'unclear', pattern: /^\[remote failure\]|failed to report status|internal server error|try again/i },
  { kind: 'refused', pattern: /^\[(?:remote )?rejected\]/ },
];

/** Where nothing is said of a ref: the texts of git, curl, OpenSSH and of the large hosts, tried in order. */
const textRules: readonly Rule[] = [
  { kind: 'no-space', pattern: /^(?!remote:).*no space left on device/im },
  {
    kind: 'refused',
    pattern: /returned error: 413|pack exceeds maximum allowed size|^remote:.*no space left on device/im,
  },
  { kind: 'unclear', pattern: /returned error: (?:429|5\d\d)/i },
  {
    kind: 'credentials',
    pattern:
      /authentication failed|could not read (?:username|password)|terminal prompts disabled|returned error: 40[13]|permission denied \(|permission to .+ denied|access denied|invalid (?:credentials|username or (?:password|token))|password authentication was removed/i,
  },
  {
    kind: 'missing',
    pattern:
      /repository .*not found|does not appear to be a git repository|project you were looking for could not be found|TF401019|returned error: (?:404|410)|unable to find remote helper|not valid: is this a git repository/i,
  },
  {
    kind: 'unclear',
    pattern:
      /remote end hung up unexpectedly|unexpected disconnect|early eof|rpc failed|empty reply from server|connection reset|broken pipe|transfer closed|connection closed by|kex_exchange_identification|no sign of life|operation too slow|recv failure|send failure|http\/2 stream|bad line length|unexpected end|unable to rewind/i,
  },
  {
    kind: 'unreachable',
    pattern:
      /could not resolve|failed to connect|couldn't connect|connection refused|timed out|no route to host|network is unreachable|unable to access|connect to host|host key verification failed|certificate|could not read from remote repository/i,
  },
  { kind: 'raced', pattern: /couldn't find remote ref|cannot lock ref/i },
];

/** What the answer to `git push --porcelain <remote> <one commit>:<one ref>` means. */
export function pushAnswer(answer: GitAnswer): PushAnswer {
  const said = saidIn(answer);
  if (answer.code === 0) return { kind: 'pushed', said };
  const line = answer.stdout.split('\n').find((text) => text.startsWith('!\t'));
  const why = line?.split('\t')[2];
  if (line === undefined || why === undefined) return withoutRef(answer, said);
  const context = /failed to update ref|cannot lock ref/.test(why) ? `${why}\n${answer.stderr}` : why;
  const kind = refRules.find((rule) => rule.pattern.test(context))?.kind ?? 'unknown';
  return { kind, said: joined([printable(redact(why)), said]) };
}

/** What it means that a fetch or `ls-remote` failed. */
export function fetchFailure(answer: GitAnswer): RemoteFailure {
  return failureOf(answer, saidIn(answer));
}

function withoutRef(answer: GitAnswer, said: string): RemoteFailure {
  const failure = failureOf(answer, said);
  // Git itself has no complaint, and still ends with an error: that is the user's own hook.
  const isSilent = failure.kind === 'unknown' && !/^(?:fatal|error: (?!failed to push some refs))/m.test(answer.stderr);
  return isSilent ? { kind: 'hook', said } : failure;
}

function failureOf(answer: GitAnswer, said: string): RemoteFailure {
  if (answer.code === -2) return { kind: 'git-missing', said: '' };
  const kind = textRules.find((rule) => rule.pattern.test(answer.stderr))?.kind ?? 'unknown';
  return { kind, said };
}

const noise = [
  /^(?:remote: )?(?:enumerating|counting|compressing|writing|resolving|receiving|unpacking|total|delta compression|processing)\b.*(?:%|\d|done)/i,
  /^hint:/,
  /^(?:to|from) \S+$/i,
  /^error: failed to push some refs/,
  /^warning: redirecting to/,
  /^\s*at .*\(?node:/,
];

const longest = 25;

/** The lines a person needs: `remote:` prefixes and progress taken away. */
function saidIn(answer: GitAnswer): string {
  const lines = printable(redact(answer.stderr.replaceAll('\r', '\n')))
    .split('\n')
    .filter((line) => !noise.some((pattern) => pattern.test(line)))
    .map((line) => line.replace(/^remote: ?/, '').trimEnd())
    .filter((line) => line.trim() !== '');
  return lines.length <= longest
    ? lines.join('\n')
    : [...lines.slice(0, longest), `… and ${lines.length - longest} more lines`].join('\n');
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n');
}
