import type {
  Observation,
  ObservedBlock,
  ObservedBudget,
  ObservedNode,
  ObservedPod,
} from '../../sidecar/maintenance/observation.ts';
import type { Amounts, NodeTerm, Placement } from '../snapshot.ts';

/** What a simulation begins with. Durations are in seconds; `Infinity` is never. */
export interface SimulatedCluster extends Pick<Observation, 'csiDrivers' | 'owners' | 'volumes' | 'unread'> {
  readonly now: number;
  readonly nodes: readonly SimulatedNode[];
  readonly workloads: readonly Workload[];
  /** Those that are there at the beginning. What a workload lacks is made at once. */
  readonly pods: readonly SimulatedPod[];
  /** The status that is seen counts only where it cannot be worked out. */
  readonly budgets: readonly ObservedBudget[];
  readonly blocks: readonly ObservedBlock[];
  readonly priorityClasses: Readonly<Record<string, number>>;
  readonly terminatingNamespaces: readonly string[];
}

export interface SimulatedNode extends ObservedNode {
  readonly labels: Readonly<Record<string, string>>;
  /** Empty: there is room for everything. */
  readonly allocatable: Amounts;
  /** How long its CSI driver takes to unmount a volume once its pod is gone. */
  readonly unmountSeconds: number;
}

/** A controller of pods. */
export interface Workload {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly replaces: Replaces;
  /** Of one on each node: ignored. */
  readonly replicas: number;
  /** Names of the nodes on which one on each node is; absent: all. */
  readonly among?: ReadonlySet<string>;
  /** What budgets count by: its own, or that of the Deployment above it. `none`: it has no scale. Absent: not known. */
  readonly scale?: { readonly uid: string; readonly replicas: number } | 'none';
  readonly template: PodTemplate;
}

/**
 * `at-once`: as soon as a pod terminates, as a ReplicaSet does. `by-name`: when the name is free, as a StatefulSet does;
 * `in-order`: and those before it are ready. `once`: only at the beginning. `never`: nobody does.
 */
export type Replaces = 'at-once' | 'by-name' | 'in-order' | 'on-each-node' | 'once' | 'never';

export interface SimulatedPod {
  /** Without a node it waits for the scheduler. */
  readonly pod: ObservedPod;
  /** UID of its workload. */
  readonly workload?: string;
  readonly template: PodTemplate;
}

/** What a pod is made like, and how it lives. */
export interface PodTemplate {
  readonly labels: Readonly<Record<string, string>>;
  readonly tolerations: ObservedPod['tolerations'];
  readonly priorityClassName?: string;
  readonly priority?: number;
  readonly graceSeconds: number;
  /** From being on a node until it is ready. */
  readonly startSeconds: number;
  /** Until it has ended when told to: at the end of its grace period at the latest, unless it is stuck. */
  readonly stopSeconds: number;
  /** Until its kubelet has told so. */
  readonly cleanUpSeconds: number;
  readonly finalizers: readonly string[];
  /** From its end until its finalizers are released. */
  readonly finalizerSeconds: number;
  readonly volumes: readonly string[];
  /** Each new pod has a volume of its own as well. */
  readonly hasOwnVolume: boolean;
  /** Of each volume that is not reached from everywhere, from where it is. */
  readonly reach: readonly (readonly NodeTerm[])[];
  readonly registersPlugins: boolean;
  readonly placement: Placement;
}

export const plainTemplate: PodTemplate = {
  labels: {},
  tolerations: [],
  graceSeconds: 30,
  startSeconds: 2,
  stopSeconds: 1,
  cleanUpSeconds: 0,
  finalizers: [],
  finalizerSeconds: 0,
  volumes: [],
  hasOwnVolume: false,
  reach: [],
  registersPlugins: false,
  placement: { requests: {} },
};
