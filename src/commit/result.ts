import type { Finding } from '../validate/finding.ts';
import { advance, type LocalBranch } from './advance.ts';
import type { Built, Nothing } from './build.ts';
import { type Destination, repositoryName } from './destination.ts';
import type { PushOutcome } from './push-loop.ts';
import { remoteFinding } from './remote-findings.ts';
import type { Repository } from './repository.ts';
import type { ChangedFile } from './stage.ts';
import { findingOf } from './stop.ts';
import type { Workplace } from './workplace.ts';

/** Where a commit went or would go, as people know it. */
export interface CommitPlace {
  /** Name of the remote, or address of another repository without credentials; absent: it stays here. */
  readonly remote?: string;
  /** Branch that moves. */
  readonly branch: string;
  /** Branch that the pull request goes into. */
  readonly base?: string;
  readonly path: string;
}

export type CommitResult<Problems> =
  | {
      readonly kind: 'committed';
      readonly commit: string;
      /** Commit whose state was compiled. */
      readonly source: string;
      readonly subject: string;
      readonly changes: readonly ChangedFile[];
      readonly place: CommitPlace;
      readonly local: LocalBranch;
      readonly attempts: number;
      /** What the server said, e.g. where to open the pull request. */
      readonly said: string;
    }
  | {
      readonly kind: 'would-commit';
      readonly source: string;
      readonly subject: string;
      readonly changes: readonly ChangedFile[];
      readonly place: CommitPlace;
    }
  | {
      readonly kind: 'unchanged';
      readonly source: string;
      /** False: commits that are only here have to be pushed before anybody sees this output. */
      readonly isPublished: boolean;
      readonly place: CommitPlace;
    }
  /** The place has output of a later commit of `state/`: nothing to do. */
  | { readonly kind: 'superseded'; readonly by: string; readonly place: CommitPlace }
  | { readonly kind: 'problems'; readonly problems: Problems }
  /** Nothing was changed anywhere. A non-zero exit. */
  | { readonly kind: 'failed'; readonly finding: Finding };

/** What a commit works on, whatever the attempt. */
export interface Run {
  readonly repository: Repository;
  readonly destination: Destination;
  readonly place: Workplace;
  /** For checkouts and other files of this run. */
  readonly folder: string;
}

/** Says how it ended and, after a push, brings the user's own branch along. */
export async function resultOf<Problems>(
  run: Run,
  outcome: PushOutcome<Built, Nothing<Problems>>,
): Promise<CommitResult<Problems>> {
  const { base, review, path } = run.destination;
  const { remote, name } = run.place;
  const branch = review ?? base;
  const { attempts } = outcome;
  if (outcome.kind === 'failed') {
    const context = { remote: name, branch, attempts, isReview: review !== undefined, setting: 'git.target' };
    return { kind: 'failed', finding: remoteFinding(outcome.failure, context) };
  }
  const place: CommitPlace = {
    ...(remote === undefined ? {} : { remote: repositoryName(run.destination) }),
    branch,
    ...(review === undefined ? {} : { base }),
    path,
  };
  if (outcome.kind === 'nothing') {
    return outcome.because.kind === 'problems' ? outcome.because : { ...outcome.because, place };
  }
  const { commit, source, subject, changes } = outcome.built;
  const local = await localBranch(run, commit);
  return { kind: 'committed', commit, source, subject, changes, place, local, attempts, said: outcome.said };
}

async function localBranch({ repository, destination, place, folder }: Run, to: string): Promise<LocalBranch> {
  if (!destination.isCheckedOut) return { kind: 'untouched' };
  // Without a remote, moving it was the whole of the publishing.
  if (place.remote === undefined) return { kind: 'advanced', replaced: [] };
  try {
    return await advance(repository, { to, path: destination.path, runFolder: folder });
  } catch (error) {
    // The push cannot be taken back, so it must not look as if it had failed; `git pull` puts the rest right.
    return { kind: 'behind', reason: findingOf(error)?.message ?? String(error) };
  }
}
