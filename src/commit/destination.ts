import type { GitTarget } from '../resolve/state.ts';
import type { Finding, Location } from '../validate/finding.ts';
import { configValue, type GitConfig, remoteNames } from './git-config.ts';
import { redact } from './redact.ts';

/** Where the output goes, worked out from the settings and the repository: pure. */
export interface Destination {
  /** Address of another repository; absent: this one. */
  readonly url?: string;
  /** Remote of this repository; absent without one: what goes to this repository then stays here. */
  readonly remote?: string;
  /** Branch that the output belongs to, and that a pull request goes into. */
  readonly base: string;
  /** Branch of the pull request; absent: straight to `base`. */
  readonly review?: string;
  /** Folder of the output, from the top of the repository it goes to. */
  readonly path: string;
  /** `state/` lives on `base` too: then what is compiled is what `base` holds. */
  readonly sharesState: boolean;
  /** `base` is what the user has checked out, and moves along. */
  readonly isCheckedOut: boolean;
}

export interface DestinationInputs {
  readonly target: GitTarget;
  /** Branch that `state/` is published from: `git.branch` of the settings. */
  readonly stateBranch: string;
  readonly settingsAt: Location;
  readonly repository: { readonly branch?: string; readonly prefix: string; readonly config: GitConfig };
  /** False: commit here only. */
  readonly push: boolean;
  readonly anyBranch: boolean;
}

export type DestinationAnswer =
  | { readonly kind: 'ok'; readonly destination: Destination }
  | { readonly kind: 'stop'; readonly finding: Finding };

export function destinationOf(inputs: DestinationInputs): DestinationAnswer {
  const { target, repository, stateBranch } = inputs;
  const remote = inputs.push ? remoteFor(repository.config, repository.branch) : { kind: 'none' as const };
  if (remote.kind === 'unclear') return stop(remoteUnclear(remote.names));
  const url = isElsewhere(target.url, repository.config, remote) ? target.url : undefined;
  if (url !== undefined && !inputs.push)
    return stop(
      invalid(inputs, 'Without a push, nothing can be committed to another repository.', 'Leave out --no-push.'),
    );
  const here = repository.branch ?? stateBranch;
  const base = target.branch ?? (url === undefined ? here : stateBranch);
  const sharesState = url === undefined && base === here;
  const path = (sharesState ? repository.prefix : '') + target.path.replace(/\/+$/, '');
  const review = target.push === 'branch' ? target.pullRequestBranch : undefined;
  const isCheckedOut = sharesState && repository.branch !== undefined && review === undefined;
  const destination: Destination = {
    ...(url === undefined ? {} : { url }),
    ...(remote.kind === 'remote' ? { remote: remote.name } : {}),
    base,
    ...(review === undefined ? {} : { review }),
    path,
    sharesState,
    isCheckedOut,
  };
  const finding = problemWith(destination, inputs, here);
  return finding === undefined ? { kind: 'ok', destination } : stop(finding);
}

function problemWith(destination: Destination, inputs: DestinationInputs, here: string): Finding | undefined {
  const { base, review, sharesState } = destination;
  const path = inputs.target.path.replace(/\/+$/, '');
  if (!isFolderName(path))
    return invalid(
      inputs,
      `"${inputs.target.path}" is no folder that output can go to.`,
      'Name a folder below the top of the repository, such as "out".',
    );
  if (sharesState && /^state(?:\/|$)/.test(path))
    return invalid(
      inputs,
      'The output would go into state/.',
      'Set git.target.path to a folder beside it, such as "out".',
    );
  for (const name of [base, review]) {
    if (name !== undefined && !isBranchName(name))
      return invalid(inputs, `"${name}" cannot be the name of a branch.`, 'Use letters, digits, "-", "_" and "/".');
  }
  if (review === base)
    return invalid(
      inputs,
      `The branch for the pull request is the one it goes into: ${base}.`,
      'Set git.target.pullRequestBranch to another name, or switch to the base branch.',
    );
  if (!sharesState && !inputs.anyBranch && here !== inputs.stateBranch)
    return wrongBranch(here, inputs.stateBranch, destination);
  return undefined;
}

/** The branch's own remote as `git push` would choose it, else the only one, else `origin`. */
function remoteFor(
  config: GitConfig,
  branch: string | undefined,
):
  | { readonly kind: 'remote'; readonly name: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'unclear'; readonly names: readonly string[] } {
  const names = remoteNames(config);
  const preferred = [
    branch === undefined ? undefined : configValue(config, `branch.${branch}.pushremote`),
    configValue(config, 'remote.pushdefault'),
    branch === undefined ? undefined : configValue(config, `branch.${branch}.remote`),
    names.length === 1 ? names[0] : 'origin',
  ];
  // "." stands for this repository: such a branch follows a local one.
  const name = preferred.find((candidate) => candidate !== undefined && candidate !== '.' && names.includes(candidate));
  if (name !== undefined) return { kind: 'remote', name };
  return names.length === 0 ? { kind: 'none' } : { kind: 'unclear', names };
}

/** An address that is the remote itself is this repository: state and output then move together. */
function isElsewhere(
  url: string | undefined,
  config: GitConfig,
  remote: { readonly kind: string; readonly name?: string },
): url is string {
  if (url === undefined) return false;
  const own = remote.name === undefined ? undefined : configValue(config, `remote.${remote.name}.url`);
  return own === undefined || sameAddress(own) !== sameAddress(url);
}

function sameAddress(url: string): string {
  const withoutUser = url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]+@/i, '$1');
  return withoutUser.replace(/\/+$/, '').replace(/\.git$/, '');
}

function isFolderName(path: string): boolean {
  const parts = path.split('/');
  return (
    !/[\\\p{Cc}]/u.test(path) &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..' && part.toLowerCase() !== '.git')
  );
}

/** The rules of `git check-ref-format --branch`, without a process for each name. */
export function isBranchName(name: string): boolean {
  if (
    name === '' ||
    name === '@' ||
    name === 'HEAD' ||
    name.startsWith('-') ||
    name.endsWith('.') ||
    name.includes('@{')
  )
    return false;
  if (/[\p{Cc} ~^:?*[\\]|\.\.|\/\//u.test(name)) return false;
  return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
}

/** How people know the repository that the output goes to, without credentials. */
export function repositoryName({ url, remote }: Pick<Destination, 'url' | 'remote'>): string {
  return url === undefined ? (remote ?? 'this repository') : redact(url);
}

function stop(finding: Finding): DestinationAnswer {
  return { kind: 'stop', finding };
}

function invalid({ settingsAt }: DestinationInputs, message: string, remedy: string): Finding {
  return { code: 'commit-target-invalid', at: settingsAt, message, remedy };
}

function remoteUnclear(names: readonly string[]): Finding {
  return {
    code: 'commit-remote-unclear',
    at: { kind: 'nowhere' },
    message: `There are several remotes (${names.join(', ')}), and none is set for this branch.`,
    remedy: 'Run "git config remote.pushDefault <name>", or set an upstream with "git push -u".',
  };
}

function wrongBranch(here: string, stateBranch: string, { base }: Destination): Finding {
  return {
    code: 'commit-wrong-branch',
    at: { kind: 'nowhere' },
    message: `${here} is checked out, but ${base} is to show the state of ${stateBranch}.`,
    remedy: `Run "git switch ${stateBranch}" first, or use --any-branch if the state of ${here} is really meant to be applied.`,
  };
}
