import { pushAnswer } from '../commit/push-answer.ts';
import { remoteFinding } from '../commit/remote-findings.ts';
import { findingOf } from '../commit/stop.ts';
import type { Finding } from '../validate/finding.ts';
import type { StateClone } from './clone.ts';

/**
 * Asks the server whether a push would be taken, before anything is done that only a push makes lasting: why not, or
 * undefined. Rules that a server applies to commits it has received, it cannot tell beforehand.
 */
export async function whyNoPush(
  clone: StateClone,
  { commit, review }: { readonly commit: string; readonly review?: string | undefined },
): Promise<Finding | undefined> {
  try {
    return await clone.with(async ({ pusher, remote, name, branch }) => {
      const target = review ?? branch;
      const options = ['--dry-run', '--porcelain', '--no-follow-tags'];
      const answer = pushAnswer(await pusher.ask(['push', ...options, remote, `${commit}:refs/heads/${target}`]));
      if (answer.kind === 'pushed' || answer.kind === 'raced') return undefined;
      const context = { remote: name, branch: target, attempts: 1, isReview: review !== undefined };
      return remoteFinding(answer, { ...context, setting: 'git.state' });
    });
  } catch (error) {
    const finding = findingOf(error);
    if (finding === undefined) throw error;
    return finding;
  }
}
