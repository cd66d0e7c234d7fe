import type { Finding } from '../validate/finding.ts';
import type { Destination } from './destination.ts';
import { changesOutside, isAncestor, lastSource, relationOf } from './history.ts';
import { remoteFinding } from './remote-findings.ts';
import type { Repository } from './repository.ts';
import { nowhere, Stop } from './stop.ts';
import { fetchTips, type Tips } from './tips.ts';
import type { Workplace } from './workplace.ts';

/** What the next commit is built on. */
export interface Ground {
  /** Commit whose `state/` is compiled. */
  readonly source: string;
  readonly parents: readonly string[];
  /** Commit whose files the new one starts from; absent: none (the branch is new). */
  readonly start?: string;
  /** Commit that has to differ in the output folder, or nothing needs to be done. */
  readonly against?: string;
}

export type GroundAnswer =
  | { readonly kind: 'ground'; readonly ground: Ground }
  /** The destination has output of a later commit of `state/` already: ours would turn it back. */
  | { readonly kind: 'superseded'; readonly by: string };

export interface GroundInputs {
  readonly repository: Repository;
  readonly place: Workplace;
  readonly destination: Destination;
  readonly stateBranch: string;
  readonly tips: Tips;
}

export async function groundFor(inputs: GroundInputs): Promise<GroundAnswer> {
  const { repository, destination, tips } = inputs;
  const base = await baseFor(inputs);
  const { head } = repository;
  const { sharesState, review } = destination;
  const onBase: Ground =
    base === undefined
      ? { source: head, parents: [] }
      : { source: sharesState ? base : head, parents: [base], start: base, against: base };
  const ground = review === undefined ? onBase : await reviewGround(inputs, onBase, tips.get(review));
  const by = sharesState ? undefined : await newerSource(inputs, ground.parents);
  return by === undefined ? { kind: 'ground', ground } : { kind: 'superseded', by };
}

/** Where the base branch is to go on from: usually where it is. */
async function baseFor({ repository, place, destination, tips }: GroundInputs): Promise<string | undefined> {
  const tip = tips.get(destination.base);
  const { head, branch } = repository;
  if (!destination.sharesState) return tip;
  if (tip === undefined) return head;
  const relation = await relationOf(place, head, tip);
  if (relation.kind === 'diverged') throw new Stop(diverged(destination.base, place.name, relation));
  if (relation.kind !== 'ahead') return tip;
  // CI checks out pull requests as a commit of its own on top of the branch: nobody has merged that yet.
  if (branch === undefined) throw new Stop(notMerged(head, destination.base, place.name));
  return head;
}

/**
 * A pull request branch is only ever added to. When the base has gone on, the new commit joins the two, with the
 * files of the base: what the branch proposed before was compiled from an older state.
 */
async function reviewGround(
  { place, destination }: GroundInputs,
  onBase: Ground,
  tip: string | undefined,
): Promise<Ground> {
  const { base, review = '', path, sharesState } = destination;
  const start = onBase.start;
  if (start === undefined) throw new Stop(noBase(base, place.name));
  if (tip === undefined) return onBase;
  const relation = await relationOf(place, tip, start);
  if (relation.kind === 'same' || relation.kind === 'behind') return onBase;
  if (relation.kind === 'ahead') {
    return { source: sharesState ? tip : onBase.source, parents: [tip], start: tip, against: tip };
  }
  if (await changesOutside(place.git, start, tip, path)) throw new Stop(edited(review, base, path));
  return { ...onBase, parents: [tip, start], against: tip };
}

async function newerSource(
  { repository, place, destination, stateBranch }: GroundInputs,
  tips: readonly string[],
): Promise<string | undefined> {
  const { git, pusher, commonDir, head } = repository;
  const { path, remote } = destination;
  for (const tip of tips) {
    const source = await lastSource(place.git, tip, path);
    if (source === undefined || source === head) continue;
    let isOlder = await isAncestor(git, head, source);
    if (isOlder === undefined && remote !== undefined) {
      // A commit that this clone has not seen yet. One that its branch does not have either was rewritten away.
      await fetchTips({ git, pusher, commonDir, remote, name: remote }, [stateBranch]);
      isOlder = await isAncestor(git, head, source);
    }
    if (isOlder === true) return source;
  }
  return undefined;
}

/**
 * What goes to another branch or repository is applied at once, so its state must have been published: the commit is
 * on the remote's state branch. Where CI fetched that branch, no question goes over the network.
 */
export async function requirePublishedSource(
  repository: Repository,
  remote: string | undefined,
  stateBranch: string,
): Promise<void> {
  const { git, pusher, head, commonDir } = repository;
  if (remote === undefined) return;
  if ((await isAncestor(git, head, `refs/remotes/${remote}/${stateBranch}`)) === true) return;
  const place: Workplace = { git, pusher, commonDir, remote, name: remote };
  const answer = await fetchTips(place, [stateBranch]);
  if (answer.kind !== 'tip')
    throw new Stop(
      remoteFinding(answer, { remote, branch: stateBranch, attempts: 1, isReview: false, setting: 'git.target' }),
    );
  const tip = answer.tip.get(stateBranch);
  const relation = tip === undefined ? undefined : await relationOf(place, head, tip);
  if (relation?.kind !== 'same' && relation?.kind !== 'behind') throw new Stop(notMerged(head, stateBranch, remote));
}

function diverged(
  branch: string,
  remote: string,
  { ahead, behind }: { readonly ahead: number; readonly behind: number },
): Finding {
  return {
    code: 'commit-diverged',
    at: nowhere,
    message: `${branch} has ${count(ahead, 'commit')} that ${remote} does not have, and lacks ${count(behind, 'commit')} of ${remote}.`,
    remedy: 'Bring them together first, for example with "git pull --rebase".',
  };
}

function notMerged(head: string, branch: string, remote: string): Finding {
  return {
    code: 'commit-wrong-branch',
    at: nowhere,
    message: `Commit ${head.slice(0, 10)} is not on ${branch} of ${remote}, so its state is not agreed upon yet.`,
    remedy: `Push or merge it to ${branch} first.`,
  };
}

function noBase(branch: string, remote: string): Finding {
  return {
    code: 'commit-no-base-branch',
    at: nowhere,
    message: `${remote} has no branch ${branch} that a pull request could go into.`,
    remedy: `Push ${branch} once, with git.target.push set to "direct" or by hand.`,
  };
}

function edited(review: string, base: string, path: string): Finding {
  return {
    code: 'commit-review-branch-edited',
    at: nowhere,
    message: `${review} and ${base} went different ways, and ${review} holds changes outside of ${path}.`,
    remedy: `Merge ${base} into ${review}, or delete ${review} on the remote.`,
  };
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
