import type { Instant } from '../../instant.ts';
import type { ObservedNode } from './observation.ts';
import type { MaintenanceRecord } from './record.ts';
import type { RecordedNode } from './selection.ts';

/** Clocks of two machines that run the sidecar in turn may be this far apart. */
const skew = 60_000;

/** From the beginning on, with the seconds that are asked for now: a deadline may be moved while it runs. */
export function deadlineOf(started: Instant, deadlineSeconds: number): Instant {
  return started + Math.max(0, deadlineSeconds) * 1000;
}

/**
 * What is remembered on a node, with a beginning of the drain that may be believed.
 *
 * A Node that was made anew from a copy of the old one has what is ours on it, too, but it has not been drained: its
 * drain begins now. So does one that has begun in the future, since that means that the clock went backwards: taken at
 * its word it would put the deadline off by the whole jump. A clock that went forwards cannot be told from a sidecar
 * that was down; the deadline has passed then, and pods leave by taint, each with its own grace period.
 */
export function recordAsOf(now: Instant, { node, record }: RecordedNode): MaintenanceRecord | undefined {
  if (record === undefined) return undefined;
  const { drainStarted, entered: _, enteredBy: __, ...rest } = record;
  if (isOfAnotherNode(record, node)) return drainStarted === undefined ? rest : { ...rest, drainStarted: now };
  return drainStarted !== undefined && drainStarted > now + skew ? { ...record, drainStarted: now } : record;
}

export function isOfAnotherNode({ uid }: MaintenanceRecord, node: Pick<ObservedNode, 'uid'>): boolean {
  return uid !== undefined && uid !== node.uid;
}
