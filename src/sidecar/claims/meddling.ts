import { shown } from '../../validate/grammar/fault.ts';
import type { BlockerDraft } from '../maintenance/blocker-draft.ts';
import { aboutWorkload, workloadText } from './control-plane.ts';
import type { ClaimSpec, ObservedWorkload } from './observation.ts';
import type { ClaimReason } from './status.ts';

/** Why a workload is not to have as many replicas as git says, and who sets it right: always the applier. */
export interface Meddling {
  readonly reason: Extract<ClaimReason, 'WaitingForApplier' | 'PausedByHand' | 'ResumedByHand' | 'ScaledByHand'>;
  readonly blocker: BlockerDraft;
}

/** Git says Sleeping. Nothing: the workload is to have no replica. */
export function keptAwake(workload: ObservedWorkload, { namespace }: ClaimSpec): Meddling | undefined {
  const { replicas, isMarkedAsleep, isPaused } = workload;
  if (replicas === 0) return undefined;
  const what = workloadText(workload, namespace);
  if (!isMarkedAsleep) {
    const message = `${what} is still to have ${counted(replicas)}: the applier has not applied the sleep yet.`;
    return meddling('WaitingForApplier', workload, namespace, message);
  }
  const end = 'git says Sleeping, so the applier sets it back to 0';
  if (isPaused) {
    const message = `${what} was set to ${counted(replicas)}${by(workload)}: ${end}.`;
    return meddling('ScaledByHand', workload, namespace, message);
  }
  const message = `${what} was resumed (as "vcluster resume" and "vcluster connect" do) to ${counted(replicas)}: ${end}.`;
  return meddling('ResumedByHand', workload, namespace, message);
}

/** Git says Running. Nothing: the workload is to have what it should. */
export function keptDown(workload: ObservedWorkload, spec: ClaimSpec): Meddling | undefined {
  const { namespace } = spec;
  const { part, replicas, isMarkedAsleep, isPaused, pausedAt } = workload;
  // The count of an etcd beside the control plane is its own, so only none at all is known to be wrong.
  if (part === 'etcd' ? replicas > 0 : replicas === spec.replicas) return undefined;
  const what = workloadText(workload, namespace);
  if (replicas === 0 && isPaused && pausedAt !== undefined) {
    const message = `${what} was paused with "vcluster pause" at ${pausedAt}: git says Running, so the applier sets it back.`;
    return meddling('PausedByHand', workload, namespace, message);
  }
  if (replicas === 0 && isMarkedAsleep) {
    const message = `${what} still sleeps: the applier has not applied the waking yet.`;
    return meddling('WaitingForApplier', workload, namespace, message);
  }
  const wanted = part === 'etcd' ? 'more' : `${spec.replicas}`;
  const message = `${what} was set to ${counted(replicas)}${by(workload)}: git says ${wanted}, so the applier sets it back.`;
  return meddling('ScaledByHand', workload, namespace, message);
}

const codes = {
  WaitingForApplier: 'applier-behind',
  PausedByHand: 'paused-by-hand',
  ResumedByHand: 'resumed-by-hand',
  ScaledByHand: 'scaled-by-hand',
} as const satisfies Record<Meddling['reason'], string>;

function meddling(
  reason: Meddling['reason'],
  workload: ObservedWorkload,
  namespace: string,
  message: string,
): Meddling {
  return { reason, blocker: aboutWorkload(workload, namespace, { code: codes[reason], who: 'applier', message }) };
}

/** An autoscaler is seen as the controller manager, which writes for it. */
function by({ scaledBy }: ObservedWorkload): string {
  if (scaledBy === undefined) return '';
  return scaledBy === 'kube-controller-manager' ? ' by an autoscaler' : ` by ${shown(scaledBy)}`;
}

function counted(replicas: number): string {
  return replicas === 1 ? '1 replica' : `${replicas} replicas`;
}
