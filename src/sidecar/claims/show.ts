import type { Instant } from '../../instant.ts';
import { instantText } from '../../instant.ts';
import { isSame } from '../../same.ts';
import type { EventNote } from '../maintenance/action.ts';
import { dateBlockers, shownBlocker } from '../maintenance/blockers.ts';
import { heartbeat, nextHeartbeat, sinceShown } from '../maintenance/heartbeat.ts';
import type { StatusWrite } from './action.ts';
import { conditionsOf } from './conditions.ts';
import { eventsOf } from './events.ts';
import type { Observation, ObservedClaim } from './observation.ts';
import type { Standing } from './standing.ts';
import type { ClaimStatus } from './status.ts';

export interface Shown {
  readonly status: ClaimStatus;
  readonly write?: StatusWrite;
  readonly again: readonly Instant[];
}

/** As many as the CRD takes. */
const mostBlockers = 50;

/** What is to be shown of a claim, and whether it is to be written: when it differs, and so that work is seen to run. */
export function show(now: Instant, observation: Observation, standing: Standing): Shown {
  const { claim } = observation;
  const status = draft(now, observation, standing);
  const again = nextHeartbeat(now, status.heartbeat);
  if (isSame(status, claim.status ?? {})) return { status, again };
  const written = status.heartbeat === undefined ? status : { ...status, heartbeat: instantText(now) };
  return { status, again, write: statusWrite(claim, written, eventsOf(now, claim, standing)) };
}

function statusWrite({ name, uid }: ObservedClaim, status: ClaimStatus, events: readonly EventNote[]): StatusWrite {
  return { kind: 'status', claim: name, uid, status, events };
}

function draft(now: Instant, observation: Observation, standing: Standing): ClaimStatus {
  const { claim } = observation;
  const { phase, reason, step } = standing;
  const shown = claim.status;
  const blockers = dateBlockers(now, standing.blockers, shown?.blockers).map(shownBlocker);
  return {
    observedGeneration: claim.generation,
    phase,
    reason,
    since: sinceShown(now, shown?.phase === phase, shown?.since),
    replicas: replicasOf(observation),
    ...(step !== undefined && { step, heartbeat: heartbeat(now, shown?.heartbeat) }),
    ...(blockers.length > 0 && { blockers: blockers.slice(0, mostBlockers) }),
    conditions: conditionsOf(now, claim, standing),
  };
}

/** Of the control plane itself; an etcd beside it is told of by what it waits for. */
function replicasOf({ claim, workloads }: Observation): NonNullable<ClaimStatus['replicas']> {
  const own = workloads.filter(({ part }) => part === 'control-plane');
  const sum = (count: (workload: (typeof own)[number]) => number) => own.reduce((all, each) => all + count(each), 0);
  return {
    desired: claim.spec.state === 'Running' ? claim.spec.replicas : 0,
    observed: sum(({ observed }) => observed),
    ready: sum(({ ready }) => ready),
  };
}
