/**
 * Prune and delete protection of both appliers at once: which of them applies a cluster is a setting that can change,
 * and each reads only its own annotation. Flux reads it from the *live* object, so it has to be there from the first
 * render on: adding it in the commit that drops the object is too late.
 */
export const protectedAnnotations: Readonly<Record<string, string>> = {
  'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
  'kustomize.toolkit.fluxcd.io/prune': 'disabled',
};

/**
 * Kinds whose loss would lose data or orphan work, wherever they come from. A Deployment or Secret is protected by the
 * construct that knows it to be a control plane or to bear data: most are neither.
 */
export const protectedKinds: ReadonlySet<string> = new Set([
  'CustomResourceDefinition',
  'Namespace',
  'Node',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'Service',
  'StatefulSet',
]);
