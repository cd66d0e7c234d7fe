/**
 * For what may go when git drops it, but not because an Application was deleted: a node that leaves maintenance by
 * mistake gets pods while somebody has it open on the bench. Argo CD reads this; with Flux the Kustomization's
 * `deletionPolicy: Orphan` says the same, since its annotation knows no difference between the two.
 */
export const keptOnCascade: Readonly<Record<string, string>> = { 'argocd.argoproj.io/sync-options': 'Delete=false' };
