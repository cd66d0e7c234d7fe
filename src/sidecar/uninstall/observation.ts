import type { Instant } from '../../instant.ts';
import type { UninstallStatus } from './status.ts';

/**
 * One look at the cluster, for one plan. What could not be read is in it as such: absence of an object counts only where
 * the list that would show it was read.
 */
export interface UninstallObservation {
  /** When the look began: what was done later may be missing in it. */
  readonly at: Instant;
  /** As the resource has it. */
  readonly shown: UninstallStatus | undefined;
  /** Groups and versions that are registered and whose kinds nobody tells just now. */
  readonly unserved: readonly Unread[];
  /** Whether every kind was asked for objects of the plan, or only those where some were left. */
  readonly depth: Depth;
  /** Whether the names of what was rendered were looked up as well, whatever labels those objects have. */
  readonly names: boolean;
  /**
   * Each object once: what the plan's labels, names and sweeps find, and, whoever's they are, PersistentVolumeClaims of
   * its namespaces, webhook configurations and APIServices.
   */
  readonly objects: readonly SeenObject[];
  /** Lists of those that failed. */
  readonly unread: readonly Unread[];
  /** Of each Namespace whose content was asked for: as it is now, and as it was in the look before, if then, too. */
  readonly contents: readonly NamespaceContent[];
  /** Namespaces whose content was read, in some look before or in this one, while nothing was in them that makes more. */
  readonly lookedInto?: readonly string[];
  /** When a look at everything has shown that nothing is left but namespaces that go. */
  readonly bareSince?: Instant;
  /** Of each CustomResourceDefinition of ours: what is left of its kind, anybody's. */
  readonly instances: readonly Instances[];
  /** Jobs of this run's hooks. */
  readonly jobs: readonly SeenJob[];
  readonly releases: readonly SeenRelease[];
  /** What our last requests about an object (by UID) or a hook were answered with, unless they succeeded. */
  readonly refusals: Readonly<Record<string, Refusal>>;
  /** How often we have deleted an object of this name in this run, by `keyOf`: more than once, somebody makes it anew. */
  readonly deletions: Readonly<Record<string, number>>;
}

/** `full`: every kind that can be listed. `narrow`: kinds that had something of ours in the last full look. */
export type Depth = 'full' | 'narrow';

export interface Unread {
  /** `apiVersion/Kind`, or a group and version whose kinds are not known. */
  readonly what: string;
  /** HTTP status; 0: no answer. */
  readonly status: number;
  readonly why: string;
  /** As the API server asks for. */
  readonly retryAfterSeconds?: number;
}

export interface SeenObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly createdAt: Instant;
  readonly deletedAt?: Instant;
  readonly labels: Readonly<Record<string, string>>;
  readonly finalizers: readonly string[];
  readonly owners: readonly Owner[];
  /** `helm.sh/resource-policy`, as it is written. */
  readonly resourcePolicy?: string;
  /** A virtual cluster only shows it inside: it is the host's. */
  readonly isImported?: true;
  /** It carries the annotations that everything rendered does. */
  readonly rendered: boolean;
  /** Seen in the look before and not asked for in this one: deleted only if it has not been changed since. */
  readonly isCarried?: true;
  /** Components by whose sweep it was found. */
  readonly sweptBy?: readonly string[];
  readonly details?: Details;
}

interface Owner {
  readonly uid: string;
  readonly kind: string;
  readonly name: string;
}

/** What the metadata does not tell and a decision needs. */
export type Details =
  | { readonly kind: 'namespace'; readonly conditions: readonly NamespaceCondition[] }
  /** Services behind a webhook configuration or an APIService; `others`: how many are called in another way. */
  | { readonly kind: 'called'; readonly services: readonly Backend[]; readonly others: number }
  | { readonly kind: 'statefulSet'; readonly templates: readonly string[] };

/** A Service that the API server calls, and whether it can be reached: it is there and has an endpoint. */
export interface Backend {
  readonly namespace: string;
  readonly name: string;
  readonly alive: boolean;
}

interface NamespaceCondition {
  readonly type: string;
  readonly status: string;
  readonly message: string;
}

export interface NamespaceContent {
  readonly namespace: string;
  /** When it was read. */
  readonly at: Instant;
  readonly objects: readonly SeenObject[];
  /** Kinds that could not be listed: with any, nobody knows what is in it. */
  readonly unread: readonly Unread[];
}

export interface Instances {
  /** Name of the CustomResourceDefinition. */
  readonly definition: string;
  /** Some of them, by name. */
  readonly left: readonly SeenObject[];
  readonly unread?: Unread;
}

export interface SeenJob {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly component: string;
  readonly hook: string;
  readonly attempt: number;
  readonly createdAt: Instant;
  readonly endedAt?: Instant;
  readonly deletedAt?: Instant;
  readonly state: 'Running' | 'Succeeded' | 'Failed';
  readonly why?: string;
  /** What its pods wait for, such as an image that cannot be pulled. */
  readonly waits?: string;
}

/** The newest record of a Helm release. */
export interface SeenRelease {
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  /** When this record was written. */
  readonly at: Instant;
  /** As Helm writes it: deployed, failed, uninstalling, pending-upgrade, … */
  readonly status: string;
  readonly objects: readonly ReleaseObject[];
  /** Its hooks that run on deletion. */
  readonly hooks: readonly string[];
  /** The record cannot be read. */
  readonly unreadable?: string;
}

export interface ReleaseObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly resourcePolicy?: string;
}

export interface Refusal {
  /** HTTP status; 0: no answer. */
  readonly status: number;
  readonly reason: string;
  readonly text: string;
  readonly at: Instant;
  readonly attempts: number;
  /** As the API server asks for. */
  readonly retryAfterSeconds?: number;
}
