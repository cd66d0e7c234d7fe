import type { SnapshotPod } from './snapshot.ts';

/**
 * How quickly things go that a snapshot does not tell. A rehearsal is run at both paces, and what it says lies between:
 * whatever takes part of its time in reality takes at least the one and at most the other.
 */
export type Pace = 'soonest' | 'latest';

/** From being on a node until it is ready, for a workload whose pods took so long. */
export function startSeconds(pace: Pace, pods: readonly SnapshotPod[]): number {
  const known = pods.flatMap(({ startedInSeconds }) => startedInSeconds ?? []);
  if (known.length === 0) return pace === 'soonest' ? 1 : 60;
  const first = known[0] ?? 0;
  if (pace === 'soonest') return Math.max(1, known.reduce((least, seconds) => Math.min(least, seconds), first) / 2);
  return Math.max(30, 2 * known.reduce((most, seconds) => Math.max(most, seconds), first));
}

const enoughToStart = 600_000;

/** One that has had its time and is not ready will not be, as far as anybody can tell; nor may what takes its place. */
export function isLongUnready({ phase, ready, createdAt }: SnapshotPod, now: number): boolean {
  return phase === 'Running' && !ready && now - createdAt > enoughToStart;
}

export function stopSeconds(pace: Pace, graceSeconds: number): number {
  return pace === 'soonest' ? Math.min(1, graceSeconds) : graceSeconds;
}

export const cleanUpSeconds: Readonly<Record<Pace, number>> = { soonest: 0, latest: 2 };

/** Until a CSI driver has unmounted a volume whose pod is gone. */
export const unmountSeconds: Readonly<Record<Pace, number>> = { soonest: 1, latest: 60 };

/** The Job controller's own is released as the pod ends; of others nobody knows. */
export function finalizerSeconds(pace: Pace, finalizers: readonly string[], isOrphaned: boolean): number {
  if (isOrphaned) return Number.POSITIVE_INFINITY;
  if (finalizers.every((finalizer) => finalizer === 'batch.kubernetes.io/job-tracking'))
    return pace === 'soonest' ? 0 : 2;
  return pace === 'soonest' ? 1 : Number.POSITIVE_INFINITY;
}
