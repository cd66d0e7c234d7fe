import type { PushAnswer, RemoteFailure } from './push-answer.ts';

/**
 * How anything of Quiesce writes to a shared branch: fetch, decide on what is there *now*, commit, push; and when
 * somebody else was faster, all of it again. A decision is never carried over to another tip, and nothing is forced.
 * The compiler and the lifecycle runner differ only in `build`.
 */
export interface PushSteps<Tip, Built extends { readonly commit: string }, Nothing> {
  /** What the branch holds now. */
  fetch(attempt: number): Promise<{ readonly kind: 'tip'; readonly tip: Tip } | RemoteFailure>;
  /** Decides on this tip and makes the commit, without publishing it. */
  build(tip: Tip, attempt: number): Promise<BuildResult<Built, Nothing>>;
  push(built: Built, tip: Tip): Promise<PushAnswer>;
  /** Whether the branch has a commit of ours, although its push seemed to fail: nothing is done twice. */
  contains(tip: Tip, commit: string): Promise<boolean>;
  wait(milliseconds: number): Promise<void>;
}

export type BuildResult<Built, Nothing> =
  | { readonly kind: 'commit'; readonly built: Built }
  /** There is nothing to push: no change, or a reason to stop. */
  | { readonly kind: 'nothing'; readonly because: Nothing };

export interface Retry {
  /** How often the whole is tried, at least once. */
  readonly attempts: number;
  /** Milliseconds before the next attempt, after attempt number `attempt` (from 1). */
  readonly delay: (attempt: number) => number;
}

/** A busy branch settles within seconds; a server that restarts within half a minute. */
export const defaultRetry: Retry = { attempts: 6, delay: (attempt) => Math.min(250 * 2 ** (attempt - 1), 8000) };

export type PushOutcome<Built, Nothing> =
  | { readonly kind: 'pushed'; readonly built: Built; readonly said: string; readonly attempts: number }
  | { readonly kind: 'nothing'; readonly because: Nothing; readonly attempts: number }
  | { readonly kind: 'failed'; readonly failure: RemoteFailure; readonly attempts: number };

export async function pushLoop<Tip, Built extends { readonly commit: string }, Nothing>(
  steps: PushSteps<Tip, Built, Nothing>,
  retry: Retry,
): Promise<PushOutcome<Built, Nothing>> {
  const sent: Built[] = [];
  for (let attempts = 1; ; attempts += 1) {
    const outcome = await once(steps, attempts, sent);
    if (outcome.kind === 'done') return { ...outcome.result, attempts };
    const { failure } = outcome;
    if (!isWorthAnotherTry(failure)) return { kind: 'failed', failure, attempts };
    if (attempts < retry.attempts) {
      await steps.wait(retry.delay(attempts));
      continue;
    }
    const fetched = sent.length === 0 ? failure : await steps.fetch(attempts);
    const built = fetched.kind === 'tip' ? await arrivedOf(steps, fetched.tip, sent) : undefined;
    return built === undefined ? { kind: 'failed', failure, attempts } : { kind: 'pushed', built, said: '', attempts };
  }
}

type Once<Built, Nothing> =
  | {
      readonly kind: 'done';
      readonly result:
        | { readonly kind: 'pushed'; readonly built: Built; readonly said: string }
        | { readonly kind: 'nothing'; readonly because: Nothing };
    }
  | { readonly kind: 'again'; readonly failure: RemoteFailure };

/** `sent` grows by what is pushed here. */
async function once<Tip, Built extends { readonly commit: string }, Nothing>(
  steps: PushSteps<Tip, Built, Nothing>,
  attempt: number,
  sent: Built[],
): Promise<Once<Built, Nothing>> {
  const fetched = await steps.fetch(attempt);
  if (fetched.kind !== 'tip') return { kind: 'again', failure: fetched };
  const { tip } = fetched;
  const arrived = await arrivedOf(steps, tip, sent);
  if (arrived !== undefined) return { kind: 'done', result: { kind: 'pushed', built: arrived, said: '' } };
  const decided = await steps.build(tip, attempt);
  if (decided.kind === 'nothing') return { kind: 'done', result: decided };
  const { built } = decided;
  const answer = await steps.push(built, tip);
  if (answer.kind === 'pushed') return { kind: 'done', result: { kind: 'pushed', built, said: answer.said } };
  sent.push(built);
  return { kind: 'again', failure: answer };
}

/**
 * The newest of our commits that the branch has. One whose push "failed" can be there: when the line breaks after the
 * server did its work; and since curl sends a request again on its own when a kept-alive connection dies, the answer
 * to that second one then is that somebody was faster, who is ourselves.
 */
async function arrivedOf<Tip, Built extends { readonly commit: string }, Nothing>(
  { contains }: PushSteps<Tip, Built, Nothing>,
  tip: Tip,
  sent: readonly Built[],
): Promise<Built | undefined> {
  for (const built of sent.toReversed()) {
    if (await contains(tip, built.commit)) return built;
  }
  return undefined;
}

function isWorthAnotherTry({ kind }: RemoteFailure): boolean {
  return kind === 'raced' || kind === 'unclear';
}
