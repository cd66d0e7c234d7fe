import type { Instant } from '../../instant.ts';
import { parseInstant } from '../../instant.ts';
import type { EventNote } from '../maintenance/action.ts';
import type { ObservedClaim } from './observation.ts';
import type { Standing } from './standing.ts';
import { type ClaimReason, isUninstalling } from './status.ts';

/** What people see in `kubectl describe vcc`: each change of the phase, and what others do to it. */
export function eventsOf(now: Instant, claim: ObservedClaim, standing: Standing): readonly EventNote[] {
  const { phase, reason, message } = standing;
  const shown = claim.status;
  const stopped = isUninstalling(shown?.phase) && shown?.reason !== 'NotInGit' && !isUninstalling(phase);
  return [
    ...silence(now, claim, standing),
    ...(stopped ? [claimEvent(claim, 'Warning', 'UninstallStopped', `Git asks for ${claim.spec.state} again.`)] : []),
    ...(shown?.phase === phase
      ? []
      : [claimEvent(claim, isBad(claim, standing) ? 'Warning' : 'Normal', phase, message)]),
    ...(shown?.reason !== reason && byOthers.includes(reason) ? [claimEvent(claim, 'Warning', reason, message)] : []),
  ];
}

/** Three times what the CRD promises. */
const silentMs = 90_000;

/** Whoever was at work before has gone without a word, and this one goes on. */
function silence(now: Instant, claim: ObservedClaim, { step }: Standing): EventNote[] {
  const last = parseInstant(claim.status?.heartbeat);
  if (step === undefined || last === undefined || now - last < silentMs) return [];
  const text = `Nothing was heard of it for ${Math.round((now - last) / 1000)} s; now it goes on: ${step}.`;
  return [claimEvent(claim, 'Warning', 'WorkResumed', text)];
}

const byOthers: readonly ClaimReason[] = ['PausedByHand', 'ResumedByHand', 'ScaledByHand'];

/** Nobody asked for it: what slept runs again, what ran does not, an uninstall does not get on. */
function isBad({ status, generation }: ObservedClaim, { phase }: Standing): boolean {
  if (phase === 'DeleteError') return true;
  if (status?.observedGeneration !== generation) return false;
  return (status.phase === 'Asleep' && phase === 'Sleeping') || (status.phase === 'Running' && phase === 'Waking');
}

export function claimEvent(
  { name, uid }: ObservedClaim,
  type: EventNote['type'],
  reason: string,
  note: string,
): EventNote {
  const regarding = { apiVersion: 'quiesce.dev/v1alpha1', kind: 'VClusterClaim', name, uid };
  return { type, reason, action: 'Claim', regarding, note };
}
