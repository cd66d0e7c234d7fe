import type { Instant } from '../../instant.ts';
import type { BudgetView } from './budgets.ts';
import type { AnsweredEviction } from './observation.ts';

/** Nobody who waits is asked for more often than this. */
const shortestPause = 2_000;

/** How long a watch may take to show what an eviction did, before it is asked for again. */
const watchDelay = 15_000;

/**
 * A budget is watched, so its pods are asked for when it allows it, not on and on. This is for the case that our view
 * of it is wrong.
 */
const unlikely: Readonly<Record<BudgetView['kind'], number>> = {
  free: 0,
  allows: 0,
  exhausted: 30_000,
  unhealthy: 30_000,
  unobserved: 30_000,
  never: 60_000,
  syncFailed: 60_000,
  several: 60_000,
};

/** When a pod may be asked to leave, given since when its budget is seen to refuse, and what it was last answered. */
export function mayBeAskedAt(view: BudgetView, refusedSince: Instant, answered: AnsweredEviction | undefined): Instant {
  const pause = unlikely[view.kind];
  const byView = pause === 0 ? Number.NEGATIVE_INFINITY : refusedSince + pause;
  if (answered === undefined) return byView;
  return Math.max(byView, answered.at + Math.max(shortestPause, pause, pauseAfter(answered)));
}

function pauseAfter({ answer, attempts }: AnsweredEviction): number {
  switch (answer.kind) {
    case 'evicted':
    case 'gone':
    case 'replaced':
      return watchDelay;
    case 'blockedByBudget':
      return doubled(shortestPause, attempts, 10_000);
    case 'budgetUnobserved':
    case 'slowDown':
      return answer.retryAfterSeconds * 1000;
    case 'namespaceTerminating':
      return doubled(5_000, attempts, 30_000);
    case 'forbidden':
    case 'budgetRefuses':
      return doubled(10_000, attempts, 60_000);
    case 'misconfigured':
      return 60_000;
    case 'serverError':
      return answer.retryAfterSeconds === undefined
        ? doubled(shortestPause, attempts, 60_000)
        : answer.retryAfterSeconds * 1000;
  }
}

/** Until when the API server wants to be left alone by us, whatever the pod. */
export function heldBackUntil(now: Instant, answers: readonly AnsweredEviction[]): Instant {
  return answers.reduce((latest, { answer, at }) => {
    return answer.kind === 'slowDown' && at <= now ? Math.max(latest, at + answer.retryAfterSeconds * 1000) : latest;
  }, Number.NEGATIVE_INFINITY);
}

/**
 * When a node may be written again that could not be. Somebody else's write in between is no reason to wait, only for
 * our view of the node to follow.
 */
export function mayBeWrittenAt({ status, at, attempts }: { status: number; at: Instant; attempts: number }): Instant {
  return at + (status === 409 ? doubled(250, attempts, 2_000) : doubled(shortestPause, attempts, 60_000));
}

function doubled(first: number, attempts: number, longest: number): number {
  return Math.min(longest, first * 2 ** Math.min(20, Math.max(0, attempts - 1)));
}
