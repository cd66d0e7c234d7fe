import { beforeAll, describe, expect, it } from 'vitest';
import type { Cluster } from '../../support/cluster.ts';
import { apply, create, type KubeObject, list, patch } from '../../support/objects.ts';
import { changed, type OurKind, ourKinds, sample } from '../line/our-kinds.ts';

interface Definition extends KubeObject {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** The kinds that Quiesce defines, on an API server that has them. */
export function kindsHold(open: () => Cluster): void {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = open();
    await apply(cluster.access, ...ourKinds.map(sample));
  });

  it('have structural schemas', async () => {
    const definitions = await list<Definition>(cluster.access, ['apiextensions.k8s.io/v1', 'CustomResourceDefinition']);
    for (const { metadata, status } of definitions) {
      const conditions = (status?.conditions ?? []).map(({ type, status }) => `${type}=${status}`).sort();
      expect([metadata.name, ...conditions]).toEqual([metadata.name, 'Established=True', 'NamesAccepted=True']);
    }
    expect(definitions).toHaveLength(ourKinds.length);
  });

  it('are all shown by `kubectl get quiesce`', async () => {
    // Discovery lags behind the definitions, and kubectl keeps what it discovered; this asks anew each time.
    const known = async () =>
      (await cluster.kubectl('api-resources', '--categories=quiesce', '-o', 'name')).trim().split('\n');
    await expect.poll(known, { timeout: 30_000 }).toHaveLength(ourKinds.length);
    const shown = (await cluster.kubectl('get', 'quiesce', '-o', 'name')).trim().split('\n');
    expect(shown.map((line) => line.split('.')[0]).sort()).toEqual(ourKinds.map((kind) => kind.toLowerCase()));
  });

  describe('show in the columns of `kubectl get`', () => {
    it.each(columns)('a $kind', async ({ kind, short, status, shown, wide }) => {
      await patch(cluster.access, sample(kind), { status: status() }, 'status');
      const table = async (...options: readonly string[]) =>
        (await cluster.kubectl('get', short, ...options))
          .trim()
          .split('\n')
          .map((line) => line.split(/ +/));
      expect(await table()).toEqual(shown.map((line) => line.split(' ')));
      const all = await table('-o', 'wide');
      expect(all.map((line) => line.slice(shown[0]?.split(' ').length))).toEqual([
        `${wide[0]} AGE`.trim().split(' '),
        [...wide[1].split(' ').filter((word) => word !== ''), expect.stringMatching(/^\d+s$/)],
      ]);
    });
  });

  describe('refuse', () => {
    it.each(refused)('%s with %s = $2', async (kind, path, value, message) => {
      const bad = changed(changed(sample(kind), 'metadata.name', 'another'), path, value);
      await expect(create(cluster.access, bad)).rejects.toThrow(message);
    });

    it.each(refusedStatus)('%s whose status has %s = $2', async (kind, field, value, message) => {
      const attempt = patch(cluster.access, sample(kind), { status: { [field]: value } }, 'status');
      await expect(attempt).rejects.toThrow(message);
    });

    it('that a claim moves to another namespace', async () => {
      const attempt = patch(cluster.access, sample('VClusterClaim'), { spec: { namespace: 'elsewhere' } });
      await expect(attempt).rejects.toThrow('a virtual cluster cannot move to another namespace');
    });
  });
}

/** A little more than two hours ago, which kubectl tells in minutes. */
function since(): string {
  return new Date(Date.now() - 125.5 * 60_000).toISOString();
}

const blockers = [{ code: 'pdb-without-budget', message: 'No budget left.' }];

const columns: readonly {
  readonly kind: OurKind;
  readonly short: string;
  readonly status: () => unknown;
  readonly shown: readonly [string, string];
  /** What `-o wide` adds, before the age. */
  readonly wide: readonly [string, string];
}[] = [
  {
    kind: 'MaintenanceBlock',
    short: 'mb',
    status: () => ({ readyNodes: 1, reconcilingNodes: 2, stalledNodes: 3, underMaintenanceNodes: 4, unknownNodes: 5 }),
    shown: ['NAME READY RECONCILING STALLED UNDERMAINTENANCE UNKNOWN', 'atlas-metal 1 2 3 4 5'],
    wide: ['CONFIG DEADLINE', 'atlas-metal 1800'],
  },
  {
    kind: 'VClusterClaim',
    short: 'vcc',
    status: () => ({
      phase: 'DeleteError',
      since: since(),
      deadlines: { next: '2026-03-05T11:02:44Z' },
      step: 'sweep',
      blockers,
    }),
    shown: [
      'NAME STATE PHASE SINCE EXPIRES OWNER BLOCKER',
      'campus-login Running DeleteError 125m 2026-03-05T11:02:44Z identity-team@example.edu pdb-without-budget',
    ],
    wide: ['STEP VERSION REPLICAS HOST', 'sweep 0.30.1 3 campus-login.apps.example.edu'],
  },
  {
    kind: 'Installation',
    short: 'inst',
    status: () => ({
      phase: 'Deleting',
      since: since(),
      step: 'sweep',
      done: 3,
      total: 8,
      blockers,
      lastError: { code: 'hook-failed', message: 'It ended with 1.' },
    }),
    shown: ['NAME STATE PHASE SINCE STEP BLOCKER', 'observability Installed Deleting 125m sweep pdb-without-budget'],
    wide: ['ERROR DONE TOTAL STRATEGY', 'hook-failed 3 8 Ordered'],
  },
  {
    kind: 'ClusterShutdown',
    short: 'csd',
    status: () => ({ phase: 'Waiting', since: since(), nodesLeft: 7, waitingFor: 'nodes-ready' }),
    shown: ['NAME ACTION PHASE SINCE NODESLEFT WAITINGFOR', 'borealis None Waiting 125m 7 nodes-ready'],
    wide: ['', ''],
  },
];

type Refused = readonly [kind: OurKind, path: string, value: unknown, message: string | RegExp];

const person = { name: 'Ada', email: 'ada@example.edu' };
const twice = (item: unknown) => [item, item];
const component = {
  name: 'a',
  namespace: 'a',
  dependsOn: [],
  wave: 0,
  deletion: { persistentVolumeClaims: 'Retain', namespace: 'Keep' },
};
const node = { address: '10.0.0.1', pool: 'p', role: 'worker', taints: [] };

const refused: readonly Refused[] = [
  ['VClusterClaim', 'metadata.name', 'a-x-b', 'vCluster joins names with -x-'],
  ['VClusterClaim', 'metadata.name', '1a', 'starting with a letter'],
  ['VClusterClaim', 'spec.state', 'Paused', 'supported values: "Running", "Sleeping", "Deleted"'],
  ['VClusterClaim', 'spec.state', undefined, 'spec.state: Required value'],
  ['VClusterClaim', 'spec.stat', 'Running', 'unknown field "spec.stat"'],
  ['VClusterClaim', 'spec.cluster', 'Atlas', 'spec.cluster: Invalid value'],
  ['VClusterClaim', 'spec.replicas', 0, 'greater than or equal to 1'],
  ['VClusterClaim', 'spec.replicas', '3', 'must be of type integer'],
  ['VClusterClaim', 'spec.backingStore', 'sqlite', 'spec.backingStore: Unsupported value'],
  ['VClusterClaim', 'spec.owners.0.email', undefined, 'spec.owners[0].email: Required value'],
  ['VClusterClaim', 'spec.owners', Array(101).fill(person), 'must have at most 100 items'],
  ['VClusterClaim', 'spec.expiry', {}, 'either never, or after and grace'],
  ['VClusterClaim', 'spec.expiry', { never: true, after: 1, grace: 1 }, 'either never, or after and grace'],
  ['VClusterClaim', 'spec.expiry', { after: 1 }, 'after and grace belong together'],
  ['VClusterClaim', 'spec.schedules', [{ timeZone: 'UTC' }], 'a schedule needs sleep, wake, or both'],
  ['VClusterClaim', 'spec.service', undefined, 'host and service belong together'],
  ['MaintenanceBlock', 'spec.config', undefined, 'spec.config: Required value'],
  ['MaintenanceBlock', 'spec.nodes', twice(node), 'spec.nodes[1]: Duplicate value'],
  ['MaintenanceBlock', 'spec.nodes.0.address', 'worker-1', 'spec.nodes[0].address: Invalid value'],
  ['MaintenanceBlock', 'spec.nodes.0.role', 'etcd', 'spec.nodes[0].role: Unsupported value'],
  ['MaintenanceBlock', 'spec.nodes.0.taints.0.effect', 'NoRun', 'Unsupported value: "NoRun"'],
  ['MaintenanceBlock', 'spec.unmatched', ['10.0.0'], 'spec.unmatched[0]: Invalid value'],
  ['MaintenanceBlock', 'spec.profile', '1.30', 'spec.profile: Unsupported value'],
  ['MaintenanceBlock', 'spec.deadlineSeconds', -1, 'greater than or equal to 0'],
  ['Installation', 'spec.deletion.strategy', 'Fast', 'spec.deletion.strategy: Unsupported value'],
  ['Installation', 'spec.deletion.timeoutSeconds', 0, 'greater than or equal to 1'],
  ['Installation', 'spec.components', twice(component), 'spec.components[1]: Duplicate value'],
  ['Installation', 'spec.components.0.name', 'A', 'spec.components[0].name: Invalid value'],
  [
    'Installation',
    'spec.components.0.deletion.sweep',
    [{ apiGroups: [''], kinds: ['Secret'], selector: '' }],
    'selector',
  ],
  ['Installation', 'spec.components.0.deletion.preDelete', [{ name: 'a', timeoutSeconds: 1 }], 'image: Required value'],
  ['ClusterShutdown', 'spec.action', 'Reboot', 'supported values: "Shutdown", "Restart", "None"'],
  ['ClusterShutdown', 'spec.backupAcknowledged', 'yes', 'must be of type boolean'],
  ['ClusterShutdown', 'spec.nodes.0.address', undefined, 'spec.nodes[0].address: Required value'],
  ['ClusterShutdown', 'spec.powerHook.timeoutSeconds', 0, 'greater than or equal to 1'],
];

const refusedStatus: readonly Refused[] = [
  ['VClusterClaim', 'phase', 'Gone', 'status.phase: Unsupported value'],
  ['VClusterClaim', 'since', 'yesterday', 'must be of type date-time'],
  ['VClusterClaim', 'blockers', [{ code: 'No budget', message: 'No.' }], 'status.blockers[0].code: Invalid value'],
  ['VClusterClaim', 'blockers', Array(51).fill(blockers[0]), 'must have at most 50 items'],
  ['VClusterClaim', 'conditions', [{ type: 'Ready', status: 'Yes' }], 'status.conditions[0].status: Unsupported value'],
  ['MaintenanceBlock', 'readyNodes', -1, 'greater than or equal to 0'],
  ['Installation', 'components', twice({ name: 'a', phase: 'Installed' }), 'status.components[1]: Duplicate value'],
  ['ClusterShutdown', 'gates', [{ name: 'weather', open: true }], 'status.gates[0].name: Unsupported value'],
];
