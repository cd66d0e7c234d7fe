import type { Blocker, ObjectReference, Stage } from '../sidecar/maintenance/status.ts';
import type { UninstallBlocker } from '../sidecar/uninstall/blocker.ts';
import type { UninstallPhase } from '../sidecar/uninstall/status.ts';

/**
 * What a change of state will do to a cluster, as the sidecar's own deciders have it on a snapshot: data that survives
 * JSON and from which every form of report is made. The same input gives the same bytes; every list is in a total order.
 *
 * Nothing in it is escaped: names come from a cluster and may hold anything.
 */
export interface Rehearsal {
  /** Version of this form: fields are added without a new one, never changed. */
  readonly version: 1;
  readonly cluster: RehearsedCluster;
  /** States that were compared, as they were named. */
  readonly from: string;
  readonly to: string;
  /** By name of the config. Only those whose block has nodes, or had. */
  readonly maintenance: readonly BlockRehearsal[];
  /** Of installations, and of claims with their data, by kind and name. */
  readonly uninstalls: readonly UninstallRehearsal[];
  /** Claims that are put to sleep, by name. */
  readonly sleeps: readonly SleepRehearsal[];
  /** What cannot be known from this snapshot, or is not simulated; each as a sentence with a code. */
  readonly limits: readonly Limit[];
}

export interface RehearsedCluster {
  /** Host cluster of the settings. */
  readonly name: string;
  /** UID of its Namespace kube-system, and the version of its API server, where the snapshot has them. */
  readonly uid?: string;
  readonly serverVersion?: string;
  /** RFC 3339: when the snapshot was taken. Times below count from here. */
  readonly takenAt: string;
  /** How old it was at the instant that was asked for; absent when none was. */
  readonly ageSeconds?: number;
  readonly nodes: number;
  readonly pods: number;
}

/**
 * A time, or a length of time, in whole seconds: at the earliest and at the latest. `to` null: it may be never, as far as
 * the rehearsal looks. `from` null as well: it is never. Times count from the beginning of the rehearsal.
 */
export interface Span {
  readonly from: number | null;
  readonly to: number | null;
}

/** One MaintenanceBlock. */
export interface BlockRehearsal {
  /** Name of the config, and of its block. */
  readonly config: string;
  readonly deadlineSeconds: number;
  /** Pods go by taint, without evictions, order and budgets. */
  readonly ignorePdb: boolean;
  /** So many nodes are drained at once; 0: all. */
  readonly maxConcurrent: number;
  /** In the order of the block, which is by address; then those that leave. */
  readonly nodes: readonly NodeRehearsal[];
  /** From the beginning until every node is where it is to be. */
  readonly takes: Span;
}

/**
 * `enters`: by this change. `goes-on`: it was to be in maintenance before, and the snapshot shows that it is not there
 * yet. `stays`: it is in maintenance already. `leaves`: it is taken back. `missing`: no node has the address.
 */
export type NodeCourse = 'enters' | 'goes-on' | 'stays' | 'leaves' | 'missing';

export interface NodeRehearsal {
  readonly address: string;
  /** Absent when `missing`. */
  readonly node?: string;
  readonly pool?: string;
  readonly course: NodeCourse;
  /** When its drain begins; it may have to wait for its turn. Absent where nothing begins. */
  readonly begins?: Span;
  /** When it is in maintenance; of one that leaves, when it takes pods again. Absent when `stays` or `missing`. */
  readonly reached?: Span;
  /** How it gets there: its pods are gone, its deadline passes, or the one or the other as it comes. */
  readonly by?: 'drained' | 'deadline' | 'either';
  /** Pods that are evicted, in the order in which they are asked to go. */
  readonly moves: readonly Move[];
  /** What it waits for between pods, by code and name: volumes that have to be unmounted (stage 4). */
  readonly waits: readonly Wait[];
  /** Everything that is in the way for a while or for ever, the gravest first: for ever, then the longest. */
  readonly blockers: readonly RehearsedBlocker[];
  /** Pods that NoExecute removes: at the deadline, with the last of the drain, or all of them where budgets are ignored. */
  readonly removed: readonly RemovedPod[];
  /** Pods that are still there at the end of the rehearsal although they were told to go. */
  readonly stuck: readonly PodName[];
  /** Pods that are left alone: they tolerate maintenance, or are the kubelet's own. */
  readonly untouched: number;
}

export interface PodName {
  readonly namespace: string;
  readonly name: string;
  /** It takes the place of one that had to go, so its name is made up. */
  readonly isNew?: true;
}

/** A controller: `apps/v1 StatefulSet web`. */
export interface OwnerName {
  readonly kind: string;
  readonly name: string;
}

export interface Move extends PodName {
  /** Absent for a bare Pod: nobody makes it again. */
  readonly owner?: OwnerName;
  /** Stage of the drain in which it goes; within stage 3 the lower `priority` goes first. */
  readonly stage: Stage;
  readonly priority?: number;
  /** When its eviction is granted. */
  readonly evicted: Span;
  /** When it is gone from the node. */
  readonly gone: Span;
  /** Set where what takes its place finds no node. */
  readonly nowhere?: Nowhere;
}

/** Why no node takes a Pod: as many nodes as there are, each counted once, by the first thing in this order. */
export interface Nowhere {
  /** It happens whatever the pace; else only if things go slowly or quickly. */
  readonly certain: boolean;
  readonly reasons: readonly { readonly reason: NowhereReason; readonly nodes: number; readonly detail?: string }[];
}

/** In the order in which they are looked at. */
export type NowhereReason =
  | 'not-ready'
  | 'cordoned'
  /** `detail`: the taint. */
  | 'taints'
  /** Node selector or node affinity. */
  | 'affinity'
  /** Its volume can be reached from elsewhere only. */
  | 'volume'
  | 'ports'
  /** `detail`: what there is too little of, e.g. `cpu`. */
  | 'capacity'
  /** Pod affinity, anti-affinity, or an even spread. */
  | 'pods';

export interface Wait {
  readonly what: 'volume';
  /** The PersistentVolume, or the volume as the node calls it. */
  readonly name: string;
  /** How long. */
  readonly lasts: Span;
}

/** As the sidecar will show it in the status, with the decider's own code and words, once for each thing in the way. */
export interface RehearsedBlocker extends Omit<Blocker, 'since'> {
  /** When it comes to be in the way. */
  readonly since: Span;
  /** How long; `to` null: until the deadline passes, or beyond. */
  readonly lasts: Span;
  /** Waiting will not end it: `permanent`, or nothing but the deadline does, however quickly things go. */
  readonly forEver: boolean;
}

export interface RemovedPod extends PodName {
  readonly owner?: OwnerName;
  /** `deadline`: a drain was not done with it. `taint`: it goes by taint anyhow, as pods that would be back at once do. */
  readonly why: 'deadline' | 'taint';
  /** It happens whatever the pace. */
  readonly certain: boolean;
  readonly at: Span;
  /** A budget would not have let it go. */
  readonly pastBudget?: string;
  readonly nowhere?: Nowhere;
}

/** What an uninstall of an installation or a claim comes to: the engine's own decisions, until nothing moves any more. */
export interface UninstallRehearsal {
  readonly subject: { readonly kind: 'Installation' | 'VClusterClaim'; readonly name: string };
  readonly strategy: 'Ordered' | 'Quick';
  /** By this change; else it was ordered before and is not over yet. */
  readonly isNew: boolean;
  /** Only what git does not list any more; the rest stays. */
  readonly isPartial?: true;
  /** How it ends. `Deleting`: it never does by itself. */
  readonly ends: UninstallPhase;
  readonly takes: Span;
  /** In the order in which they are told to go. */
  readonly deleted: readonly DeletedObject[];
  /** What goes only when finalizers are released that hold it up for ever. */
  readonly later?: readonly DeletedObject[];
  /** What is left on purpose (`leftovers`): by policy, or somebody else's. */
  readonly kept: readonly KeptObject[];
  /** Quick only: let go of without being known to be gone. */
  readonly orphaned: readonly ObjectReference[];
  /** Jobs that would be run, in order. What they do cannot be known. */
  readonly hooks: readonly { readonly component: string; readonly name: string }[];
  /** Releases that Helm would uninstall. */
  readonly releases: readonly { readonly namespace: string; readonly name: string }[];
  /** What stops it, or holds it up; the gravest first. */
  readonly blockers: readonly RehearsedUninstallBlocker[];
}

export interface DeletedObject extends ObjectReference {
  /** Absent for what goes with its owner or its namespace and is not told by itself. */
  readonly component?: string;
  /** `order`: told to go. `owner`, `namespace`: it goes with that. `helm`: Helm takes it. */
  readonly how: 'order' | 'owner' | 'namespace' | 'helm';
  /** It bears data. */
  readonly isData: boolean;
}

export interface KeptObject extends ObjectReference {
  readonly why: 'policy' | 'foreign' | 'not-empty' | 'unread';
  /** Of a namespace that is not empty: some of what is in it. */
  readonly holds?: readonly ObjectReference[];
}

export interface RehearsedUninstallBlocker extends Omit<UninstallBlocker, 'since'> {
  readonly lasts: Span;
  readonly forEver: boolean;
}

/** A claim that is put to sleep. */
export interface SleepRehearsal {
  readonly claim: string;
  readonly namespace: string;
  readonly isNew: boolean;
  /** Until it is asleep. */
  readonly takes: Span;
  /** Of the control plane and its etcd: they end as their workload is scaled to zero. */
  readonly stopped: readonly PodName[];
  /** Pods that the virtual cluster has synced and that the sidecar deletes. */
  readonly deleted: readonly PodName[];
  readonly blockers: readonly RehearsedBlocker[];
}

export interface Limit {
  readonly code: LimitCode;
  /** A whole sentence. */
  readonly message: string;
  /** Whom it concerns, if not everything: names of pods, kinds or blocks. */
  readonly about?: readonly string[];
}

/** Each is explained in docs/rehearsal.md. */
export type LimitCode =
  /** A kind could not be listed. */
  | 'unread'
  /** The snapshot is older than an hour at the instant that was asked for. */
  | 'stale'
  /** It says of another cluster that it is this one, or nothing of which one it is. */
  | 'cluster-unproven'
  /** How long pods take to start and to end is estimated. */
  | 'pace'
  /** Preemption is not simulated. */
  | 'preemption'
  /** Controllers that the snapshot knows nothing of: whether they replace their pods is assumed. */
  | 'unknown-controller'
  /** Pods with a scheduler, devices or the like that are not simulated. */
  | 'unknown-scheduling'
  /** Admission webhooks may refuse what is asked for. */
  | 'admission'
  /** What hooks, Helm and operators do. */
  | 'foreign-programs'
  /** Nobody else changes anything meanwhile: no applier, autoscaler or person. */
  | 'still-world'
  /** The rehearsal was cut off before everything had come to rest. */
  | 'cut-off'
  /** Part of the change that is not rehearsed. */
  | 'not-rehearsed';
