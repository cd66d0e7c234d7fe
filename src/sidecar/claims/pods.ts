import type { Instant } from '../../instant.ts';
import { shown } from '../../validate/grammar/fault.ts';
import type { BlockerDraft } from '../maintenance/blocker-draft.ts';
import { cleaningUp } from '../maintenance/pod-blockers.ts';
import type { AnsweredDeletion, Observation, ObservedPod } from './observation.ts';

/** How long a watch may take to show what a deletion did, before it is asked for again. */
const watchDelay = 15_000;
const shortestPause = 2_000;
const longestPause = 60_000;

/** A pod that was asked to go is not asked again at once, whatever the answer was. */
export function mayBeDeletedAt(answered: AnsweredDeletion | undefined): Instant {
  if (answered === undefined) return Number.NEGATIVE_INFINITY;
  const { status, at, attempts, retryAfterSeconds = 0 } = answered;
  if (isDone(status)) return at + watchDelay;
  return (
    at + Math.min(longestPause, Math.max(retryAfterSeconds * 1000, shortestPause * 2 ** Math.min(attempts - 1, 20)))
  );
}

function isDone(status: number): boolean {
  return status >= 200 && status < 300;
}

/** It is not there any more, or another pod has its name: the watch will tell. */
const overtaken: readonly number[] = [404, 409];

interface PodBlockers {
  readonly blockers: readonly BlockerDraft[];
  /** When one that is on its way out will be late. */
  readonly again: readonly Instant[];
}

/** What keeps pods that have to go, where they are late or may not be deleted. */
export function podBlockers(
  now: Instant,
  pods: readonly ObservedPod[],
  namespace: string,
  answers: Observation['answers'] = {},
): PodBlockers {
  const lateAt = pods.flatMap(({ deletionAt }) => (deletionAt === undefined ? [] : [deletionAt + cleaningUp + 1]));
  return {
    blockers: pods.flatMap((pod) => {
      const place = pod.namespace ?? namespace;
      return late(now, pod, place) ?? refused(pod, place, answers[pod.uid]) ?? [];
    }),
    again: lateAt.filter((at) => at > now),
  };
}

function late(now: Instant, pod: ObservedPod, namespace: string): BlockerDraft | undefined {
  const { name, deletionAt, graceSeconds, finalizers } = pod;
  if (deletionAt === undefined || now <= deletionAt + cleaningUp) return undefined;
  const place = { pod: { namespace, name }, sinceAt: deletionAt - graceSeconds * 1000 };
  const [finalizer] = finalizers;
  if (finalizer !== undefined) {
    const message = `${namespace}/${name} has ended, but its finalizer ${shown(finalizer)} holds it.`;
    return { ...place, code: 'finalizer', who: 'controller', message, finalizer };
  }
  const message = `${namespace}/${name} has not ended although its grace period is over: restart its node. Deleting it by force could corrupt its data.`;
  return { ...place, code: 'stuck-terminating', who: 'operators', message };
}

function refused(
  { name, deletionAt }: ObservedPod,
  namespace: string,
  answered: AnsweredDeletion | undefined,
): BlockerDraft | undefined {
  if (deletionAt !== undefined || answered === undefined) return undefined;
  const { status, text, at } = answered;
  if (isDone(status) || overtaken.includes(status)) return undefined;
  const place = { pod: { namespace, name }, sinceAt: at };
  if (status === 403) {
    const message = `The API server does not let us delete pod ${namespace}/${name}: ${text}`;
    return { ...place, code: 'forbidden', who: 'operators', message };
  }
  return {
    ...place,
    code: status === 429 ? 'slow-down' : 'server-error',
    who: 'operators',
    message: `Pod ${namespace}/${name} could not be deleted just now: ${text}`,
  };
}
