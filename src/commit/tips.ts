import { type Git, GitFailure } from './git.ts';
import { fetchFailure, type RemoteFailure } from './push-answer.ts';
import type { Workplace } from './workplace.ts';

/** Branch → the commit it is at; branches that do not exist are absent. */
export type Tips = ReadonlyMap<string, string>;
export type TipsAnswer = { readonly kind: 'tip'; readonly tip: Tips } | RemoteFailure;

/** Where branches are now, with their commits here to look at. */
export async function fetchTips(place: Workplace, branches: readonly string[]): Promise<TipsAnswer> {
  const { git, remote } = place;
  const refs = [...new Set(branches)].map((branch) => `refs/heads/${branch}`);
  if (remote === undefined) {
    const listed = await git.run(['for-each-ref', '--format=%(objectname)%09%(refname)', ...refs]);
    return { kind: 'tip', tip: parseRefs(listed, refs) };
  }
  // A branch may move, or be rewritten, between the two calls; then what was listed is not what was fetched.
  for (let round = 1; ; round += 1) {
    const listed = await git.ask(['ls-remote', '--heads', remote, ...refs]);
    if (listed.code !== 0) return fetchFailure(listed);
    const tip = parseRefs(listed.stdout, refs);
    if (await hasCommits(git, tip)) return { kind: 'tip', tip };
    if (round > 3)
      return { kind: 'raced', said: `${place.name} changes its branches faster than they can be fetched.` };
    const failure = await fetchRefs(
      place,
      refs.filter((ref) => tip.has(branchOf(ref))),
    );
    if (failure !== undefined && failure.kind !== 'raced') return failure;
    if (failure === undefined && (await hasCommits(git, tip))) return { kind: 'tip', tip };
  }
}

/** The same of one branch into an empty repository, in one call; `raced`: it did not come, and a list tells why. */
export async function fetchOnlyTip(place: Workplace, branch: string): Promise<TipsAnswer> {
  const failure = await fetchRefs(place, [`refs/heads/${branch}`]);
  if (failure !== undefined) return failure;
  const answer = await place.git.ask(['rev-parse', '--verify', '--quiet', `refs/remotes/${place.remote}/${branch}`]);
  if (answer.code !== 0) return { kind: 'raced', said: `${branch} of ${place.name} was not fetched.` };
  return { kind: 'tip', tip: new Map([[branch, answer.stdout.trim()]]) };
}

/** Fetches what two commits of a shallow clone need to be compared. */
export async function fetchWholeHistory({ git, remote }: Workplace): Promise<void> {
  if (remote === undefined) return;
  const answer = await git.ask(['fetch', '--quiet', '--no-tags', '--no-recurse-submodules', '--unshallow', remote]);
  if (answer.code !== 0) throw new GitFailure('fetch --unshallow', answer);
}

async function fetchRefs(
  { git, remote, depth }: Workplace,
  refs: readonly string[],
): Promise<RemoteFailure | undefined> {
  const options = [
    '--quiet',
    '--no-tags',
    '--no-prune',
    '--no-recurse-submodules',
    '--no-write-fetch-head',
    '--no-auto-gc',
  ];
  const shallow = depth === undefined ? [] : [`--depth=${depth}`];
  const answer = await git.ask(['fetch', ...options, ...shallow, remote ?? '', ...refs]);
  return answer.code === 0 ? undefined : fetchFailure(answer);
}

/** Of a commit without its tree or its parents git says so later; only whether it was fetched is asked here. */
async function hasCommits(git: Git, tips: Tips): Promise<boolean> {
  const commits = [...tips.values()];
  if (commits.length === 0) return true;
  const output = await git.run(['cat-file', '--batch-check'], {
    input: commits.map((commit) => `${commit}\n`).join(''),
  });
  return !output.split('\n').some((line) => line.endsWith(' missing'));
}

function parseRefs(output: string, wanted: readonly string[]): Tips {
  const tips = new Map<string, string>();
  for (const line of output.split('\n')) {
    const [commit, ref] = line.split('\t');
    if (commit !== undefined && ref !== undefined && wanted.includes(ref)) tips.set(branchOf(ref), commit);
  }
  return tips;
}

function branchOf(ref: string): string {
  return ref.slice('refs/heads/'.length);
}
