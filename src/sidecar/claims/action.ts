import type { Instant } from '../../instant.ts';
import type { EventNote } from '../maintenance/action.ts';
import type { UninstallDecision } from '../uninstall/decision.ts';
import type { UninstallPlan } from '../uninstall/plan.ts';
import type { ClaimStatus } from './status.ts';

/**
 * What is to be done, as data that survives JSON. Each is fenced by a UID, and none depends on another of the same
 * decision: what failed is decided again from what is observed.
 */
export type Action = PodDeletion | FinalizerChange | StatusWrite;

/** With the pod's own grace period. */
export interface PodDeletion {
  readonly kind: 'pod';
  readonly claim: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

export interface FinalizerChange {
  readonly kind: 'finalizer';
  readonly claim: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly why: 'hold' | 'uninstalled' | 'withdrawn';
  /** The whole list afterwards. */
  readonly finalizers: readonly string[];
  /** Only when the change succeeded. */
  readonly events: readonly EventNote[];
}

/** Server-side apply of the whole status under our field manager. */
export interface StatusWrite {
  readonly kind: 'status';
  readonly claim: string;
  readonly uid: string;
  readonly status: ClaimStatus;
  /** Only when the write succeeded. */
  readonly events: readonly EventNote[];
}

export interface ClaimDecision {
  readonly claim: string;
  readonly actions: readonly Action[];
  /** What the engine is to do, and what its next look has to see. */
  readonly uninstall?: { readonly plan: UninstallPlan; readonly decision: UninstallDecision };
  /** What is to be shown, also where nothing is to be written; absent: too little is known to say anything. */
  readonly status?: ClaimStatus;
  /** When to decide again if nothing changes before; absent: only when something changes. */
  readonly requeueAt?: Instant;
}
