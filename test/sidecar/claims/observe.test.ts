import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { observeClaim } from '../../../src/sidecar/claims/observe.ts';
import { slimClaim, slimWorkload } from '../../../src/sidecar/claims/slim.ts';
import { type CacheOptions, openCache, type Slim } from '../../../src/sidecar/kube/cache.ts';
import { openPool } from '../../../src/sidecar/kube/intern.ts';
import { slimNamespace } from '../../../src/sidecar/kube/slim.ts';
import { slimPod } from '../../../src/sidecar/kube/slim-pod.ts';
import { virtualClusterPods, type World } from '../../../src/sidecar/world.ts';

const created = '2026-03-01T09:00:00Z';

function object(name: string, rest: object, metadata: object = {}) {
  const own = { name, uid: `uid-${name}`, resourceVersion: '7', generation: 2, creationTimestamp: created };
  return { ...rest, metadata: { ...own, ...metadata } };
}

function cacheOf<T extends Slim>(options: CacheOptions<T>, ...objects: readonly object[]) {
  const cache = openCache(options);
  for (const each of objects) cache.listed(each);
  return cache;
}

const marked = { labels: { 'vcluster.loft.sh/managed-by': 'vcluster-ada-x-ada' } };

const labels = { app: 'vcluster', release: 'ada', 'quiesce.dev/claim': 'ada' };
const pool = openPool();

const workload = object(
  'ada',
  { spec: { replicas: 2 }, status: { observedGeneration: 2, replicas: 3, readyReplicas: 1 } },
  {
    namespace: 'vcluster-ada',
    labels,
    annotations: { 'loft.sh/paused': 'true', 'plethos.cs.hm.edu/scaled-down-replicas': '3' },
    managedFields: [
      { manager: 'argocd-controller', time: '2026-03-01T10:00:00Z', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
      { manager: 'kubectl', time: '2026-03-01T11:00:00Z', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
      { manager: 'kube-controller-manager', time: '2026-03-01T12:00:00Z', fieldsV1: { 'f:status': {} } },
    ],
  },
);

const claim = object(
  'ada',
  {
    spec: { state: 'Sleeping', namespace: 'vcluster-ada', replicas: 3, backingStore: 'embeddedEtcd', owners: [] },
    status: { phase: 'Sleeping', deadlines: { sleep: created } },
  },
  { finalizers: ['theirs'], annotations: { 'quiesce.dev/withdraw-deletion': '' }, deletionTimestamp: created },
);

const pods: readonly object[] = (
  [
    ['ada-0', { app: 'vcluster', release: 'ada' }],
    ['etcd-0', { app: 'vcluster-etcd', release: 'ada' }],
    ['web', { 'vcluster.loft.sh/managed-by': 'ada' }],
    ['of-another', { 'vcluster.loft.sh/managed-by': 'bob' }],
    ['theirs', {}],
    ['of-a-copy', { 'vcluster.loft.sh/managed-by': 'ada' }, 'copied'],
    ['of-a-copy-too', marked.labels, 'copied'],
    ['beside', { 'vcluster.loft.sh/managed-by': 'bob' }, 'copied'],
    ['a-namesake', { app: 'vcluster', release: 'ada' }, 'copied'],
    ['of-the-host', { 'vcluster.loft.sh/managed-by': 'ada' }, 'shown-inside'],
  ] as const
).map(([name, own, namespace = 'vcluster-ada']) =>
  object(name, { spec: { nodeName: 'n1' }, status: { phase: 'Running' } }, { namespace, labels: own }),
);

const world = {
  claims: cacheOf({ project: slimClaim }, claim),
  statefulSets: cacheOf({ project: slimWorkload, index: ({ namespace }) => [namespace] }, workload),
  deployments: cacheOf({ project: slimWorkload, index: ({ namespace }) => [namespace] }),
  namespaces: cacheOf(
    { project: slimNamespace, index: ({ syncedBy = '' }) => [syncedBy] },
    object('vcluster-ada', {}),
    object('copied', {}, marked),
    object('shown-inside', {}, { ...marked, annotations: { 'vcluster.loft.sh/imported': 'true' } }),
  ),
  pods: cacheOf(
    { project: (raw) => slimPod(raw, pool), index: ({ namespace }) => [virtualClusterPods(namespace)] },
    ...pods,
  ),
} as unknown as World;

const forgotten: string[] = [];

function observe(name: string, aliveAt = new Map<string, number>()) {
  return observeClaim(name, {
    world,
    unread: ['nodes', 'pods'],
    answers: new Map([['uid-web', { status: 403, text: 'no', at: 1, attempts: 2 }]]),
    aliveAt,
    lookedAt: new Map(),
    going: new Set(),
    watchedSince: 90,
    now: 99,
    uninstaller: {
      observe: () => undefined,
      blind: () => expect.unreachable('its resource can be read'),
      hasten: () => undefined,
      forget: (each) => forgotten.push(each),
    },
    hash: (text) => createHash('sha256').update(text).digest('hex'),
    wake: () => undefined,
  });
}

it('of each object what a decision needs, as the API server has it', () => {
  const aliveAt = new Map<string, number>();
  const seen = observe('ada', aliveAt);
  expect(seen?.claim).toEqual({
    name: 'ada',
    uid: 'uid-ada',
    resourceVersion: '7',
    generation: 2,
    deletedAt: Date.parse(created),
    finalizers: ['theirs'],
    isWithdrawn: true,
    spec: {
      state: 'Sleeping',
      namespace: 'vcluster-ada',
      replicas: 3,
      backingStore: 'embeddedEtcd',
      keepData: false,
      objects: [],
    },
    // Deadlines are not ours to write.
    status: { phase: 'Sleeping' },
  });
  expect(seen?.workloads).toEqual([
    {
      kind: 'StatefulSet',
      name: 'ada',
      part: 'control-plane',
      generation: 2,
      observedGeneration: 2,
      replicas: 2,
      observed: 3,
      ready: 1,
      isMarkedAsleep: true,
      isPaused: true,
      scaledBy: 'kubectl',
    },
  ]);
  expect(seen?.namespace).toBe('there');
  expect([seen?.aliveAt, seen?.watchedSince]).toEqual([99, 90]);
  expect(aliveAt.get('ada')).toBe(99);
});

it('pods of the control plane and those that it has synced, and none of anybody else', () => {
  const seen = observe('ada');
  expect(seen?.pods.map(({ namespace = '', name, part }) => `${namespace} ${name} ${part}`)).toEqual([
    ' ada-0 control-plane',
    ' etcd-0 etcd',
    ' web synced',
    'copied of-a-copy synced',
    'copied of-a-copy-too synced',
  ]);
  expect(seen?.answers).toEqual({ 'uid-web': { status: 403, text: 'no', at: 1, attempts: 2 } });
});

it('kinds that could not be read, as far as they matter here', () => {
  expect(observe('ada')?.unread).toEqual(['Pod']);
});

it('of a claim that is gone nothing is remembered', () => {
  const aliveAt = new Map([['bob', 1]]);
  expect(observe('bob', aliveAt)).toBeUndefined();
  expect([...aliveAt]).toEqual([]);
  expect(forgotten).toContain('bob');
});
