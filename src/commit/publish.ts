import { existsSync } from 'node:fs';
import { GitFailure } from './git.ts';
import { type PushAnswer, pushAnswer } from './push-answer.ts';
import { nowhere, Stop } from './stop.ts';
import type { Workplace } from './workplace.ts';

/**
 * Pushes one commit to one branch, as a fast-forward or not at all. The user's pre-push hook runs, as it would for
 * their own push: it can refuse, and Git LFS uploads with it, but it cannot change what is pushed.
 */
export async function publish(place: Workplace, branch: string, commit: string): Promise<PushAnswer> {
  const { pusher, remote } = place;
  const options = ['--porcelain', '--no-follow-tags', '--recurse-submodules=no'];
  return pushAnswer(await pusher.ask(['push', ...options, remote ?? '', `${commit}:refs/heads/${branch}`]));
}

/** Without a remote: moves a branch of this repository, if it still is where it was. */
export async function moveBranch(
  { git }: Workplace,
  branch: string,
  commit: string,
  from: string | undefined,
): Promise<PushAnswer> {
  await refuseCheckedOut(git, branch);
  const expected = from ?? '0'.repeat(commit.length);
  const answer = await git.ask(['update-ref', '-m', 'quiesce commit', `refs/heads/${branch}`, commit, expected]);
  if (answer.code === 0) return { kind: 'pushed', said: '' };
  const said = answer.stderr.trim();
  if (/exists; cannot create/.test(said)) return { kind: 'name-taken', said };
  if (/but expected|already exists/.test(said)) return { kind: 'raced', said };
  throw new GitFailure('update-ref', answer);
}

async function refuseCheckedOut(git: Workplace['git'], branch: string): Promise<void> {
  const blocks = (await git.run(['worktree', 'list', '--porcelain'])).split('\n\n');
  const block = blocks.find((text) => text.split('\n').includes(`branch refs/heads/${branch}`));
  const folder = block === undefined ? undefined : /^worktree (.*)$/m.exec(block)?.[1];
  if (folder === undefined || !existsSync(folder)) return;
  throw new Stop({
    code: 'commit-branch-in-use',
    at: nowhere,
    message: `${branch} is checked out in ${folder}.`,
    remedy: 'Switch that work tree to another branch, or add a remote to push to.',
  });
}
