import type { Instant } from '../../instant.ts';
import { instantText } from '../../instant.ts';
import { datedCondition, type Fact, stalled } from '../maintenance/conditions.ts';
import type { Blocker, Condition } from '../maintenance/status.ts';
import type { ObservedClaim } from './observation.ts';
import type { Standing } from './standing.ts';
import { type ClaimStatus, isUninstalling } from './status.ts';

/** The three that `kubectl wait` and the appliers know (kstatus), and what else has to outlive this process. */
export function conditionsOf(now: Instant, claim: ObservedClaim, standing: Standing): Condition[] {
  const { isReached, reason, message, phase } = standing;
  const permanent: Omit<Blocker, 'since'>[] = standing.blockers.filter(({ permanent }) => permanent === true);
  const facts: Fact[] = [
    { type: 'Ready', status: isReached, reason, message },
    isReached
      ? { type: 'Reconciling', status: false, reason: 'AtRest', message: 'It is as git asks for.' }
      : { type: 'Reconciling', status: true, reason: phase, message },
    stalled(permanent),
  ];
  return [
    ...facts.map((fact) => datedCondition(now, fact, claim)),
    ...quiet(claim, standing),
    ...restored(now, claim, standing),
  ];
}

/** Since when nothing of it has run: what the quiet period is measured by. */
function quiet({ generation }: ObservedClaim, { quietSince }: Standing): Condition[] {
  if (quietSince === undefined) return [];
  return [
    {
      type: 'Quiet',
      status: 'True',
      observedGeneration: generation,
      lastTransitionTime: instantText(quietSince),
      reason: 'NothingRuns',
      message: 'No pod of its control plane is left, and none that it has synced.',
    },
  ];
}

/** An uninstall that git has taken back says so until the claim is again what git asks for. */
function restored(now: Instant, claim: ObservedClaim, { isReached, phase }: Standing): Condition[] {
  const { status: shown, spec, generation } = claim;
  if (isReached || isUninstalling(phase)) return [];
  const before = shown?.conditions?.find(({ type }) => type === 'UninstallStopped');
  if (before !== undefined) return [before];
  if (!isUninstalling(shown?.phase) || shown?.reason === 'NotInGit') return [];
  return [
    {
      type: 'UninstallStopped',
      status: 'True',
      observedGeneration: generation,
      lastTransitionTime: instantText(now),
      reason: 'RestoredInGit',
      message: `Git asks for ${spec.state} again, so the uninstall has stopped. ${progressOf(shown ?? {})} What was deleted by then does not come back by itself; what is rendered, the applier makes again.`,
    },
  ];
}

function progressOf({ step, done, total }: ClaimStatus): string {
  if (done !== undefined && total !== undefined) return `${done} of ${total} steps were done.`;
  return step === undefined ? 'It had not begun.' : `It was to ${step}.`;
}
