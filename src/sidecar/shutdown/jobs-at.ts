import type { ObservedPowerJob, ShutdownObservation } from './observation.ts';

type Jobs = ShutdownObservation['jobs'];

/** Sorted once for each observation: it is asked for every machine, and there may be a thousand of both. */
const sorted = new WeakMap<Jobs, ReadonlyMap<string, Jobs>>();

/** Power Jobs for the machine of an address, of whatever order. */
export function jobsAt({ jobs }: ShutdownObservation, address: string): Jobs {
  const known = sorted.get(jobs) ?? byAddress(jobs);
  sorted.set(jobs, known);
  return known.get(address) ?? [];
}

function byAddress(jobs: Jobs): ReadonlyMap<string, Jobs> {
  const groups = new Map<string, ObservedPowerJob[]>();
  for (const job of jobs) {
    const group = groups.get(job.address);
    if (group === undefined) groups.set(job.address, [job]);
    else group.push(job);
  }
  return groups;
}
