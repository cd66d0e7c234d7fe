import type { NodeRehearsal, Rehearsal, UninstallRehearsal } from '../../src/rehearsal/rehearsal.ts';

/** What a rehearsal looks like, of every sort: made by hand, so that reports are tested by what they are given. */
export function rehearsal(different: Partial<Rehearsal> = {}): Rehearsal {
  return {
    version: 1,
    cluster: {
      name: 'atlas',
      uid: 'f3b1',
      serverVersion: 'v1.35.0',
      takenAt: '2026-03-01T08:00:00Z',
      ageSeconds: 10_800,
      nodes: 12,
      pods: 431,
    },
    from: 'HEAD',
    to: 'worktree',
    maintenance: [
      {
        config: 'atlas-metal',
        deadlineSeconds: 1200,
        ignorePdb: false,
        maxConcurrent: 2,
        nodes: [drained, blockedNode, leavingNode, stayingNode, missingNode],
        takes: { from: 1210, to: null },
      },
    ],
    uninstalls: [stopped, smooth],
    sleeps: [
      {
        claim: 'ada',
        namespace: 'vcluster-ada',
        isNew: true,
        takes: { from: 30, to: 75 },
        stopped: [{ namespace: 'vcluster-ada', name: 'ada-0' }],
        deleted: [{ namespace: 'vcluster-ada', name: 'web-x-default-x-ada' }],
        blockers: [],
      },
    ],
    limits: [
      { code: 'stale', message: 'The snapshot is 3 h old.' },
      { code: 'unread', message: 'These kinds could not be listed.', about: ['metrics.k8s.io/v1beta1/PodMetrics'] },
    ],
    ...different,
  };
}

const web = { kind: 'ReplicaSet', name: 'web-5c9' };

export const drained: NodeRehearsal = {
  address: '10.0.0.4',
  node: 'n4',
  pool: 'workers',
  course: 'enters',
  begins: { from: 0, to: 2 },
  reached: { from: 95, to: 540 },
  by: 'drained',
  moves: [
    {
      namespace: 'shop',
      name: 'web-5c9-abc',
      owner: web,
      stage: 1,
      evicted: { from: 0, to: 5 },
      gone: { from: 1, to: 40 },
    },
    {
      namespace: 'shop',
      name: 'web-5c9-def',
      owner: web,
      stage: 1,
      evicted: { from: 12, to: 90 },
      gone: { from: 13, to: 125 },
      nowhere: {
        certain: false,
        reasons: [
          { reason: 'taints', detail: 'gpu=true:NoSchedule', nodes: 2 },
          { reason: 'capacity', detail: 'cpu', nodes: 9 },
        ],
      },
    },
    { namespace: 'shop', name: 'debug', stage: 1, evicted: { from: 0, to: 5 }, gone: { from: 1, to: 40 } },
    {
      namespace: 'system',
      name: 'logs-x1',
      owner: { kind: 'DaemonSet', name: 'logs' },
      stage: 2,
      evicted: { from: 14, to: 130 },
      gone: { from: 15, to: 165 },
    },
    {
      namespace: 'shop',
      name: 'db-0',
      owner: { kind: 'StatefulSet', name: 'db' },
      stage: 3,
      priority: 1000,
      evicted: { from: 16, to: 170 },
      gone: { from: 30, to: 350 },
    },
    {
      namespace: 'system',
      name: 'csi-node-x1',
      owner: { kind: 'DaemonSet', name: 'csi-node' },
      stage: 5,
      evicted: { from: 60, to: 420 },
      gone: { from: 95, to: 540 },
    },
  ],
  waits: [{ what: 'volume', name: 'pv-17', lasts: { from: 20, to: 60 } }],
  blockers: [
    {
      code: 'pdb-budget',
      who: 'workload-owner',
      message: 'Pod shop/web-5c9-def waits for budget shop/web: it needs 2 healthy pods and has 2.',
      pod: { namespace: 'shop', name: 'web-5c9-def' },
      since: { from: 1, to: 6 },
      lasts: { from: 11, to: 84 },
      forEver: false,
    },
  ],
  removed: [],
  stuck: [],
  untouched: 3,
};

export const blockedNode: NodeRehearsal = {
  address: '10.0.0.5',
  node: 'n5',
  course: 'goes-on',
  begins: { from: 0, to: 2 },
  reached: { from: 1210, to: null },
  by: 'deadline',
  moves: drained.moves.slice(0, 3),
  waits: [],
  blockers: [
    {
      code: 'pdb-never',
      who: 'workload-owner',
      message: 'Budget shop/db never lets shop/db-1 go: of 3 pods 3 have to be healthy.',
      permanent: true,
      since: { from: 3, to: 9 },
      lasts: { from: 1207, to: null },
      forEver: true,
    },
  ],
  removed: [
    {
      namespace: 'shop',
      name: 'db-1',
      owner: { kind: 'StatefulSet', name: 'db' },
      why: 'deadline',
      certain: true,
      at: { from: 1200, to: 1202 },
      pastBudget: 'shop/db',
      nowhere: { certain: true, reasons: [{ reason: 'volume', nodes: 11 }] },
    },
  ],
  stuck: [{ namespace: 'shop', name: 'held-by-a-finalizer' }],
  untouched: 2,
};

const nothing = { moves: [], waits: [], blockers: [], removed: [], stuck: [], untouched: 0 } as const;
const leavingNode: NodeRehearsal = {
  ...nothing,
  address: '10.0.0.6',
  node: 'n6',
  course: 'leaves',
  reached: { from: 1, to: 3 },
};
const stayingNode: NodeRehearsal = { ...nothing, address: '10.0.0.7', node: 'n7', course: 'stays', untouched: 4 };
const missingNode: NodeRehearsal = { ...nothing, address: '10.0.0.99', course: 'missing' };

const stopped: UninstallRehearsal = {
  subject: { kind: 'Installation', name: 'monitoring' },
  strategy: 'Ordered',
  isNew: true,
  ends: 'Deleting',
  takes: { from: null, to: null },
  deleted: [
    { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'mon', name: 'grafana', how: 'order', isData: false },
    { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace: 'mon', name: 'data-0', how: 'order', isData: true },
    { apiVersion: 'apps/v1', kind: 'ReplicaSet', namespace: 'mon', name: 'grafana-1', how: 'owner', isData: false },
  ],
  later: [{ apiVersion: 'v1', kind: 'Namespace', name: 'mon', how: 'order', isData: false }],
  kept: [
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      name: 'shared',
      why: 'not-empty',
      holds: [{ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shared', name: 'theirs' }],
    },
  ],
  orphaned: [],
  hooks: [{ component: 'grafana', name: 'backup' }],
  releases: [{ namespace: 'mon', name: 'prometheus' }],
  blockers: [
    {
      code: 'finalizer',
      who: 'controller',
      message: 'Dashboard mon/main keeps the finalizer example.com/hold and nobody serves it.',
      permanent: true,
      lasts: { from: null, to: null },
      forEver: true,
    },
  ],
};

const smooth: UninstallRehearsal = {
  ...stopped,
  subject: { kind: 'VClusterClaim', name: 'bob' },
  strategy: 'Quick',
  isNew: false,
  ends: 'Deleted',
  takes: { from: 20, to: 200 },
  later: [],
  orphaned: [{ apiVersion: 'example.com/v1', kind: 'Bucket', namespace: 'vcluster-bob', name: 'media' }],
  hooks: [],
  releases: [],
  blockers: [],
};
