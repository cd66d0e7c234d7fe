import { at, type Finding, type Origin } from '../validate/finding.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * What vCluster can sync beyond its own namespace or defaults and what permissions are known for, as paths below `sync`
 * in vcluster.yaml. `constructs/host-sync.ts` has the permissions; a test holds the two lists together.
 */
export const hostSyncPaths: ReadonlySet<string> = new Set([
  'fromHost.configMaps',
  'fromHost.csiDrivers',
  'fromHost.csiNodes',
  'fromHost.csiStorageCapacities',
  'fromHost.deviceClasses',
  'fromHost.ingressClasses',
  'fromHost.nodes',
  'fromHost.priorityClasses',
  'fromHost.runtimeClasses',
  'fromHost.secrets',
  'fromHost.storageClasses',
  'fromHost.volumeSnapshotClasses',
  'toHost.ingresses',
  'toHost.networkPolicies',
  'toHost.persistentVolumes',
  'toHost.podDisruptionBudgets',
  'toHost.priorityClasses',
  'toHost.serviceAccounts',
  'toHost.storageClasses',
  'toHost.volumeSnapshotContents',
  'toHost.volumeSnapshots',
]);

/** On by default, within the claim's own namespace. */
const always: ReadonlySet<string> = new Set([
  'fromHost.events',
  'toHost.configMaps',
  'toHost.endpoints',
  'toHost.persistentVolumeClaims',
  'toHost.pods',
  'toHost.secrets',
  'toHost.services',
]);

/** Other parts of vcluster.yaml that need permissions on the host when they are used. */
const beyond: readonly (readonly string[])[] = [
  ['controlPlane', 'advanced', 'virtualScheduler', 'enabled'],
  ['controlPlane', 'distro', 'k8s', 'scheduler', 'enabled'],
  ['integrations', 'certManager', 'enabled'],
  ['integrations', 'externalSecrets', 'enabled'],
  ['integrations', 'istio', 'enabled'],
  ['integrations', 'kubeVirt', 'enabled'],
  ['integrations', 'metricsServer', 'enabled'],
  ['networking', 'replicateServices', 'fromHost'],
  ['plugins'],
  ['sync', 'toHost', 'pods', 'hybridScheduling', 'enabled'],
];

/** What a claim's raw values turn on, sorted. `auto` follows the virtual scheduler, which is off. */
export function hostSyncOf(values: Values | undefined): string[] {
  return syncPaths(values).filter((path) => hostSyncPaths.has(path));
}

/** What they turn on that nobody would permit: the control plane would start and fail at it for ever. */
export function hostSyncFindings(values: Values | undefined, origin: Origin): Finding[] {
  const unknown = syncPaths(values)
    .filter((path) => !hostSyncPaths.has(path) && !always.has(path))
    .map((path) => ['sync', ...path.split('.')]);
  return [...unknown, ...beyond.filter((path) => isOn(valueAt(values, path)))].map((path) => ({
    code: 'values-need-chart',
    at: at(origin, ['spec', 'values', ...path], 'key'),
    message: `"${path.join('.')}" needs permissions on the host cluster that the built-in objects do not grant.`,
    remedy: 'Remove it, or render the chart with "spec.chart".',
  }));
}

function syncPaths(values: Values | undefined): string[] {
  if (values === undefined) return [];
  return ['fromHost', 'toHost']
    .flatMap((direction) => {
      const resources = valueAt(values, ['sync', direction]);
      if (!isMap(resources)) return [];
      return Object.entries(resources)
        .filter(([name, value]) => (name === 'customResources' ? isOn(value) : isMap(value) && isOn(value.enabled)))
        .map(([name]) => `${direction}.${name}`);
    })
    .sort();
}

/** True, or a list or map with something in it. */
function isOn(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value === true || value === 'true';
}

function valueAt(values: unknown, path: readonly string[]): unknown {
  return path.reduce((value, key) => (isMap(value) && Object.hasOwn(value, key) ? value[key] : undefined), values);
}

function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
