import type { Instant } from '../../instant.ts';
import { mayBeWrittenAt } from '../maintenance/pacing.ts';
import type { ForgetAction } from './action.ts';
import { jobsAt } from './jobs-at.ts';
import type { ObservedPowerJob, ShutdownObservation } from './observation.ts';

/** Of an order that git has replaced since. One of a later order is known of before that order is: it is none of these. */
function isEarlier({ generation }: ObservedPowerJob, { shutdown }: ShutdownObservation): boolean {
  return generation < shutdown.generation;
}

/** Two hooks at once would pull a machine in two directions: the next one waits until this one has ended. */
export function stillAtWork(observation: ShutdownObservation, address: string): ObservedPowerJob | undefined {
  return jobsAt(observation, address).find((job) => isEarlier(job, observation) && job.state === 'Active');
}

interface Forgetting {
  readonly actions: readonly ForgetAction[];
  readonly wake: readonly Instant[];
}

/**
 * What has ended for an earlier order counts for nothing, and goes. One that runs is left to end, within its own time: a
 * hook that is cut off in the middle leaves a machine of which nobody knows what it is.
 */
export function forgetEarlier(now: Instant, observation: ShutdownObservation): Forgetting {
  const { shutdown, jobs, refusals, unread } = observation;
  if (unread.length > 0 || shutdown.deletedAt !== undefined) return { actions: [], wake: [] };
  const { name, uid } = shutdown;
  const due = jobs
    .filter((job) => isEarlier(job, observation) && job.state !== 'Active')
    .map((job) => ({ job, at: mayBeForgottenAt(refusals[job.name]) }));
  return {
    actions: due
      .filter(({ at }) => at <= now)
      .map(({ job }) => ({ kind: 'forget', shutdown: name, uid, job: job.name, jobUid: job.uid })),
    wake: due.filter(({ at }) => at > now).map(({ at }) => at),
  };
}

function mayBeForgottenAt(refusal: ShutdownObservation['refusals'][string] | undefined): Instant {
  return refusal === undefined ? Number.NEGATIVE_INFINITY : mayBeWrittenAt(refusal);
}
