import type {
  LifecycleClaim,
  LifecycleInput,
  ObservedCluster,
  ObservedResource,
} from '../../src/lifecycle/decision.ts';
import { at } from '../../src/lifecycle/instants.ts';
import type { LifecycleRecord } from '../../src/resolve/state.ts';

export const hour = 3_600_000;
export const day = 24 * hour;
/** When everything begins. */
export const start = at('2026-01-01T00:17:00Z');

export const settings: LifecycleInput['settings'] = {
  expiry: { after: 90 * 86_400, grace: 60 * 86_400, warnBefore: 7 * 86_400, maxExtension: 180 * 86_400 },
  lifecycle: { schedule: '17 * * * *', timeZone: 'Europe/Berlin' },
};

export const ada = { name: 'Ada', email: 'ada@example.edu' };
export const bob = { name: 'Bob', email: 'bob@example.edu' };

export function claimOf(change: Partial<LifecycleClaim> = {}): LifecycleClaim {
  const name = change.name ?? 'ada';
  return {
    origin: { file: `state/claims/${name}.yaml`, document: 0 },
    name,
    cluster: 'main',
    owners: [ada],
    state: 'Running',
    expiry: { after: settings.expiry.after, grace: settings.expiry.grace },
    schedules: [],
    protected: false,
    identity: 'a1b2c3d4e5f6a7b8c9d0',
    ...change,
  };
}

export function recordOf(change: Partial<LifecycleRecord> = {}): LifecycleRecord {
  const name = change.name ?? 'ada';
  return {
    origin: { file: `state/records/${name}.yaml`, document: 0 },
    name,
    identity: 'a1b2c3d4e5f6a7b8c9d0',
    firstSeen: '2026-01-01T00:17:00Z',
    renewals: [],
    warnings: [],
    notices: [],
    rejections: [],
    ...change,
  };
}

export function clusterOf(claims: Readonly<Record<string, ObservedResource>> = {}): ObservedCluster {
  return { kind: 'known', claims: new Map(Object.entries(claims)), installations: new Map() };
}

/** A runner that sees everything, and one claim. */
export function inputOf(change: Partial<LifecycleInput> = {}): LifecycleInput {
  return {
    settings,
    mail: { kind: 'ready' },
    reports: [],
    clocks: [{ from: 'main', ahead: 0 }],
    claims: [claimOf()],
    installations: [],
    records: new Map(),
    unreadable: new Set(),
    clusters: new Map([['main', clusterOf({ ada: {} })]]),
    compiled: new Set(['ada']),
    ...change,
  };
}
