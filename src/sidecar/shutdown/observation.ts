import type { Instant } from '../../instant.ts';
import type { ObservedBlock, ObservedNode, RefusedWrite } from '../maintenance/observation.ts';
import type { NodeStatus, ObjectReference } from '../maintenance/status.ts';
import type { ShutdownStatus } from './status.ts';

/**
 * What the decider is told of a cluster that is to be shut down or started again: plain data that survives JSON,
 * instants in epoch milliseconds.
 */
export interface ShutdownObservation {
  readonly shutdown: ObservedShutdown;
  readonly nodes: readonly ObservedNode[];
  /** Pods with the label `component=etcd`. */
  readonly etcd: readonly ObservedEtcdMember[];
  /** They are being asked who leads: the answer is worth waiting for. */
  readonly isLeaderAsked?: boolean;
  /** Clusters that this one hosts or manages; absent where nobody wants to know. */
  readonly userClusters?: ObservedUserClusters;
  /** Jobs of the power hook for this shutdown, of whatever generation. */
  readonly jobs: readonly ObservedPowerJob[];
  /** Last failed attempt to make or delete a Job, by its name. Forgotten with the process, and when it is there. */
  readonly refusals: Readonly<Record<string, RefusedWrite>>;
  /** The MaintenanceBlocks: how nodes are drained here is said by them. */
  readonly blocks: readonly ObservedBlock[];
  /** Every node as the maintenance decider shows it in the same pass, of all blocks. */
  readonly drains: readonly NodeStatus[];
  /** Kinds that could not be read: nothing is begun and nothing is turned off until they are. */
  readonly unread: readonly string[];
}

export interface ObservedUserClusters {
  readonly clusters: readonly ObservedUserCluster[];
  /** Kinds that could not be read: of these nobody knows what runs. */
  readonly unread: readonly string[];
}

export interface ObservedUserCluster extends ObjectReference {
  /** What keeps it from being down, in a few words; absent: it is down. */
  readonly standing?: string;
}

interface ObservedShutdown {
  readonly name: string;
  readonly uid: string;
  readonly generation: number;
  readonly deletedAt?: Instant;
  readonly spec: ShutdownSpec;
  readonly status?: ShutdownStatus;
}

export type Role = 'control-plane' | 'load-balancer' | 'worker';

/** `spec` of a ClusterShutdown. */
export interface ShutdownSpec {
  readonly cluster: string;
  readonly action: 'Shutdown' | 'Restart' | 'None';
  readonly backupAcknowledged: boolean;
  readonly nodes?: readonly { readonly address: string; readonly pool?: string; readonly role: Role }[];
  readonly powerHook?: PowerHook;
}

export interface PowerHook {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly serviceAccount?: string;
  readonly timeoutSeconds: number;
}

export interface ObservedEtcdMember {
  readonly pod: string;
  /** Name of the node it is on. */
  readonly node: string;
  /** Phase Running, and Ready. */
  readonly isRunning: boolean;
  /** Absent while nobody could tell. */
  readonly isLeader?: boolean;
}

export interface ObservedPowerJob {
  readonly name: string;
  readonly uid: string;
  readonly address: string;
  readonly power: Power;
  /** Of the ClusterShutdown when it was made. */
  readonly generation: number;
  readonly state: 'Active' | 'Complete' | 'Failed';
  readonly startedAt: Instant;
  readonly finishedAt?: Instant;
  readonly message?: string;
}

export type Power = 'Off' | 'On';
