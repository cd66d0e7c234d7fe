import { setTimeout as sleep } from 'node:timers/promises';
import { type Author, createCommit } from '../commit/commit-object.ts';
import { isAncestor } from '../commit/history.ts';
import type { MessageParts } from '../commit/message.ts';
import { publish } from '../commit/publish.ts';
import { type BuildResult, defaultRetry, type PushOutcome, pushLoop, type Retry } from '../commit/push-loop.ts';
import { remoteFinding } from '../commit/remote-findings.ts';
import { findingOf } from '../commit/stop.ts';
import type { Tips } from '../commit/tips.ts';
import type { Finding } from '../validate/finding.ts';
import { version } from '../version.ts';
import type { ClonePlace, StateClone } from './clone.ts';
import { fetchNewest, groundAt } from './ground.ts';
import { type FileEdit, stageEdits } from './stage-edits.ts';
import { openState, type StateAtTip } from './state-at-tip.ts';

/** What is to be written. `note` is for the caller, and comes back with the result. */
export type Decision<Note> =
  | {
      readonly kind: 'write';
      /** Of files below `state/`, each at most once. Those that change nothing are left out. */
      readonly edits: readonly FileEdit[];
      readonly subject: string;
      /** Lines; an empty one makes a paragraph. */
      readonly body: readonly string[];
      /** Who asked for it, where known, e.g. by pressing a button. */
      readonly coAuthors?: readonly Author[];
      readonly note: Note;
    }
  | { readonly kind: 'nothing'; readonly note: Note };

/**
 * Decides on one state. It is called again with the newest state whenever somebody else pushed first, so it must look
 * at nothing but that state and what stays true meanwhile (a request, a mail that was delivered); and what it asks for
 * must be nothing when the state has it already: that is how a push that arrived unnoticed is not done twice.
 */
export type Decide<Note> = (state: StateAtTip) => Promise<Decision<Note>>;

export interface WriteRequest<Note> {
  readonly decide: Decide<Note>;
  readonly author: Author;
  /** Branch for a pull request, where the clone's own may not be pushed to. */
  readonly review?: string;
  /** Decide, and say what would be written. */
  readonly dryRun?: boolean;
  readonly retry?: Retry;
  readonly onProgress?: (event: WriteProgress) => void;
  readonly signal?: AbortSignal;
}

interface WriteProgress {
  readonly stage: 'fetch' | 'decide' | 'push' | 'wait';
  /** From 1; more than 1 after somebody else pushed first. */
  readonly attempt: number;
}

export type WriteResult<Note> =
  | {
      readonly kind: 'written';
      readonly commit: string;
      readonly subject: string;
      /** Files that changed, relative to the repository. */
      readonly paths: readonly string[];
      /** Branch that has the commit now. */
      readonly branch: string;
      readonly note: Note;
      readonly attempts: number;
      /** What the server said, e.g. where to open the pull request. */
      readonly said: string;
    }
  | {
      readonly kind: 'would-write';
      readonly subject: string;
      readonly body: readonly string[];
      readonly edits: readonly FileEdit[];
      readonly note: Note;
    }
  /** The newest state needs nothing. */
  | { readonly kind: 'nothing'; readonly note: Note; readonly attempts: number }
  /** Nothing was written. Trying again later is always safe. */
  | { readonly kind: 'failed'; readonly finding: Finding };

interface Built<Note> {
  readonly commit: string;
  readonly subject: string;
  readonly paths: readonly string[];
  readonly note: Note;
}

type Nothing<Note> =
  | { readonly kind: 'nothing'; readonly note: Note }
  | Extract<WriteResult<Note>, { readonly kind: 'would-write' }>;

/**
 * Writes to `state/` on the shared branch: fetch, decide on what is there now, commit, push; and when somebody else was
 * faster, all of it again. Nothing is forced, and no decision is carried over to another state.
 */
export async function writeBack<Note>(clone: StateClone, request: WriteRequest<Note>): Promise<WriteResult<Note>> {
  try {
    return await clone.with(async (place) => {
      const outcome = await loop(place, request);
      return resultOf(place, request, outcome);
    });
  } catch (error) {
    const finding = findingOf(error);
    if (finding === undefined) throw error;
    return { kind: 'failed', finding };
  }
}

async function loop<Note>(
  place: ClonePlace,
  request: WriteRequest<Note>,
): Promise<PushOutcome<Built<Note>, Nothing<Note>>> {
  const { review, signal } = request;
  const branch = review ?? place.branch;
  const tell = (stage: WriteProgress['stage'], attempt: number): void => request.onProgress?.({ stage, attempt });
  let last = 1;
  return pushLoop<Tips, Built<Note>, Nothing<Note>>(
    {
      fetch: async (attempt) => {
        last = attempt;
        tell('fetch', attempt);
        return fetchNewest(place, review);
      },
      build: async (tips, attempt) => {
        tell('decide', attempt);
        return build(place, request, { tips, attempt });
      },
      push: async ({ commit }) => {
        tell('push', last);
        return publish(place, branch, commit);
      },
      contains: async (tips, commit) => (await isAncestor(place.git, commit, tips.get(branch) ?? '')) === true,
      wait: async (milliseconds) => {
        tell('wait', last);
        await sleep(milliseconds, undefined, signal === undefined ? {} : { signal });
      },
    },
    request.retry ?? defaultRetry,
  );
}

async function build<Note>(
  place: ClonePlace,
  { decide, author, review, dryRun }: WriteRequest<Note>,
  { tips, attempt }: { readonly tips: Tips; readonly attempt: number },
): Promise<BuildResult<Built<Note>, Nothing<Note>>> {
  const ground = await groundAt(place, { tips, author, review });
  const state = await openState(place, ground.commit, attempt);
  const decision = await decide(state);
  const { note } = decision;
  const nothing = { kind: 'nothing', because: { kind: 'nothing', note } } as const;
  if (decision.kind === 'nothing' && !ground.isWorthPushing) return nothing;
  if (decision.kind === 'nothing') {
    return { kind: 'commit', built: { commit: ground.commit, subject: ground.subject, paths: [], note } };
  }
  const { edits, subject, body } = decision;
  const staged = await stageEdits(place, ground.commit, edits);
  if (staged.changed.length === 0) return nothing;
  if (dryRun === true) {
    return { kind: 'nothing', because: { kind: 'would-write', subject, body, edits: staged.changed, note } };
  }
  const message: MessageParts = { subject, body, trailers: trailersFor(decision.coAuthors ?? []) };
  const commit = await createCommit(place.git, {
    tree: staged.tree,
    parents: [ground.commit],
    author,
    message,
    config: await place.config,
  });
  return { kind: 'commit', built: { commit, subject, paths: staged.changed.map(({ path }) => path), note } };
}

/** Trailers that git hosts show as further authors; what could end the line or the address is taken out. */
function trailersFor(coAuthors: readonly Author[]): MessageParts['trailers'] {
  const clean = (text: string): string => text.replace(/[<>]/g, '').trim();
  return [
    ...coAuthors.map(({ name, email }) => ({ key: 'Co-authored-by', value: `${clean(name)} <${clean(email)}>` })),
    { key: 'Quiesce-Version', value: version },
  ];
}

function resultOf<Note>(
  place: ClonePlace,
  { review }: WriteRequest<Note>,
  outcome: PushOutcome<Built<Note>, Nothing<Note>>,
): WriteResult<Note> {
  const branch = review ?? place.branch;
  const { attempts } = outcome;
  if (outcome.kind === 'failed') {
    const context = { remote: place.name, branch, attempts, isReview: review !== undefined, setting: 'git.state' };
    return { kind: 'failed', finding: remoteFinding(outcome.failure, context) };
  }
  if (outcome.kind === 'nothing') {
    return outcome.because.kind === 'nothing' ? { ...outcome.because, attempts } : outcome.because;
  }
  return { kind: 'written', ...outcome.built, branch, attempts, said: outcome.said };
}
