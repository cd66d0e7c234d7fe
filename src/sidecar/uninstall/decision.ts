import type { Instant } from '../../instant.ts';
import type { EventNote } from '../maintenance/action.ts';
import type { UninstallBlocker } from './blocker.ts';
import type { Depth } from './observation.ts';
import type { Hook, ObjectId } from './plan.ts';
import type { UninstallStatus } from './status.ts';

/** What one look at a plan leads to: `decideUninstall(plan, observation, instant)`. */
export interface UninstallDecision {
  /** None depends on another of the same decision: each may fail, and the next look tells. */
  readonly actions: readonly UninstallAction[];
  readonly status: UninstallStatus;
  /** Whether the status is to be written now; events are noted only when that write succeeded. */
  readonly write: boolean;
  readonly events: readonly EventNote[];
  /** Everything in the way, also what the status has no room for. */
  readonly blockers: readonly UninstallBlocker[];
  /** What the next look has to see. */
  readonly next: NextLook;
  /** When to look again at the latest; absent: only when something changes. */
  readonly wakeAt?: Instant;
}

export interface NextLook {
  readonly depth: Depth;
  /** Namespaces whose whole content is to be read. */
  readonly contents: readonly string[];
  /** Names of CustomResourceDefinitions whose instances are to be read. */
  readonly instances: readonly string[];
  readonly names: boolean;
  /** What the looks have shown so far, for the next decision. */
  readonly bareSince?: Instant;
}

export type UninstallAction = Deletion | FinalizerDrop | NamespaceFinalization | DataMark | HookStart | HelmUninstall;

/** Fenced by the UID; with `resourceVersion` also by what was seen of it. */
export interface Deletion {
  readonly kind: 'delete';
  readonly component: string;
  readonly object: ObjectId;
  readonly uid: string;
  readonly resourceVersion?: string;
  readonly propagation: 'Foreground' | 'Background';
}

/** Quick only, for what was told to go and stays: written to the status as orphaned before it is done. */
interface FinalizerDrop {
  readonly kind: 'dropFinalizers';
  readonly component: string;
  readonly object: ObjectId;
  readonly uid: string;
  readonly resourceVersion: string;
}

/** Quick only: a terminating Namespace that nothing will ever finish. */
export interface NamespaceFinalization {
  readonly kind: 'finalizeNamespace';
  readonly component: string;
  readonly object: ObjectId;
  readonly uid: string;
}

/** Labels that say whose data a PersistentVolumeClaim is, while the StatefulSet is there that tells. */
interface DataMark {
  readonly kind: 'markData';
  readonly component: string;
  readonly object: ObjectId;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly labels: Readonly<Record<string, string>>;
}

export interface HookStart {
  readonly kind: 'startHook';
  readonly component: string;
  readonly namespace: string;
  readonly hook: Hook;
  readonly attempt: number;
  /** Name of the Job: the same for the same run, hook and attempt, so that it cannot be started twice. */
  readonly job: string;
  readonly labels: Readonly<Record<string, string>>;
}

export interface HelmUninstall {
  readonly kind: 'helmUninstall';
  readonly component: string;
  readonly namespace: string;
  readonly release: string;
  readonly timeoutSeconds: number;
}
