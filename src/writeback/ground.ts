import { type Author, createCommit } from '../commit/commit-object.ts';
import { GitFailure } from '../commit/git.ts';
import { relationOf } from '../commit/history.ts';
import { nowhere, Stop } from '../commit/stop.ts';
import { fetchOnlyTip, fetchTips, type Tips, type TipsAnswer } from '../commit/tips.ts';
import type { ClonePlace } from './clone.ts';
import { mergeStates } from './merge-states.ts';

/** The commit that the next one is put on, and whose state is decided on. */
export interface Ground {
  readonly commit: string;
  readonly subject: string;
  /** It is a merge of ours that the pull request cannot do without, even with nothing to add. */
  readonly isWorthPushing: boolean;
}

/** What pull requests need of the past: usually they are merged within that many commits. */
const reviewDepth = 50;

/** A clone is made empty, and is gone with its process. */
const hasFetched = new WeakSet<ClonePlace>();

/** Where the branches are. The first time only the newest commit is fetched, later what came since. */
export async function fetchNewest(place: ClonePlace, review: string | undefined): Promise<TipsAnswer> {
  const answer = hasFetched.has(place) ? await fetchLater(place, review) : await fetchFirst(place, review);
  // Nothing of the network: a lock that a killed git left, an object that is damaged.
  if (answer.kind === 'unknown') throw new GitFailure('fetch', { code: 1, stdout: '', stderr: answer.said });
  if (answer.kind === 'tip' && !answer.tip.has(place.branch)) throw new Stop(noBranch(place));
  if (answer.kind === 'tip') hasFetched.add(place);
  return answer;
}

async function fetchFirst(place: ClonePlace, review: string | undefined): Promise<TipsAnswer> {
  if (review !== undefined) return fetchLater({ ...place, depth: reviewDepth }, review);
  const shallow = { ...place, depth: 1 };
  const answer = await fetchOnlyTip(shallow, place.branch);
  return answer.kind === 'raced' ? fetchLater(shallow, review) : answer;
}

function fetchLater(place: ClonePlace, review: string | undefined): Promise<TipsAnswer> {
  return fetchTips(place, review === undefined ? [place.branch] : [place.branch, review]);
}

export interface GroundOptions {
  readonly tips: Tips;
  readonly author: Author;
  readonly review?: string | undefined;
}

/**
 * With a pull request branch, what it proposes counts as if it had been merged: a warning that was delivered is on
 * record there, and must not be sent again until somebody presses the button.
 */
export async function groundAt(place: ClonePlace, { tips, author, review }: GroundOptions): Promise<Ground> {
  const base = tips.get(place.branch) ?? '';
  const proposed = review === undefined ? undefined : tips.get(review);
  const at = (commit: string): Ground => ({ commit, subject: '', isWorthPushing: false });
  if (review === undefined || proposed === undefined) return at(base);
  const { kind } = await relationOf(place, proposed, base);
  if (kind === 'same' || kind === 'behind') return at(base);
  if (kind === 'ahead') return at(proposed);
  const { tree, hadConflicts } = await mergeStates(place, { base, proposed, review });
  const subject = `Bring ${review} up to date with ${place.branch}`;
  const message = { subject, body: [], trailers: [] };
  const parents = [proposed, base];
  const commit = await createCommit(place.git, { tree, parents, author, message, config: await place.config });
  return { commit, subject, isWorthPushing: hadConflicts };
}

function noBranch({ name, branch }: ClonePlace) {
  return {
    code: 'commit-no-base-branch',
    at: nowhere,
    message: `${name} has no branch ${branch}.`,
    remedy: 'Set git.branch in state/settings.yaml to the branch that holds state/.',
  } as const;
}
