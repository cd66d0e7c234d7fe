import type { Instant } from '../../instant.ts';
import type { ObjectReference } from '../maintenance/status.ts';
import type { UninstallObservation } from '../uninstall/observation.ts';
import type { UninstallPlan } from '../uninstall/plan.ts';
import type { ClaimStatus } from './status.ts';

/**
 * What the decider is told of one claim: plain data that survives JSON. Instants are in epoch milliseconds, as the API
 * server's objects have them; the order of the lists means nothing.
 */
export interface Observation {
  readonly claim: ObservedClaim;
  /** The claim's own. */
  readonly namespace: 'there' | 'terminating' | 'absent';
  /** StatefulSets and Deployments of that namespace that were rendered for the claim. */
  readonly workloads: readonly ObservedWorkload[];
  /** Pods of that namespace: those of the control plane and those that the virtual cluster has synced. */
  readonly pods: readonly ObservedPod[];
  /** What the last deletion of a pod was answered, by the pod's UID. Forgotten with the process: it only paces. */
  readonly answers: Readonly<Record<string, AnsweredDeletion>>;
  /** When one of those pods was last seen, as far as this process knows: one may come and go between two writes. */
  readonly aliveAt?: Instant;
  /** Since when that is so: before, something may have come and gone. */
  readonly watchedSince?: Instant;
  /** Of a claim that git says is Deleted; the look is there once for each look. */
  readonly uninstall?: { readonly plan: UninstallPlan; readonly look?: UninstallObservation };
  /** Kinds that could not be read. With any of them nothing is done and nothing is said. */
  readonly unread: readonly ClaimKind[];
}

export type ClaimKind = 'VClusterClaim' | 'StatefulSet' | 'Deployment' | 'Pod' | 'Namespace';

export interface ObservedClaim {
  readonly name: string;
  readonly uid: string;
  /** A fence for what replaces a list. */
  readonly resourceVersion: string;
  readonly generation: number;
  readonly deletedAt?: Instant;
  readonly finalizers: readonly string[];
  /** Somebody has asked with kubectl to take a deletion with kubectl back. */
  readonly isWithdrawn: boolean;
  readonly spec: ClaimSpec;
  /** As it is shown now. */
  readonly status?: ClaimStatus;
}

/** The part of `spec` that is acted upon. */
export interface ClaimSpec {
  readonly state: 'Running' | 'Sleeping' | 'Deleted';
  readonly namespace: string;
  readonly replicas: number;
  readonly backingStore: string;
  /** Its volumes outlive it. */
  readonly keepData: boolean;
  /** Everything else that is rendered for it, in the order in which it goes. */
  readonly objects: readonly ObjectReference[];
}

export interface ObservedWorkload {
  readonly kind: 'StatefulSet' | 'Deployment';
  readonly name: string;
  /** By vCluster's own labels. */
  readonly part: 'control-plane' | 'etcd' | 'other';
  readonly generation: number;
  /** `status.observedGeneration`; 0 while there is none. */
  readonly observedGeneration: number;
  /** `spec.replicas` */
  readonly replicas: number;
  /** `status.replicas` */
  readonly observed: number;
  /** `status.readyReplicas` */
  readonly ready: number;
  /** The annotation that our rendering of a sleeping claim has, and no tool of vCluster writes or takes. */
  readonly isMarkedAsleep: boolean;
  /** `loft.sh/paused` is "true". */
  readonly isPaused: boolean;
  /** `loft.sh/paused-date`: vCluster's command line writes it, we never do. */
  readonly pausedAt?: string;
  /** Who wrote `spec.replicas` last, as the managed fields have it. */
  readonly scaledBy?: string;
  /** `metadata.deletionTimestamp` */
  readonly deletionAt?: Instant;
}

export interface ObservedPod {
  /** Where it is not the claim's own. */
  readonly namespace?: string;
  readonly name: string;
  readonly uid: string;
  readonly part: 'control-plane' | 'etcd' | 'synced';
  /** It has ended, and stays only to be read. */
  readonly isFinished: boolean;
  readonly ready: boolean;
  /** `metadata.deletionTimestamp`: when its grace period is over. */
  readonly deletionAt?: Instant;
  readonly graceSeconds: number;
  readonly finalizers: readonly string[];
  readonly createdAt: Instant;
}

export interface AnsweredDeletion {
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly text: string;
  readonly at: Instant;
  /** How often in a row, this time included. */
  readonly attempts: number;
  /** As the API server asks for. */
  readonly retryAfterSeconds?: number;
}
