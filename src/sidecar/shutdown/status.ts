import type { Blocker, Condition } from '../maintenance/status.ts';
import type { Role } from './observation.ts';

/** `status` of a ClusterShutdown, as its CRD has it. */
export interface ShutdownStatus {
  readonly observedGeneration?: number;
  readonly phase?: ShutdownPhase;
  readonly since?: string;
  readonly waitingFor?: string;
  readonly gates?: readonly GateStatus[];
  readonly powerOffOrder?: readonly PowerStatus[];
  readonly nodesLeft?: number;
  readonly heartbeat?: string;
  readonly done?: number;
  readonly total?: number;
  readonly blockers?: readonly Blocker[];
  readonly conditions?: readonly Condition[];
}

export type ShutdownPhase =
  | 'Idle'
  | 'Waiting'
  | 'Draining'
  | 'PoweringOff'
  | 'Off'
  | 'PoweringOn'
  | 'Leaving'
  | 'Done'
  | 'Error';

export type GateName = 'nodes-ready' | 'etcd-running' | 'backup-acknowledged' | 'user-clusters-down';

export interface GateStatus {
  readonly name: GateName;
  readonly open: boolean;
  readonly message?: string;
  readonly since?: string;
}

export interface PowerStatus {
  readonly address: string;
  readonly node?: string;
  readonly role?: Role;
  readonly etcd?: 'Leader' | 'Follower';
  readonly state: PowerState;
  readonly since?: string;
}

export type PowerState = 'On' | 'Ready' | 'TurningOff' | 'Off' | 'TurningOn' | 'Failed';
