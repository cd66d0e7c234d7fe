import type {
  ClaimFacts,
  ComponentFacts,
  Facts,
  InstallationFacts,
  MaintenanceFacts,
  RecordFacts,
  SettingsFacts,
} from '../../src/plan/facts.ts';

// Facts as a small instance has them; each test changes what it is about.

const day = 86_400;

export function claim(name: string, different: Partial<ClaimFacts> = {}): ClaimFacts {
  return {
    kind: 'claim',
    name,
    cluster: 'west',
    state: 'Running',
    owners: ['ada@example.edu'],
    version: '0.30.1',
    replicas: 3,
    backingStore: 'embeddedEtcd',
    storage: '5Gi',
    protected: false,
    expiry: { after: 90 * day, grace: 60 * day },
    schedules: 0,
    identity: `identity of ${name}`,
    ...different,
  };
}

export function node(address: string): MaintenanceFacts['nodes'][number] {
  return { address, pool: 'workers', taints: ['maintenance:NoSchedule', 'maintenance:NoExecute'] };
}

export function maintenance(different: Partial<MaintenanceFacts> = {}): MaintenanceFacts {
  return {
    kind: 'maintenance',
    name: 'edge',
    cluster: 'west',
    nodes: [],
    deadlineSeconds: 1200,
    ignorePdb: false,
    ...different,
  };
}

export function installation(different: Partial<InstallationFacts> = {}): InstallationFacts {
  return {
    kind: 'installation',
    name: 'shop',
    cluster: 'west',
    state: 'Installed',
    components: ['db', 'web'],
    ...different,
  };
}

export function component(name: string, different: Partial<ComponentFacts> = {}): ComponentFacts {
  return {
    kind: 'component',
    installation: 'shop',
    name,
    cluster: 'west',
    namespace: 'shop',
    wave: 0,
    dependsOn: [],
    digest: 'd1',
    ...different,
  };
}

export function record(name: string, data?: 'Deleted' | 'Kept'): RecordFacts {
  return { kind: 'record', name, ...(data !== undefined && { uninstalled: { at: '2026-03-01T08:00:00Z', data } }) };
}

export function part(name: string, cluster = 'west'): Facts {
  return { kind: 'system', cluster, name };
}

export function settings(values: SettingsFacts['values']): SettingsFacts {
  return { kind: 'settings', name: 'settings', values };
}
