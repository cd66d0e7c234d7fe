import type { Condition } from '../maintenance/status.ts';
import type { UninstallBlocker } from './blocker.ts';
import type { ObjectId } from './plan.ts';

export type UninstallPhase = 'DeletePending' | 'Deleting' | 'Deleted' | 'DeleteError';

/** The part of `status` that an uninstall writes, as the CRDs have it. Instants are RFC 3339, whole seconds. */
export interface UninstallStatus {
  readonly observedGeneration?: number;
  readonly phase?: UninstallPhase;
  readonly reason?: string;
  readonly since?: string;
  readonly run?: string;
  readonly heartbeat?: string;
  readonly step?: string;
  readonly attempt?: number;
  readonly done?: number;
  readonly total?: number;
  readonly retryAt?: string;
  readonly lastError?: {
    readonly code: string;
    readonly message: string;
    readonly at?: string;
    readonly retryable?: boolean;
  };
  readonly leftovers?: readonly ObjectId[];
  readonly orphaned?: readonly ObjectId[];
  readonly blockers?: readonly UninstallBlocker[];
  readonly conditions?: readonly Condition[];
  /** Of Installations only: a claim's resource has no such field. */
  readonly components?: readonly ComponentStatus[];
}

export interface ComponentStatus {
  readonly name: string;
  readonly phase: UninstallPhase;
  readonly since?: string;
  readonly hooks?: readonly HookStatus[];
  readonly blockers?: readonly UninstallBlocker[];
}

export interface HookStatus {
  readonly name: string;
  readonly state: 'Running' | 'Succeeded' | 'Failed';
  readonly attempt?: number;
}
