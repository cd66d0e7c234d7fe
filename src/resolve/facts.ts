import type {
  ClaimFacts,
  ComponentFacts,
  InstallationFacts,
  MaintenanceFacts,
  RecordFacts,
  SettingsFacts,
  ShutdownFacts,
} from '../plan/facts.ts';
import type {
  Claim,
  ClusterConfig,
  Component,
  Installation,
  JobSpec,
  LifecycleRecord,
  Settings,
  Shutdown,
} from './state.ts';

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
    ...(claim.schedules.length > 0 && { timetable: claim.schedules.map(scheduleText) }),
    ...quotaFacts(claim),
    ...valueFacts(claim.chart?.values ?? claim.values ?? {}),
    identity: claim.identity,
  };
}

function scheduleText({ sleep, wake, timeZone }: Claim['schedules'][number]): string {
  const [sleeps, wakes] = [sleep && `sleeps at "${sleep}"`, wake && `wakes at "${wake}"`];
  return `${[sleeps, wakes].filter((part) => part !== undefined).join(' and ')} (${timeZone})`;
}

function quotaFacts({ quota = {}, resources: { requests } }: Claim): Pick<ClaimFacts, 'quota' | 'requests'> {
  return Object.keys(quota).length === 0 ? {} : { quota, requests };
}

function valueFacts(values: Readonly<Record<string, unknown>>): Pick<ClaimFacts, 'values'> {
  const flat = flattened(values, (key) => key);
  return Object.keys(flat).length === 0 ? {} : { values: flat };
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
    ...hookFacts(component),
  };
}

function hookFacts({ deletion }: Component): Pick<ComponentFacts, 'hooks'> {
  const hooks = (['preDelete', 'delete', 'postDelete'] as const).flatMap((when) =>
    deletion[when].map((hook) => [`${when} ${hook.name}`, hookText(hook)] as const),
  );
  return hooks.length === 0 ? {} : { hooks: Object.fromEntries(hooks) };
}

function hookText({ image, command, serviceAccount, timeout }: JobSpec): string {
  const account = serviceAccount === undefined ? '' : ` as ${serviceAccount}`;
  return `${[image, ...command].join(' ')}${account}, at most ${timeout} s`;
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
  return { kind: 'settings', name: 'settings', values: flattened(settings, entryName) };
}

/** By path, as text. What is empty has no path. */
function flattened(whole: object, nameOf: (key: string, entry: unknown) => string): Readonly<Record<string, string>> {
  const values: [string, string][] = [];
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) values.push([path, String(value)]);
    else
      for (const [key, inner] of Object.entries(value))
        walk(inner, `${path}${path === '' ? '' : '.'}${nameOf(key, inner)}`);
  };
  walk(whole, '');
  return Object.fromEntries(values);
}

function entryName(key: string, entry: unknown): string {
  return /^[0-9]+$/.test(key) && typeof entry === 'object' && entry !== null && 'name' in entry
    ? String(entry.name)
    : key;
}
