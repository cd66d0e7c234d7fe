import type { Instant } from '../../instant.ts';
import { datedCondition } from '../maintenance/conditions.ts';
import { decideUninstall } from '../uninstall/decide.ts';
import type { UninstallStatus } from '../uninstall/status.ts';
import type { ClaimDecision, StatusWrite } from './action.ts';
import type { Observation, ObservedClaim } from './observation.ts';
import type { ClaimStatus } from './status.ts';

type Uninstalling = Required<Pick<ClaimDecision, 'status' | 'uninstall'>> &
  Pick<ClaimDecision, 'requeueAt'> & { readonly write?: StatusWrite };

/** What the engine makes of a look. Nothing: there is none just now, and what is shown stays. */
export function uninstall(now: Instant, { claim, uninstall }: Observation): Uninstalling | undefined {
  const { plan, look } = uninstall ?? {};
  if (plan === undefined || look === undefined) return undefined;
  const decision = decideUninstall(plan, look, now);
  const status = claimStatus(now, claim, decision.status);
  const isWritten = decision.write || !isShown(claim, status);
  const write: StatusWrite = { kind: 'status', claim: claim.name, uid: claim.uid, status, events: decision.events };
  return {
    status,
    uninstall: { plan, decision },
    ...(decision.wakeAt !== undefined && { requeueAt: decision.wakeAt }),
    ...(isWritten && { write }),
  };
}

/** What the engine says, with what people and tools look for in every status of a claim. */
function claimStatus(now: Instant, claim: ObservedClaim, { components: _, ...status }: UninstallStatus): ClaimStatus {
  const isReached = status.phase === 'Deleted';
  const message = isReached ? 'Nothing of it is left that was to go.' : (status.step ?? 'It is being uninstalled.');
  const ready = { type: 'Ready', status: isReached, reason: status.phase ?? 'Unknown', message };
  return {
    ...status,
    observedGeneration: claim.generation,
    conditions: [datedCondition(now, ready, claim), ...(status.conditions ?? [])],
  };
}

function isShown({ status: shown }: ObservedClaim, { observedGeneration, conditions = [] }: ClaimStatus): boolean {
  const ready = (all: ClaimStatus['conditions']) => all?.find(({ type }) => type === 'Ready')?.status;
  return shown?.observedGeneration === observedGeneration && ready(shown?.conditions) === ready(conditions);
}

/** For the engine, which knows nothing of a claim that runs or sleeps. */
export function shownToEngine({ status }: ObservedClaim): UninstallStatus | undefined {
  const { phase, run, ...rest } = status ?? {};
  if (run === undefined || phase === 'Running' || phase === 'Waking' || phase === 'Sleeping' || phase === 'Asleep')
    return;
  return { ...rest, run, ...(phase !== undefined && { phase }) } as UninstallStatus;
}

/** Observed zero has been written down for this very resource, so nothing has to hold it any more. */
export function isUninstalled({ claim, uninstall }: Observation): boolean {
  const { status } = claim;
  return uninstall !== undefined && status?.phase === 'Deleted' && status.run === uninstall.plan.run;
}
