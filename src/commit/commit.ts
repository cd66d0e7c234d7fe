import { setTimeout as sleep } from 'node:timers/promises';
import type { GitTarget } from '../resolve/state.ts';
import type { Location } from '../validate/finding.ts';
import { advance } from './advance.ts';
import { type Built, buildCommit, type Compile, type Nothing } from './build.ts';
import type { ReadFromDisk } from './checkout-content.ts';
import type { Author } from './commit-object.ts';
import { destinationOf } from './destination.ts';
import type { Environment } from './environment.ts';
import { openGit } from './git.ts';
import { requirePublishedSource } from './ground.ts';
import { isAncestor } from './history.ts';
import { moveBranch, publish } from './publish.ts';
import type { PushAnswer } from './push-answer.ts';
import { defaultRetry, pushLoop, type Retry } from './push-loop.ts';
import { currentBranch, openRepository, type Repository, refuseLockedIndex } from './repository.ts';
import { type CommitResult, type Run, resultOf } from './result.ts';
import { inRunFolder } from './run-folder.ts';
import { findingOf, nowhere, Stop } from './stop.ts';
import { fetchTips, type Tips } from './tips.ts';
import { openWorkplace } from './workplace.ts';

export type { CommitPlace, CommitResult } from './result.ts';

export interface CommitOptions<Problems> {
  /** The folder that holds `state/`. */
  readonly root: string;
  readonly target: GitTarget;
  /** `git.branch` of the settings. */
  readonly stateBranch: string;
  readonly author: Author;
  readonly compile: Compile<Problems>;
  /** What `compile` reads as files; by default it gets everything as files. */
  readonly reads?: ReadFromDisk;
  /** Where `git.target` is written, for what is wrong with it. */
  readonly settingsAt?: Location;
  /** False: commit here, push nothing. */
  readonly push?: boolean;
  /** Say what would be committed; commit and push nothing. */
  readonly dryRun?: boolean;
  /** Uncommitted edits of `state/` are left out, not refused. */
  readonly allowDirty?: boolean;
  /** State of any branch may go to the target. */
  readonly anyBranch?: boolean;
  readonly retry?: Retry;
  readonly onProgress?: (event: CommitProgress) => void;
  readonly signal?: AbortSignal;
  /** Default: that of the process. */
  readonly environment?: Environment;
}

export interface CommitProgress {
  readonly stage: 'fetch' | 'compile' | 'commit' | 'push' | 'wait';
  /** From 1; more than 1 after somebody else pushed first. */
  readonly attempt: number;
}

/**
 * Compiles the committed state and publishes the output where the settings say, if its bytes changed.
 *
 * All work is done in private checkouts below the git folder, and the user's branch moves only after the push went
 * through: whatever fails or is interrupted on the way, the work tree and the index are as they were.
 */
export async function commit<Problems>(options: CommitOptions<Problems>): Promise<CommitResult<Problems>> {
  try {
    const { environment = process.env, signal } = options;
    const git = openGit(options.root, signal === undefined ? { environment } : { environment, signal });
    const repository = await openRepository(git);
    const answer = destinationOf({
      target: options.target,
      stateBranch: options.stateBranch,
      settingsAt: options.settingsAt ?? nowhere,
      repository,
      push: options.push ?? true,
      anyBranch: options.anyBranch ?? false,
    });
    if (answer.kind === 'stop') return { kind: 'failed', finding: answer.finding };
    const { destination } = answer;
    if (options.allowDirty !== true) refuseDirty(repository);
    if (destination.isCheckedOut && options.dryRun !== true) await refuseLockedIndex(repository.gitDir);
    if (!destination.sharesState && options.anyBranch !== true) {
      await requirePublishedSource(repository, destination.remote, options.stateBranch);
    }
    return await inRunFolder(repository.gitDir, async (folder) => {
      const place = await openWorkplace(destination, repository, folder);
      return commitIn(options, { repository, destination, place, folder });
    });
  } catch (error) {
    const finding = findingOf(error);
    if (finding === undefined) throw error;
    return { kind: 'failed', finding };
  }
}

async function commitIn<Problems>(options: CommitOptions<Problems>, run: Run): Promise<CommitResult<Problems>> {
  const { place, destination } = run;
  const { base, review } = destination;
  const branch = review ?? base;
  let attempt = 1;
  const tell = (stage: CommitProgress['stage']): void => options.onProgress?.({ stage, attempt });
  const dryRun = options.dryRun ?? false;
  const outcome = await pushLoop<Tips, Built, Nothing<Problems>>(
    {
      fetch: async (number) => {
        attempt = number;
        tell('fetch');
        return fetchTips(place, review === undefined ? [base] : [base, review]);
      },
      build: (tips) => buildCommit({ ...options, ...run, dryRun, tips, attempt, tell }),
      push: async (built, tips) => {
        tell('push');
        return place.remote === undefined ? publishHere(run, built, tips) : publish(place, branch, built.commit);
      },
      contains: async (tips, ours) => (await isAncestor(place.git, ours, tips.get(branch) ?? '')) === true,
      wait: async (milliseconds) => {
        tell('wait');
        await sleep(milliseconds, undefined, options.signal === undefined ? {} : { signal: options.signal });
      },
    },
    options.retry ?? defaultRetry,
  );
  return resultOf(run, outcome);
}

/** Without a remote, the branch of this repository is what is published. */
async function publishHere(run: Run, { commit: to }: Built, tips: Tips): Promise<PushAnswer> {
  const { repository, destination, place, folder } = run;
  const branch = destination.review ?? destination.base;
  if (!destination.isCheckedOut || (await currentBranch(repository.git)) !== branch) {
    return moveBranch(place, branch, to, tips.get(branch));
  }
  const local = await advance(repository, { to, path: destination.path, runFolder: folder });
  return local.kind === 'behind' ? { kind: 'raced', said: local.reason } : { kind: 'pushed', said: '' };
}

function refuseDirty({ dirty }: Repository): void {
  const [first] = dirty;
  if (first === undefined) return;
  const others = dirty.length === 1 ? '' : ` and ${dirty.length - 1} more`;
  throw new Stop({
    code: 'commit-dirty-state',
    at: { kind: 'file', file: first },
    message: `${first}${others} ${dirty.length === 1 ? 'is' : 'are'} not committed, and only what is committed gets compiled.`,
    remedy: 'Commit state/ first ("git add state && git commit"), or use --allow-dirty to leave these edits out.',
  });
}
