import type { Instant } from '../../instant.ts';
import type { Taint, TaintPair } from './observation.ts';
import type { BlockStatus, ObjectReference } from './status.ts';

/**
 * What is to be done, as data that survives JSON. There is no deletion of a pod among them and no grace period: a pod
 * leaves through the Eviction API or by a taint, and takes the time it asked for.
 *
 * None depends on another of the same decision: each may fail, and what failed is decided again from what is observed.
 */
export type Action = NodeChange | Eviction | StatusWrite;

/**
 * One patch of one node. Taints, cordon and the annotations that say which of them are ours go together, so that no
 * stop of the process can separate them.
 */
export interface NodeChange {
  readonly kind: 'node';
  readonly node: string;
  /** Fences: neither a node of the same name nor a list that somebody else has written since may be changed. */
  readonly uid: string;
  readonly resourceVersion: string;
  readonly why: 'start' | 'enter' | 'correct' | 'restart' | 'leave';
  /** Block on whose behalf; absent when it is gone. */
  readonly block?: string;
  readonly addTaints: readonly Taint[];
  readonly removeTaints: readonly TaintPair[];
  /** The whole list afterwards, foreign ones included, in their order; absent when it stays as it is. */
  readonly taints?: readonly Taint[];
  readonly unschedulable?: boolean;
  /** `null` removes. */
  readonly annotations: Readonly<Record<string, string | null>>;
  /** Only when the patch succeeded. */
  readonly events: readonly EventNote[];
}

/** POST to `pods/<name>/eviction` with `preconditions.uid`: after a refusal the name may be another pod's. */
export interface Eviction {
  readonly kind: 'evict';
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly node: string;
}

/** Server-side apply of the whole status under our field manager. */
export interface StatusWrite {
  readonly kind: 'status';
  readonly block: string;
  readonly uid: string;
  readonly status: BlockStatus;
  /** Only when the write succeeded. */
  readonly events: readonly EventNote[];
}

/** An Event in events.k8s.io/v1. */
export interface EventNote {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly action: string;
  readonly regarding: ObjectReference & { readonly uid?: string };
  readonly related?: ObjectReference;
  readonly note: string;
}

export interface Decision {
  readonly actions: readonly Action[];
  /** Of every block, also where nothing is to be written. */
  readonly statuses: readonly { readonly block: string; readonly status: BlockStatus }[];
  /** When to decide again if nothing changes before; absent: only when something changes. */
  readonly requeueAt?: Instant;
}
