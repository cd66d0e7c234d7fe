import type {
  ClaimFacts,
  ComponentFacts,
  InstallationFacts,
  MaintenanceFacts,
  RecordFacts,
  SettingsFacts,
  ShutdownFacts,
} from '../plan/facts.ts';
import type { Claim, ClusterConfig, Component, Installation, LifecycleRecord, Settings, Shutdown } from './state.ts';

export function claimFacts(claim: Claim): ClaimFacts {
  return {
    kind: 'claim',
    name: claim.name,
    cluster: claim.cluster,
    state: claim.state,
    owners: claim.owners.map(({ email }) => email),
    version: claim.version,
    replicas: claim.replicas,
    backingStore: claim.backingStore,
    storage: claim.storage.size,
    ...(claim.exposure !== undefined && { host: claim.exposure.host }),
    protected: claim.protected,
    expiry: claim.expiry,
    ...(claim.extendedUntil !== undefined && { extendedUntil: claim.extendedUntil }),
    ...(claim.renewedAt !== undefined && { renewedAt: claim.renewedAt }),
    ...(claim.hostSync.length > 0 && { hostSync: claim.hostSync }),
    schedules: claim.schedules.length,
    identity: claim.identity,
  };
}

/** Taints as `key:Effect`, the form in which people read them. */
export function configFacts(config: ClusterConfig): MaintenanceFacts {
  return {
    kind: 'maintenance',
    name: config.name,
    cluster: config.cluster,
    nodes: config.nodes.map(({ address, pool, maintenanceTaints }) => ({
      address,
      pool,
      taints: maintenanceTaints.map(({ key, effect }) => `${key}:${effect}`),
    })),
    deadlineSeconds: config.deadlineSeconds,
    ignorePdb: config.ignorePdb,
    pools: poolSizes(config),
  };
}

/** Of the pools that maintenance is about: the others would only make the inventory longer. */
function poolSizes({ nodes, declared }: ClusterConfig): Readonly<Record<string, number>> {
  const names = [...new Set(nodes.map(({ pool }) => pool))].sort();
  return Object.fromEntries(names.map((name) => [name, declared.filter(({ pool }) => pool === name).length]));
}

export function installationFacts(installation: Installation): InstallationFacts {
  return {
    kind: 'installation',
    name: installation.name,
    cluster: installation.cluster,
    state: installation.state,
    components: installation.components.map(({ name }) => name),
    ...(installation.deletion.strategy === 'Quick' && { strategy: 'Quick' }),
  };
}

export function componentFacts(installation: Installation, component: Component, digest: string): ComponentFacts {
  return {
    kind: 'component',
    installation: installation.name,
    name: component.name,
    cluster: installation.cluster,
    namespace: component.namespace,
    wave: component.wave,
    dependsOn: component.dependsOn,
    digest,
    ...(component.deletion.persistentVolumeClaims === 'Delete' && { volumes: 'Delete' }),
  };
}

export function shutdownFacts({ cluster, action }: Shutdown): ShutdownFacts {
  return { kind: 'shutdown', cluster, action };
}

export function recordFacts({ name, deadlines, asleep, uninstalled }: LifecycleRecord): RecordFacts {
  return {
    kind: 'record',
    name,
    ...(deadlines !== undefined && { deadlines }),
    ...(asleep !== undefined && asleep.deadline === deadlines?.sleep && { expired: true as const }),
    ...(uninstalled !== undefined && { uninstalled }),
  };
}

/** A list shows under the names of its entries where they have some, so that adding one changes no other's path. */
export function settingsFacts({ origin: _, ...settings }: Settings): SettingsFacts {
  const values: Record<string, string> = {};
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) values[path] = String(value);
    else
      for (const [key, inner] of Object.entries(value))
        walk(inner, `${path}${path === '' ? '' : '.'}${entryName(key, inner)}`);
  };
  walk(settings, '');
  return { kind: 'settings', name: 'settings', values };
}

function entryName(key: string, entry: unknown): string {
  return /^[0-9]+$/.test(key) && typeof entry === 'object' && entry !== null && 'name' in entry
    ? String(entry.name)
    : key;
}
