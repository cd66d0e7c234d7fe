import { expect, it } from 'vitest';
import { claimFacts, configFacts, recordFacts, shutdownFacts } from '../../src/resolve/facts.ts';
import type { ClusterConfig } from '../../src/resolve/state.ts';
import { resolvedClaim, settingsOf } from './resolved.ts';

const origin = { file: 'state/x.yaml', document: 0 };

it('a claim is remembered with all that other claims and later compiles are held against', () => {
  const spec =
    '  owners: [{ name: B, email: b@example.edu }]\n  expiry: Never\n  sleepSchedules: [{ sleep: 0 1 * * * }]\n  storage: { size: 9Gi }\n  quota: { pods: 20 }\n  values: { sync: { toHost: { ingresses: { enabled: true } } } }\n';
  const { claim } = resolvedClaim(spec, settingsOf({ exposedAppsBaseDomain: 'apps.example.edu' }));
  if (claim === undefined) throw new Error('not resolved');
  expect(claimFacts(claim)).toEqual({
    kind: 'claim',
    name: 'ada',
    cluster: 'atlas',
    state: 'Running',
    owners: ['team@example.edu', 'b@example.edu'],
    version: '0.30.1',
    replicas: 1,
    backingStore: 'embeddedDatabase',
    storage: '9Gi',
    host: 'ada.apps.example.edu',
    protected: false,
    expiry: 'Never',
    schedules: 1,
    hostSync: ['toHost.ingresses'],
    timetable: ['sleeps at "0 1 * * *" (Etc/UTC)'],
    quota: { pods: '20' },
    requests: claim.resources.requests,
    values: { 'sync.toHost.ingresses.enabled': 'true' },
    identity: claim.identity,
  });
});

it('a cluster config is remembered with its nodes and the taints they get', () => {
  const node = { address: '10.0.0.1', pool: 'np1', role: 'worker', taints: [] } as const;
  const config: ClusterConfig = {
    origin,
    name: 'metal',
    cluster: 'atlas',
    blocks: ['10.0.0.1'],
    nodes: [{ ...node, maintenanceTaints: [{ key: 'm', effect: 'NoSchedule' }] }],
    unmatched: [],
    deadlineSeconds: 1200,
    ignorePdb: false,
    profile: '1.29',
    declared: [node],
  };
  expect(configFacts(config)).toEqual({
    kind: 'maintenance',
    name: 'metal',
    cluster: 'atlas',
    nodes: [{ address: '10.0.0.1', pool: 'np1', taints: ['m:NoSchedule'] }],
    deadlineSeconds: 1200,
    ignorePdb: false,
    pools: { np1: 1 },
  });
});

it('a shutdown and a record are remembered', () => {
  expect(shutdownFacts({ origin, cluster: 'atlas', action: 'None', backupAcknowledged: true })).toEqual({
    kind: 'shutdown',
    cluster: 'atlas',
    action: 'None',
  });
  const uninstalled = { at: '2026-01-01T00:00:00Z', data: 'Kept' } as const;
  expect(
    recordFacts({ origin, name: 'ada', renewals: [], warnings: [], notices: [], rejections: [], uninstalled }),
  ).toEqual({
    kind: 'record',
    name: 'ada',
    uninstalled,
  });
  expect(recordFacts({ origin, name: 'ada', renewals: [], warnings: [], notices: [], rejections: [] })).toEqual({
    kind: 'record',
    name: 'ada',
  });
});
