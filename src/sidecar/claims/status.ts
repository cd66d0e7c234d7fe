import type { Blocker, Condition, ObjectReference } from '../maintenance/status.ts';
import type { UninstallBlocker } from '../uninstall/blocker.ts';

/** `status` of a VClusterClaim as far as the sidecar writes it. Instants are RFC 3339 in UTC, whole seconds. */
export interface ClaimStatus {
  readonly observedGeneration?: number;
  readonly phase?: ClaimPhase;
  /** One of ours, or a code of the uninstall. */
  readonly reason?: string;
  readonly since?: string;
  readonly replicas?: { readonly desired: number; readonly observed: number; readonly ready: number };
  readonly heartbeat?: string;
  readonly step?: string;
  readonly attempt?: number;
  readonly done?: number;
  readonly total?: number;
  readonly retryAt?: string;
  readonly lastError?: LastError;
  readonly run?: string;
  readonly leftovers?: readonly ObjectReference[];
  readonly orphaned?: readonly ObjectReference[];
  readonly blockers?: readonly (Blocker | UninstallBlocker)[];
  readonly conditions?: readonly Condition[];
}

interface LastError {
  readonly code: string;
  readonly message: string;
  readonly at?: string;
  readonly retryable?: boolean;
}

export type ClaimPhase =
  | 'Waking'
  | 'Running'
  | 'Sleeping'
  | 'Asleep'
  | 'DeletePending'
  | 'Deleting'
  | 'Deleted'
  | 'DeleteError';

/** Scripts look these up; the words beside them may change. */
export type ClaimReason =
  | 'WorkloadMissing'
  | 'NamespaceTerminating'
  | 'WaitingForApplier'
  | 'PausedByHand'
  | 'ResumedByHand'
  | 'ScaledByHand'
  | 'ControlPlaneStopping'
  | 'RemovingPods'
  | 'WatchingForReturn'
  | 'AtRest'
  | 'Starting'
  | 'Ready'
  | 'Degraded'
  | 'NotReady'
  | 'NotInGit'
  | 'Ordered';

const uninstallPhases: readonly (ClaimPhase | undefined)[] = ['DeletePending', 'Deleting', 'Deleted', 'DeleteError'];

export function isUninstalling(phase: ClaimPhase | undefined): boolean {
  return uninstallPhases.includes(phase);
}
