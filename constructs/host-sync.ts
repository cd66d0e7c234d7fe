import type * as k8s from 'cdk8s-plus-28/lib/imports/k8s.js';

export const READ: readonly string[] = ['get', 'list', 'watch'];
export const ALL: readonly string[] = ['create', 'delete', 'patch', 'update', 'get', 'list', 'watch'];

export function rule(group: string, resources: readonly string[], verbs: readonly string[]): k8s.PolicyRule {
  return { apiGroups: [group], resources: [...resources], verbs: [...verbs] };
}

type Rules = Readonly<Record<string, readonly k8s.PolicyRule[]>>;

/** What a synced resource needs on the whole host cluster, by its path below `sync` in vcluster.yaml. */
const clusterRules: Rules = {
  'fromHost.nodes': [
    rule('', ['pods', 'nodes', 'nodes/status'], READ),
    rule('', ['nodes/metrics', 'nodes/stats', 'nodes/proxy'], ['get']),
  ],
  'fromHost.ingressClasses': [rule('networking.k8s.io', ['ingressclasses'], READ)],
  'fromHost.runtimeClasses': [rule('node.k8s.io', ['runtimeclasses'], READ)],
  'fromHost.priorityClasses': [rule('scheduling.k8s.io', ['priorityclasses'], READ)],
  'fromHost.storageClasses': [rule('storage.k8s.io', ['storageclasses'], READ)],
  'fromHost.csiNodes': [rule('storage.k8s.io', ['csinodes'], READ)],
  'fromHost.csiDrivers': [rule('storage.k8s.io', ['csidrivers'], READ)],
  'fromHost.csiStorageCapacities': [rule('storage.k8s.io', ['csistoragecapacities'], READ)],
  'fromHost.volumeSnapshotClasses': [rule('snapshot.storage.k8s.io', ['volumesnapshotclasses'], READ)],
  'fromHost.deviceClasses': [rule('resource.k8s.io', ['deviceclasses'], READ)],
  // The mappings say which namespaces, but a list or watch cannot be granted for those alone in one role.
  'fromHost.configMaps': [rule('', ['namespaces', 'configmaps'], READ)],
  'fromHost.secrets': [rule('', ['namespaces', 'secrets'], READ)],
  'toHost.storageClasses': [rule('storage.k8s.io', ['storageclasses'], ALL)],
  'toHost.persistentVolumes': [rule('', ['persistentvolumes'], ALL)],
  'toHost.priorityClasses': [rule('scheduling.k8s.io', ['priorityclasses'], ALL)],
  'toHost.volumeSnapshotContents': [rule('snapshot.storage.k8s.io', ['volumesnapshotcontents'], ALL)],
};

/** What it needs in the claim's own namespace. */
const namespaceRules: Rules = {
  'toHost.ingresses': [rule('networking.k8s.io', ['ingresses'], ALL)],
  'toHost.networkPolicies': [rule('networking.k8s.io', ['networkpolicies'], ALL)],
  'toHost.volumeSnapshots': [rule('snapshot.storage.k8s.io', ['volumesnapshots'], ALL)],
  'toHost.serviceAccounts': [rule('', ['serviceaccounts'], ALL)],
  'toHost.podDisruptionBudgets': [rule('policy', ['poddisruptionbudgets'], ALL)],
};

/** Everything that a claim rendered without the chart can sync beyond vCluster's own defaults. */
export const hostSyncNames: ReadonlySet<string> = new Set([
  ...Object.keys(clusterRules),
  ...Object.keys(namespaceRules),
]);

export interface HostSyncRules {
  readonly cluster: readonly k8s.PolicyRule[];
  readonly namespace: readonly k8s.PolicyRule[];
}

/**
 * Names are paths below `sync`; without a direction they are `fromHost`. Throws for others: a control plane without
 * the permissions for what it is told to sync starts, and then fails at it for ever.
 */
export function hostSyncRules(names: readonly string[]): HostSyncRules {
  const paths = [...new Set(names.map((name) => (name.includes('.') ? name : `fromHost.${name}`)))].sort();
  const unknown = paths.find((path) => !hostSyncNames.has(path));
  if (unknown !== undefined) throw new Error(`no permissions are known for sync.${unknown}`);
  return {
    cluster: paths.flatMap((path) => clusterRules[path] ?? []),
    namespace: paths.flatMap((path) => namespaceRules[path] ?? []),
  };
}
