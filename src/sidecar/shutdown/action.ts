import type { Instant } from '../../instant.ts';
import type { EventNote } from '../maintenance/action.ts';
import type { Power, PowerHook } from './observation.ts';
import type { ShutdownStatus } from './status.ts';

/** What is to be done, as data that survives JSON. Nodes are drained by the maintenance decider, not from here. */
export type ShutdownAction = PowerAction | ForgetAction | ShutdownStatusWrite;

/**
 * One Job of the user's hook. Its name follows from what it is for, so a second one cannot be made by mistake. It says
 * itself what it is for (power-job.ts), by which it is observed again.
 */
export interface PowerAction {
  readonly kind: 'power';
  /** Fences: the ClusterShutdown has to be this one, and to say what it said. */
  readonly shutdown: string;
  readonly uid: string;
  readonly job: string;
  readonly power: Power;
  readonly node: string;
  readonly address: string;
  readonly generation: number;
  readonly hook: PowerHook;
  /** Node that the Job is to run on: the last one to be turned off. It has to tolerate maintenance there. */
  readonly runOn: string;
  readonly events: readonly EventNote[];
}

/** Deletes the Job of an order that git has replaced since. */
export interface ForgetAction {
  readonly kind: 'forget';
  readonly shutdown: string;
  readonly uid: string;
  readonly job: string;
  /** Fence: the Job has to be this one. */
  readonly jobUid: string;
}

export interface ShutdownStatusWrite {
  readonly kind: 'status';
  readonly shutdown: string;
  readonly uid: string;
  readonly status: ShutdownStatus;
  /** Only when the write succeeded. */
  readonly events: readonly EventNote[];
}

export interface ShutdownDecision {
  /** Name of the ClusterShutdown. */
  readonly shutdown: string;
  readonly actions: readonly ShutdownAction[];
  readonly status: ShutdownStatus;
  readonly requeueAt?: Instant;
}
