/** A kind as the API server's paths name it. */
export interface Resource {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

export interface Place {
  readonly namespace?: string | undefined;
  readonly name?: string;
  readonly subresource?: string;
}

/** Part of a kind: what is in one namespace, or has these labels. */
export interface Scope {
  readonly namespace?: string;
  readonly labelSelector?: string;
}

/** Without a namespace: of all namespaces. */
export function pathTo({ group, version, plural }: Resource, { namespace, name, subresource }: Place = {}): string {
  const parts = [
    group === '' ? `/api/${version}` : `/apis/${group}/${version}`,
    ...(namespace === undefined ? [] : ['namespaces', encodeURIComponent(namespace)]),
    plural,
    ...(name === undefined ? [] : [encodeURIComponent(name)]),
    ...(subresource === undefined ? [] : [subresource]),
  ];
  return parts.join('/');
}

export function apiVersionOf({ group, version }: Resource): string {
  return group === '' ? version : `${group}/${version}`;
}

function clusterScoped(group: string, version: string, plural: string): Resource {
  return { group, version, plural, namespaced: false };
}

function namespaced(group: string, version: string, plural: string): Resource {
  return { group, version, plural, namespaced: true };
}

export const resources = {
  nodes: clusterScoped('', 'v1', 'nodes'),
  namespaces: clusterScoped('', 'v1', 'namespaces'),
  persistentVolumes: clusterScoped('', 'v1', 'persistentvolumes'),
  configMaps: namespaced('', 'v1', 'configmaps'),
  pods: namespaced('', 'v1', 'pods'),
  persistentVolumeClaims: namespaced('', 'v1', 'persistentvolumeclaims'),
  daemonSets: namespaced('apps', 'v1', 'daemonsets'),
  statefulSets: namespaced('apps', 'v1', 'statefulsets'),
  replicaSets: namespaced('apps', 'v1', 'replicasets'),
  deployments: namespaced('apps', 'v1', 'deployments'),
  jobs: namespaced('batch', 'v1', 'jobs'),
  leases: namespaced('coordination.k8s.io', 'v1', 'leases'),
  events: namespaced('events.k8s.io', 'v1', 'events'),
  podDisruptionBudgets: namespaced('policy', 'v1', 'poddisruptionbudgets'),
  priorityClasses: clusterScoped('scheduling.k8s.io', 'v1', 'priorityclasses'),
  csiDrivers: clusterScoped('storage.k8s.io', 'v1', 'csidrivers'),
  csiNodes: clusterScoped('storage.k8s.io', 'v1', 'csinodes'),
  maintenanceBlocks: clusterScoped('quiesce.dev', 'v1alpha1', 'maintenanceblocks'),
  installations: clusterScoped('quiesce.dev', 'v1alpha1', 'installations'),
  vclusterClaims: clusterScoped('quiesce.dev', 'v1alpha1', 'vclusterclaims'),
  clusterShutdowns: clusterScoped('quiesce.dev', 'v1alpha1', 'clustershutdowns'),
  bareMetalClusters: namespaced('baremetal.cluster.gke.io', 'v1', 'clusters'),
  bareMetalNodePools: namespaced('baremetal.cluster.gke.io', 'v1', 'nodepools'),
} as const satisfies Readonly<Record<string, Resource>>;
