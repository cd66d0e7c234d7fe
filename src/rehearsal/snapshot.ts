import type { Instant } from '../instant.ts';
import type { ObservedClaim, ObservedWorkload } from '../sidecar/claims/observation.ts';
import type { ObservedInstallation } from '../sidecar/installations/observation.ts';
import type { ObservedBudget, ObservedNode, ObservedPod } from '../sidecar/maintenance/observation.ts';
import type { SeenObject, SeenRelease, Unread } from '../sidecar/uninstall/observation.ts';

/**
 * What a cluster was like at one moment, as far as the sidecar's deciders and the simulator need to know: plain data
 * that survives JSON, and holds nothing secret. Of Pods there are no commands, environments, images or annotations; of
 * every other object only metadata: labels, but of the annotations only whether ours are there. Names of Secrets are in
 * it, what they hold never is.
 *
 * Every instant is in epoch milliseconds. Lists are sorted by a total key, so one cluster gives one text.
 *
 * What was not listed is in `unread`, and only there: an empty list whose kind is in `unread` says nothing.
 */
export interface Snapshot {
  /** Version of this format. A reader refuses a higher one. */
  readonly version: 1;
  /** Version of Quiesce that has taken it. */
  readonly takenBy: string;
  /** When the first list was asked for. The rehearsal begins at this moment. */
  readonly takenAt: Instant;
  /** How long the lists took: what changed meanwhile may be there twice or not at all. */
  readonly tookMs: number;
  readonly cluster: SnapshotCluster;
  readonly nodes: readonly SnapshotNode[];
  /** All of them, also those without a node. */
  readonly pods: readonly SnapshotPod[];
  /** Controllers of those Pods, and their controllers. */
  readonly controllers: readonly SnapshotController[];
  readonly budgets: readonly ObservedBudget[];
  /** Value by name. */
  readonly priorityClasses: Readonly<Record<string, number>>;
  /** Names of the CSIDriver objects. */
  readonly csiDrivers: readonly string[];
  readonly volumes: readonly SnapshotVolume[];
  readonly namespaces: readonly SnapshotNamespace[];
  /** Kinds that the API server lists, in the version it prefers. */
  readonly kinds: readonly SnapshotKind[];
  /** Groups and versions that are registered and whose kinds nobody told. */
  readonly unserved: readonly Unread[];
  /**
   * Every object of every one of `kinds`, as the uninstall decider is told of them (`seenObject`): without Events and
   * Leases, and without Pods, which are in `pods`. Whether a Service that is called is alive
   * (`details.services[].alive`) was looked up.
   */
  readonly objects: readonly SeenObject[];
  /** Newest record of each Helm release. */
  readonly releases: readonly SnapshotRelease[];
  /** Resources of ours as they are in the cluster, which may be behind git. */
  readonly claims: readonly ObservedClaim[];
  /** Commands of hooks are left out. */
  readonly installations: readonly ObservedInstallation[];
  /** StatefulSets and Deployments that carry the label of a claim. */
  readonly claimWorkloads: readonly SnapshotWorkload[];
  /** One for each kind that could not be listed. */
  readonly unread: readonly SnapshotGap[];
}

interface SnapshotCluster {
  /** As whoever took it calls it: the host cluster of the settings, or the context of the kubeconfig. */
  readonly name: string;
  /** UID of the Namespace kube-system: the same for as long as the cluster lives. */
  readonly uid?: string;
  /** `gitVersion` of the API server. */
  readonly serverVersion?: string;
}

/** `annotations` holds those of `nodeAnnotations` only. */
export interface SnapshotNode extends ObservedNode {
  readonly labels: Readonly<Record<string, string>>;
  /** `status.allocatable`, in the units of `Amounts`. */
  readonly allocatable: Amounts;
}

/**
 * Amounts of resources by name, as whole numbers: `cpu` in thousandths, all others in units (bytes, pieces). Rounded up.
 * `pods` is among those of a node.
 */
export type Amounts = Readonly<Record<string, number>>;

/** `node` is empty for one that nobody has scheduled. Its volumes are found by `claims`. */
export interface SnapshotPod extends Omit<ObservedPod, 'volumes'> {
  /** Names of its PersistentVolumeClaims, those that are made for it included. */
  readonly claims: readonly string[];
  readonly placement: Placement;
  /** From being scheduled to being ready, where its conditions tell; absent after a restart, or when it is not ready. */
  readonly startedInSeconds?: number;
  /** Every owner, where that is not the controller alone. */
  readonly owners?: SeenObject['owners'];
  /** It carries the annotations that everything rendered does. */
  readonly rendered?: true;
}

/** What the scheduler goes by. Preferences are not in it: they decide between nodes, never whether there is one. */
export interface Placement {
  /** What it asks for: of containers together, or of the largest init container if that is more; overhead included. */
  readonly requests: Amounts;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /** Required; any of the terms. Of a DaemonSet's Pods without the term that names the node. */
  readonly nodeAffinity?: readonly NodeTerm[];
  readonly podAffinity?: readonly PodTerm[];
  readonly podAntiAffinity?: readonly PodTerm[];
  /** With `DoNotSchedule` only. */
  readonly spread?: readonly SpreadTerm[];
  /** `TCP/8080` */
  readonly hostPorts?: readonly string[];
  /** Another than the default one: what it goes by is not known. */
  readonly scheduler?: string;
  /** Devices that are claimed (`spec.resourceClaims`): not counted. */
  readonly claimsDevices?: true;
}

/** All of its requirements hold. */
export interface NodeTerm {
  readonly labels?: readonly NodeRequirement[];
  /** `matchFields`, of which there is `metadata.name` only. */
  readonly names?: readonly NodeRequirement[];
}

export interface NodeRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

export interface PodTerm {
  readonly topologyKey: string;
  /** Absent: it matches nothing. */
  readonly selector?: NonNullable<ObservedBudget['selector']>;
  /** Absent: that of the Pod itself. `*`: all; so is a selector of namespaces, whatever it says. */
  readonly namespaces?: readonly string[] | '*';
}

export interface SpreadTerm {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly selector?: NonNullable<ObservedBudget['selector']>;
}

/** ReplicaSets, Deployments, StatefulSets, DaemonSets, Jobs, ReplicationControllers; of others nothing is known. */
export interface SnapshotController {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** `spec.replicas`; of a Job `spec.parallelism`. */
  readonly replicas?: number;
  /** Its own controller. */
  readonly owner?: NonNullable<ObservedPod['owner']>;
  /** StatefulSet: Pods are made all at once. */
  readonly isParallel?: true;
}

/** A PersistentVolume. */
export interface SnapshotVolume {
  readonly name: string;
  readonly claim?: { readonly namespace: string; readonly name: string };
  /** As `volumesInUse` of nodes has it; absent for what no CSI driver serves. */
  readonly inUseAs?: string;
  /** What becomes of it when its claim is gone. */
  readonly reclaim: 'Delete' | 'Retain';
  /** Where it can be reached (`spec.nodeAffinity.required`); absent: everywhere. */
  readonly reach?: readonly NodeTerm[];
}

interface SnapshotNamespace {
  readonly name: string;
  readonly terminating: boolean;
}

/** As `ServedKind` of the uninstall has it. */
export interface SnapshotKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly deletable: boolean;
}

/**
 * From the labels of the record alone, unless it was asked to look into the records: only then there are `objects` and
 * `hooks`, and those are names.
 */
export type SnapshotRelease = Omit<SeenRelease, 'objects' | 'hooks'> & Partial<Pick<SeenRelease, 'objects' | 'hooks'>>;

export interface SnapshotWorkload extends ObservedWorkload {
  readonly namespace: string;
}

/** `what` is `apiVersion/Kind`, or the name of what else was asked for. */
export interface SnapshotGap extends Unread {
  readonly what: string;
}
