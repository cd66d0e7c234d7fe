import type { Instant } from '../../instant.ts';
import type { EvictionAnswer } from './eviction-answer.ts';
import type { BlockStatus, ObjectReference } from './status.ts';

/**
 * What the decider is told of a cluster: plain data that survives JSON, so that a snapshot and a simulator can tell it
 * just as well. Every instant is in epoch milliseconds, as the API server's objects have them; the order of the lists
 * means nothing.
 *
 * All blocks of the cluster come together, since disruption budgets are shared between their nodes and two of them may
 * select one node.
 */
export interface Observation {
  readonly blocks: readonly ObservedBlock[];
  /** Every node of the cluster: one that no block selects may still carry what we added. */
  readonly nodes: readonly ObservedNode[];
  /** Pods on nodes that a block selects. Others may be left out. */
  readonly pods: readonly ObservedPod[];
  /** Of the namespaces of those pods. */
  readonly budgets: readonly ObservedBudget[];
  /** Value by name. */
  readonly priorityClasses: Readonly<Record<string, number>>;
  /** Names of the CSIDriver objects. */
  readonly csiDrivers: readonly string[];
  readonly terminatingNamespaces: readonly string[];
  /** Controllers of those pods, as far as they are read. */
  readonly owners: readonly ObservedOwner[];
  /** Whose volumes `volumesInUse` speaks of, as far as it is known: for words only. */
  readonly volumes: readonly ObservedVolume[];
  /** What the last eviction of a pod was answered, by the pod's UID. Forgotten with the process: it only paces. */
  readonly answers: Readonly<Record<string, AnsweredEviction>>;
  /** Last failed write to a node, by the node's name. Forgotten with the process, and when a write succeeds. */
  readonly refusals: Readonly<Record<string, RefusedWrite>>;
  /**
   * Kinds that could not be read. Without all blocks and shutdowns it is not known who may leave, so nothing is done; without the
   * others no pod is evicted and no drain counts as done.
   */
  readonly unread: readonly ObservedKind[];
}

export type ObservedKind =
  | 'MaintenanceBlock'
  | 'ClusterShutdown'
  | 'Node'
  | 'CSINode'
  | 'Pod'
  | 'PodDisruptionBudget'
  | 'PriorityClass'
  | 'CSIDriver'
  | 'Namespace'
  | 'Owner'
  | 'Volume';

export interface ObservedBlock {
  readonly name: string;
  readonly uid: string;
  readonly generation: number;
  /** It is being deleted: it selects nothing any more. */
  readonly deletedAt?: Instant;
  readonly spec: BlockSpec;
  /** As it is shown now. Read for "since when" only: without it everything is decided alike. */
  readonly status?: BlockStatus;
  /** It is no resource, but what another one asks for: its status is written by whoever made it up. */
  readonly standsFor?: ObjectReference;
}

/** `spec` of a MaintenanceBlock. What is absent is read as its default. */
export interface BlockSpec {
  readonly config: string;
  readonly blocks?: readonly string[];
  readonly nodes: readonly SelectedNode[];
  readonly unmatched?: readonly string[];
  readonly deadlineSeconds: number;
  readonly ignorePdb: boolean;
  readonly profile: '1.28' | '1.29';
  readonly maxConcurrent?: number;
  readonly cordon?: boolean;
  readonly csiPodNames?: readonly string[];
  readonly taintedBy?: 'sidecar' | 'applier';
}

interface SelectedNode {
  readonly address: string;
  readonly pool: string;
  readonly role: 'control-plane' | 'load-balancer' | 'worker';
  readonly taints: readonly Taint[];
}

export type TaintEffect = 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';

/** A pair of key and effect is on a node at most once, whatever its value. */
export interface TaintPair {
  readonly key: string;
  readonly effect: TaintEffect;
}

export interface Taint extends TaintPair {
  readonly value?: string;
  /** As written by others: the list is replaced whole, so it is carried along. */
  readonly timeAdded?: string;
}

export interface ObservedNode {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly createdAt: Instant;
  /** Every address of type InternalIP. */
  readonly addresses: readonly string[];
  readonly taints: readonly Taint[];
  readonly unschedulable: boolean;
  /** Those of `nodeAnnotations` in record.ts; others may be left out. */
  readonly annotations: Readonly<Record<string, string>>;
  /** Condition `Ready`; absent while a new node has none. */
  readonly ready?: { readonly status: 'True' | 'False' | 'Unknown'; readonly since: Instant };
  /** `status.volumesInUse`. */
  readonly volumesInUse: readonly string[];
  /** Names in `CSINode.spec.drivers`; absent when there is no CSINode. */
  readonly csiDrivers?: readonly string[];
}

export interface ObservedPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** `spec.nodeName` */
  readonly node: string;
  readonly createdAt: Instant;
  readonly labels: Readonly<Record<string, string>>;
  readonly phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
  /** Condition `Ready`. */
  readonly ready: boolean;
  readonly priorityClassName?: string;
  /** `spec.priority`, for a class that is gone. */
  readonly priority?: number;
  /** The controlling owner reference. */
  readonly owner?: { readonly apiVersion: string; readonly kind: string; readonly name: string; readonly uid: string };
  /** It has the annotation `kubernetes.io/config.mirror`. */
  readonly mirror: boolean;
  /** `metadata.deletionTimestamp`: when its grace period is over, not when it was deleted. */
  readonly deletionAt?: Instant;
  /** `metadata.deletionGracePeriodSeconds` while it terminates, else `spec.terminationGracePeriodSeconds`. */
  readonly graceSeconds: number;
  readonly finalizers: readonly string[];
  readonly tolerations: readonly Toleration[];
  /** Its attachable volumes, named as in `Node.status.volumesInUse`: `kubernetes.io/csi/<driver>^<handle>`. */
  readonly volumes: readonly string[];
  /** It mounts the kubelet's plugin registration directory (a hostPath that ends in `/plugins_registry`). */
  readonly registersPlugins: boolean;
}

export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

export interface ObservedBudget {
  readonly namespace: string;
  readonly name: string;
  readonly generation: number;
  /** Absent: it matches nothing. Empty: it matches every pod of the namespace (policy/v1). */
  readonly selector?: LabelSelector;
  readonly minAvailable?: number | string;
  readonly maxUnavailable?: number | string;
  readonly unhealthyPodEvictionPolicy?: string;
  /** Absent while the disruption controller has not written one. */
  readonly status?: {
    readonly observedGeneration: number;
    readonly disruptionsAllowed: number;
    readonly currentHealthy: number;
    readonly desiredHealthy: number;
    readonly expectedPods: number;
    /** `reason` and `message` of the condition `DisruptionAllowed`. */
    readonly reason?: string;
    readonly message?: string;
  };
}

export interface ObservedOwner {
  readonly uid: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** `spec.replicas` */
  readonly replicas?: number;
  /** A pod names it, and it is not there. */
  readonly missing?: boolean;
}

export interface ObservedVolume {
  /** As in `volumesInUse`. */
  readonly name: string;
  readonly persistentVolume?: string;
  readonly claim?: { readonly namespace: string; readonly name: string };
}

export interface AnsweredEviction {
  readonly answer: EvictionAnswer;
  readonly at: Instant;
  /** How often this pod was asked in a row, this time included. */
  readonly attempts: number;
}

export interface RefusedWrite {
  /** HTTP status; 0 when there was no answer. 409: somebody else wrote in between. */
  readonly status: number;
  readonly text: string;
  readonly at: Instant;
  readonly attempts: number;
}
