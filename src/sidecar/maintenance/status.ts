/** `status` of a MaintenanceBlock, as its CRD has it. Instants are RFC 3339 in UTC, whole seconds. */
export interface BlockStatus {
  readonly observedGeneration?: number;
  readonly readyNodes?: number;
  readonly reconcilingNodes?: number;
  readonly stalledNodes?: number;
  readonly underMaintenanceNodes?: number;
  readonly unknownNodes?: number;
  readonly nodes?: readonly NodeStatus[];
  readonly heartbeat?: string;
  readonly step?: string;
  readonly done?: number;
  readonly total?: number;
  readonly conditions?: readonly Condition[];
}

export type Phase = 'Pending' | 'Draining' | 'InMaintenance' | 'Leaving';
export type Stage = 1 | 2 | 3 | 4 | 5;

export interface NodeStatus {
  readonly address: string;
  readonly node?: string;
  readonly phase: Phase;
  readonly stage?: Stage;
  readonly podsLeft?: number;
  readonly since?: string;
  readonly drainStarted?: string;
  readonly deadline?: string;
  readonly overran?: boolean;
  readonly blockers?: readonly Blocker[];
}

export interface Blocker {
  readonly code: BlockerCode;
  readonly who?: string;
  readonly since?: string;
  readonly message: string;
  readonly permanent?: boolean;
  readonly object?: ObjectReference;
  readonly pod?: { readonly namespace: string; readonly name: string };
  readonly pdb?: BudgetNumbers;
  readonly volume?: string;
  readonly finalizer?: string;
}

export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

export interface BudgetNumbers {
  readonly namespace: string;
  readonly name: string;
  readonly disruptionsAllowed?: number;
  readonly currentHealthy?: number;
  readonly desiredHealthy?: number;
}

export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly observedGeneration?: number;
  readonly lastTransitionTime: string;
  readonly reason: string;
  readonly message: string;
}

/** Scripts look these up; the words beside them may change. */
type BlockerCode =
  | 'node-missing'
  | 'node-unreachable'
  | 'node-not-ready'
  | 'node-refused'
  | 'address-shared'
  | 'taint-missing'
  | 'unread'
  | 'pdb-budget'
  | 'pdb-unhealthy'
  | 'pdb-never'
  | 'pdb-several'
  | 'pdb-unobserved'
  | 'pdb-sync-failed'
  | 'pdb-refused'
  | 'finalizer'
  | 'stuck-terminating'
  | 'namespace-terminating'
  | 'bound-anyway'
  | 'forbidden'
  | 'server-error'
  | 'slow-down'
  | 'volume'
  | 'power-by-hand'
  | 'power-hook-failed'
  | 'power-hook-refused'
  | 'power-hook-busy'
  | 'power-without-effect'
  | 'etcd-quorum'
  | 'user-cluster-up'
  | 'workload-missing'
  | 'applier-behind'
  | 'paused-by-hand'
  | 'resumed-by-hand'
  | 'scaled-by-hand'
  | 'pod-not-ready'
  | 'not-in-git';
