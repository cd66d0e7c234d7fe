import type { ObjectReference } from '../maintenance/status.ts';

/**
 * What is to go, as data: made by whoever asks (an Installation, a claim), carried out by the engine. It says which
 * objects are ours and what becomes of them, never how far the work has come: that is observed.
 */
export interface UninstallPlan {
  readonly subject: Subject;
  /** Which run this is. A new one runs hooks anew; a result is written for the run that is current, or not at all. */
  readonly run: string;
  readonly strategy: 'Ordered' | 'Quick';
  /** By name, in git: without it no finalizer is dropped and no PersistentVolumeClaim deleted. */
  readonly confirmed: boolean;
  /** After so long since the run began, it is given up: `DeleteError`, not retryable. */
  readonly timeoutSeconds: number;
  /** Of the resource. When git changes it after a run was given up, the time begins anew. */
  readonly generation?: number;
  /** So many components at once. */
  readonly parallel: number;
  readonly components: readonly PlannedComponent[];
}

/** The resource that asks, for events and for what people read. */
interface Subject {
  readonly kind: 'Installation' | 'VClusterClaim';
  readonly name: string;
  readonly uid: string;
}

export interface PlannedComponent {
  /** A DNS label, unique in the plan. */
  readonly name: string;
  /** Components that have to be gone before anything of this one goes. Names that are not in the plan are gone. */
  readonly after: readonly string[];
  /** Where hooks run. */
  readonly namespace: string;
  /** What is ours: an object that any of these selects, and nothing else, whatever its name. */
  readonly own: readonly Ownership[];
  /**
   * Ours by exact name, without a label of ours. For what programs of ours write and nobody else does (a kubeconfig
   * Secret); never for what may have been made by others.
   */
  readonly named: readonly ObjectId[];
  /** What was rendered. An object of such a name that nothing above selects is not touched, and told of at the end. */
  readonly listed: readonly ObjectId[];
  /** Ours, and to stay: what is still rendered. */
  readonly keep: { readonly listed: readonly ObjectId[]; readonly own: readonly Ownership[] };
  /**
   * Only what bears the marks of rendering and is owned by nothing. For what left git while the rest stays: operators
   * copy labels onto what they make. Such a component is nobody's, and not shown as one.
   */
  readonly renderedOnly?: boolean;
  readonly sweeps: readonly Sweep[];
  /** StatefulSets whose volume claims are data of this component: `<template>-<statefulSet>-<any ordinal>`. */
  readonly volumeClaims: readonly ClaimTemplate[];
  /** Of whichever way found; with Delete, `confirmed` is needed as well. */
  readonly persistentVolumeClaims: 'Retain' | 'Delete';
  /** Of every Namespace that is ours: once nothing of anybody's is in it, or never. */
  readonly namespaces: 'DeleteWhenEmpty' | 'Keep';
  readonly hooks: Hooks;
  /** A release that Helm may keep under this name; without one, the default is what happens. */
  readonly release?: { readonly namespace: string; readonly name: string };
}

/** Labels that all have to be there, with these values; in one namespace, or in all and without. Never empty. */
export interface Ownership {
  readonly labels: Readonly<Record<string, string>>;
  readonly namespace?: string;
  /** Only what has no namespace. */
  readonly clusterScoped?: true;
  /** Only objects of these kinds. */
  readonly kinds?: readonly string[];
}

/** What a component made itself, by kind and label; in one namespace, or in all and without. */
export interface Sweep {
  /** The empty one is the core group. */
  readonly apiGroups: readonly string[];
  readonly kinds: readonly string[];
  /** As for `kubectl -l`, never empty. */
  readonly selector: string;
  readonly namespace?: string;
}

export interface ClaimTemplate {
  readonly namespace: string;
  readonly template: string;
  readonly statefulSet: string;
}

export interface Hooks {
  readonly preDelete: readonly Hook[];
  /** In place of the default. */
  readonly delete: readonly Hook[];
  readonly postDelete: readonly Hook[];
}

/** A Job of a user's: one after the other, in the order written. The name is unique in its component. */
export interface Hook {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly serviceAccount?: string;
  readonly timeoutSeconds: number;
}

/** Absent namespace: cluster-scoped. The version is that of the manifest; what is served may be another one. */
export type ObjectId = ObjectReference;
