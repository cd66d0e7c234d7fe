import type { ObjectReference } from '../maintenance/status.ts';

/** What a cluster holds, as far as something of ours or of a virtual cluster may be left in it. */
export interface LeftoversObservation {
  /** Names of the VClusterClaims and of the Installations. */
  readonly claims: readonly string[];
  readonly installations: readonly string[];
  /** Control planes of virtual clusters, whoever made them: a StatefulSet or Deployment as vCluster's chart labels it. */
  readonly controlPlanes: readonly { readonly namespace: string; readonly name: string }[];
  /** Everything with a label of ours or of vCluster's, and every Namespace and Pod. */
  readonly objects: readonly SeenObject[];
  /** Of webhook configurations and APIServices. */
  readonly callers: readonly Caller[];
  /** As `namespace/name`. */
  readonly services: readonly string[];
  /** Kinds that could not be listed: of those nothing is said. */
  readonly unread: readonly { readonly what: string; readonly why: string }[];
}

export interface SeenObject extends ObjectReference {
  readonly createdAt: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Something owns and controls it. */
  readonly isControlled: boolean;
  /** `metadata.generateName`: a controller has named it. */
  readonly isNamedByController: boolean;
  /** Who wrote each label last, as far as the managed fields tell. */
  readonly writers: Readonly<Record<string, readonly string[]>>;
}

export interface Caller extends ObjectReference {
  readonly createdAt: string;
  /** Services that the API server calls for it, as `namespace/name`. */
  readonly services: readonly string[];
}

/** One thing that is left, and what to do about it. */
export interface Leftover {
  readonly code: LeftoverCode;
  readonly object: ObjectReference;
  /** Of which claim or installation, where that is known. */
  readonly of?: string;
  readonly since: string;
  readonly message: string;
}

export type LeftoverCode =
  | 'namespace-of-gone-claim'
  | 'volume-of-gone-claim'
  | 'object-of-gone-claim'
  | 'object-of-gone-installation'
  | 'dangling-webhook'
  | 'dangling-api-service'
  | 'orphaned-pod'
  | 'foreign-label';
