import { afterEach, expect, it } from 'vitest';
import { openPool } from '../../../src/sidecar/kube/intern.ts';
import { slimPod } from '../../../src/sidecar/kube/slim-pod.ts';
import { observeMaintenance, observeNodes, type Recollection } from '../../../src/sidecar/maintenance/observe.ts';
import { type OpenWorld, openWorld } from '../../../src/sidecar/world.ts';
import { json, type ScriptedServer, startScripted } from './scripted-server.ts';

let server: ScriptedServer | undefined;
afterEach(() => server?.stop());

const created = '2026-03-01T09:00:00Z';
const at = Date.parse(created);
let version = 0;

function object(name: string, rest: object, namespace?: string) {
  version += 1;
  const metadata = { name, uid: `uid-${name}`, resourceVersion: String(version), creationTimestamp: created };
  return { metadata: { ...metadata, ...(namespace !== undefined && { namespace }) }, ...rest };
}

const pod = (name: string, nodeName: string, spec: object = {}, status: object = {}) =>
  object(name, { spec: { nodeName, ...spec }, status: { phase: 'Running', ...status } }, 'shop');

const node = (name: string, address: string) =>
  object(name, {
    spec: { taints: [{ key: 'theirs', effect: 'NoSchedule' }] },
    status: {
      addresses: [
        { type: 'Hostname', address: name },
        { type: 'InternalIP', address },
      ],
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: created }],
      volumesInUse: ['kubernetes.io/csi/disk.example^h1', 'kubernetes.io/csi/disk.example^h9'],
    },
  });

const block = object('main', {
  metadata: { name: 'main', uid: 'uid-main', resourceVersion: '7', generation: 3, creationTimestamp: created },
  spec: { config: 'main', deadlineSeconds: 60, ignorePdb: false, profile: '1.29', unmatched: ['10.0.0.0/31'] },
});

const volume = (name: string, handle: string, claim: string, phase = 'Bound') =>
  object(name, {
    spec: { csi: { driver: 'disk.example', volumeHandle: handle }, claimRef: { namespace: 'shop', name: claim } },
    status: { phase },
  });

const content: Readonly<Record<string, readonly object[]>> = {
  maintenanceblocks: [block],
  nodes: [node('in', '10.0.0.1'), node('out', '10.0.0.2')],
  pods: [
    pod('app', 'in', { volumes: [{ name: 'a', persistentVolumeClaim: { claimName: 'data' } }] }),
    pod('elsewhere', 'out'),
    pod('waiting', ''),
  ],
  poddisruptionbudgets: [
    object('app', {
      metadata: { name: 'app', namespace: 'shop', uid: 'b', generation: 2, resourceVersion: '5' },
      spec: { selector: {}, minAvailable: 1 },
      status: {
        observedGeneration: 2,
        disruptionsAllowed: 0,
        currentHealthy: 1,
        desiredHealthy: 1,
        expectedPods: 1,
        disruptedPods: { x: created },
        conditions: [{ type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods', message: '' }],
      },
    }),
    object('other', { metadata: { name: 'other', namespace: 'other', uid: 'c', resourceVersion: '6' }, spec: {} }),
  ],
  priorityclasses: [object('high', { value: 1000 })],
  csidrivers: [object('disk.example', {})],
  csinodes: [object('in', { spec: { drivers: [{ name: 'disk.example' }] } })],
  namespaces: [
    { ...object('shop', {}), metadata: { ...object('shop', {}).metadata, deletionTimestamp: created } },
    object('other', {}),
  ],
  persistentvolumes: [
    volume('pv-1', 'h1', 'data'),
    volume('pv-old', 'h9', 'data', 'Released'),
    object('local', { spec: { local: { path: '/x' } } }),
  ],
};

async function open(
  missing: readonly string[] = [],
  other: Readonly<Record<string, readonly object[]>> = {},
): Promise<OpenWorld> {
  server = await startScripted(({ url }, answer) => {
    const plural = url.pathname.split('/').at(-1) ?? '';
    if (missing.includes(plural)) json(answer, { message: 'no' }, 403);
    else json(answer, { metadata: { resourceVersion: '99' }, items: other[plural] ?? content[plural] ?? [] });
  });
  const world = openWorld({
    client: server.client,
    pageSize: 100,
    namespace: 'quiesce-system',
    random: () => 0,
    onChange: () => undefined,
    onState: () => undefined,
  });
  await world.readOnce();
  return world;
}

function recollection(): Recollection {
  const answered = { answer: { kind: 'misconfigured' }, at, attempts: 1 } as const;
  const refused = { status: 409, text: '', at, attempts: 1 };
  return {
    answers: new Map([
      ['uid-app', answered],
      ['uid-of-one-that-is-gone', answered],
    ]),
    refusals: new Map([
      ['in', refused],
      ['gone', refused],
    ]),
    held: new Set(),
  };
}

it('the decider is told what matters of the cluster, and of pods only those on selected nodes', async () => {
  const { world, unread } = await open();
  const remembered = recollection();
  const asked: string[] = [];
  const observation = observeMaintenance({
    world,
    seen: observeNodes(world, unread()),
    asked: [],
    recollection: remembered,
    ownerOf: (namespace, { name }) => {
      asked.push(`${namespace}/${name}`);
      return undefined;
    },
  });
  expect(observation).toMatchObject({
    blocks: [{ name: 'main', uid: 'uid-main', generation: 3, spec: { nodes: [] } }],
    nodes: [
      { name: 'in', addresses: ['10.0.0.1'], csiDrivers: ['disk.example'], ready: { status: 'True', since: at } },
      { name: 'out' },
    ],
    pods: [{ name: 'app', node: 'in', createdAt: at, volumes: ['kubernetes.io/csi/disk.example^h1'] }],
    budgets: [
      { namespace: 'shop', name: 'app', generation: 2, minAvailable: 1, status: { reason: 'InsufficientPods' } },
    ],
    priorityClasses: { high: 1000 },
    csiDrivers: ['disk.example'],
    terminatingNamespaces: ['shop'],
    volumes: [
      {
        name: 'kubernetes.io/csi/disk.example^h1',
        persistentVolume: 'pv-1',
        claim: { namespace: 'shop', name: 'data' },
      },
      { name: 'kubernetes.io/csi/disk.example^h9', persistentVolume: 'pv-old' },
    ],
    unread: [],
  });
  expect(observation.nodes[1]).not.toHaveProperty('csiDrivers');
  expect(observation.pods[0]).not.toHaveProperty('priorityClassName');
  expect(JSON.parse(JSON.stringify(observation))).toEqual(observation);
  expect([...remembered.held]).toEqual(['in']);
});

it('what is gone is forgotten', async () => {
  const { world } = await open();
  const remembered = recollection();
  const options = {
    world,
    seen: observeNodes(world, []),
    asked: [],
    recollection: remembered,
    ownerOf: () => undefined,
  };
  expect(Object.keys(observeMaintenance(options).answers)).toEqual(['uid-app']);
  expect([...remembered.refusals.keys()]).toEqual(['in']);
});

it('of pods that something holds, controllers are asked for before anybody asks the pods to go', async () => {
  const owner = { apiVersion: 'batch/v1', kind: 'Job', name: 'night', uid: 'uid-night', controller: true };
  const owned = (name: string, finalizers: readonly string[]) => {
    const plain = pod(name, 'in');
    return { ...plain, metadata: { ...plain.metadata, ownerReferences: [owner], finalizers } };
  };
  const { world } = await open([], { pods: [owned('held', ['example.com/hold']), owned('free', [])] });
  const asked: string[] = [];
  const ownerOf = (namespace: string, { name }: { readonly name: string }) => {
    asked.push(`${namespace}/${name}`);
    return undefined;
  };
  observeMaintenance({ world, seen: observeNodes(world, []), asked: [], recollection: recollection(), ownerOf });
  expect(asked).toEqual(['shop/night']);
});

it('what cannot be read is named', async () => {
  const { world, unread } = await open(['poddisruptionbudgets', 'csinodes']);
  const remembered = recollection();
  const observation = observeMaintenance({
    world,
    seen: observeNodes(world, unread()),
    asked: [],
    recollection: remembered,
    ownerOf: () => undefined,
  });
  expect(observation.unread).toEqual(['PodDisruptionBudget', 'CSINode']);
});

it.each<
  [what: string, pod: { readonly spec?: object; readonly [field: string]: unknown }, expected: object | undefined]
>([
  ['a pod without a node', { spec: {} }, undefined],
  ['a mirror', { annotations: { 'kubernetes.io/config.mirror': 'x' } }, { mirror: true }],
  ['one that goes', { deletionTimestamp: created, deletionGracePeriodSeconds: 7 }, { deletionAt: at, graceSeconds: 7 }],
  [
    'one that stays',
    { spec: { nodeName: 'n', terminationGracePeriodSeconds: 0 } },
    { deletionAt: undefined, graceSeconds: 0 },
  ],
  [
    'a plug-in',
    { spec: { nodeName: 'n', volumes: [{ name: 'r', hostPath: { path: '/var/lib/kubelet/plugins_registry/' } }] } },
    { registersPlugins: true },
  ],
  [
    'generic ephemeral volumes',
    { spec: { nodeName: 'n', volumes: [{ name: 'scratch', ephemeral: {} }] } },
    { claims: ['p-scratch'] },
  ],
  [
    'its controller',
    {
      ownerReferences: [
        { apiVersion: 'v1', kind: 'X', name: 'x', uid: '1' },
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'r', uid: '2', controller: true, blockOwnerDeletion: true },
      ],
    },
    { owner: { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'r', uid: '2' } },
  ],
  [
    'an empty class',
    { spec: { nodeName: 'n', priorityClassName: '', priority: 0 } },
    { priorityClassName: undefined, priority: 0 },
  ],
  [
    'nothing said',
    {},
    { phase: 'Pending', ready: false, graceSeconds: 30, finalizers: [], tolerations: [], claims: [] },
  ],
])('of a pod: %s', (_, { spec = { nodeName: 'n' }, ...metadata }, expected) => {
  const raw = {
    metadata: { name: 'p', namespace: 's', uid: 'u', resourceVersion: '1', creationTimestamp: created, ...metadata },
    spec,
  };
  const slim = slimPod(raw, openPool());
  if (expected === undefined) expect(slim).toBeUndefined();
  else expect(slim).toMatchObject(expected);
});
