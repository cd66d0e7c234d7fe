import fc from 'fast-check';
import {
  plainTemplate,
  type Replaces,
  type SimulatedCluster,
  type SimulatedNode,
  type SimulatedPod,
  type Workload,
} from '../../../src/rehearsal/simulate/cluster.ts';
import type {
  BlockSpec,
  ObservedBlock,
  ObservedBudget,
  Taint,
  Toleration,
} from '../../../src/sidecar/maintenance/observation.ts';

export const start = Date.parse('2026-03-01T08:00:00Z');
export const key = 'baremetal.cluster.gke.io/maintenance';
export const bothTaints: readonly Taint[] = [
  { key, effect: 'NoSchedule' },
  { key, effect: 'NoExecute' },
];

/** What pods tolerate, by names that an oracle can go by without reading a toleration. */
const tolerationsOf = {
  nothing: [],
  everything: [{ operator: 'Exists' }],
  maintenance: [{ key, operator: 'Exists' }],
  scheduling: [{ operator: 'Exists', effect: 'NoSchedule' }],
  aWhile: [{ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 20 }],
} as const satisfies Record<string, readonly Toleration[]>;

type Profile = keyof typeof tolerationsOf;

export const priorityClasses = { low: 10, high: 1000, critical: 2_000_000_000 };

const seconds = (...values: number[]) => fc.constantFrom(...values);

const node = (index: number): fc.Arbitrary<SimulatedNode> =>
  fc.record({
    name: fc.constant(`n${index}`),
    uid: fc.constant(`node-${index}`),
    resourceVersion: fc.constant('0'),
    createdAt: fc.constant(start - 86_400_000),
    addresses: fc.constant([`10.0.0.${index}`]),
    taints: fc.subarray<Taint>([
      { key: 'example.com/gpu', value: 'yes', effect: 'PreferNoSchedule' },
      { key, value: 'theirs', effect: 'PreferNoSchedule' },
      { key, effect: 'NoSchedule' },
    ]),
    unschedulable: fc.nat(9).map((die) => die === 0),
    annotations: fc.constantFrom({}, {}, { [key]: 'theirs' }),
    ready: fc
      .nat(11)
      .map((die) => ({ status: die === 0 ? 'Unknown' : die === 1 ? 'False' : 'True', since: start - 1000 }) as const),
    volumesInUse: fc.constant([]),
    csiDrivers: fc.constantFrom<string[]>(['disk.example.com'], []),
    labels: fc.constant({}),
    allocatable: fc.constant({}),
    unmountSeconds: seconds(0, 5, 60),
  });

const replaces = {
  ReplicaSet: 'at-once',
  StatefulSet: 'by-name',
  DaemonSet: 'on-each-node',
  Job: 'once',
} as const satisfies Record<string, Replaces>;

const workload = (index: number): fc.Arbitrary<Workload> =>
  fc
    .record({
      kind: fc.constantFrom<keyof typeof replaces>('ReplicaSet', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job'),
      namespace: fc.constantFrom('a', 'b'),
      replicas: fc.integer({ min: 1, max: 4 }),
      profile: fc.constantFrom<Profile>(
        'nothing',
        'nothing',
        'nothing',
        'everything',
        'maintenance',
        'scheduling',
        'aWhile',
      ),
      priorityClassName: fc.constantFrom(undefined, undefined, 'low', 'high', 'critical', 'gone'),
      graceSeconds: seconds(0, 5, 30),
      startSeconds: seconds(0, 5, 40, Number.POSITIVE_INFINITY),
      stopSeconds: seconds(0, 1, 10, 10, 60, Number.POSITIVE_INFINITY),
      finalizers: fc.constantFrom<string[]>([], [], [], ['example.com/hold']),
      finalizerSeconds: seconds(5, Number.POSITIVE_INFINITY),
      hasOwnVolume: fc.boolean(),
      registersPlugins: fc.nat(5).map((die) => die === 0),
    })
    .map(({ kind, namespace, replicas, profile: any, priorityClassName, ...rest }) => {
      // Agents often tolerate that nothing is scheduled, and come back at once.
      const profile = kind === 'DaemonSet' && replicas > 2 ? 'scheduling' : any;
      return { kind, namespace, replicas, profile, priorityClassName, rest };
    })
    .map(({ kind, namespace, replicas, profile, priorityClassName, rest }) => ({
      apiVersion: kind === 'Job' ? 'batch/v1' : 'apps/v1',
      kind,
      namespace,
      name: `w${index}`,
      uid: `w${index}`,
      replaces: replaces[kind],
      replicas,
      scale: kind === 'DaemonSet' || kind === 'Job' ? 'none' : { uid: `w${index}`, replicas },
      template: {
        ...plainTemplate,
        ...rest,
        ...(priorityClassName !== undefined && { priorityClassName }),
        labels: { app: `w${index}`, profile, tier: index % 2 === 0 ? 'even' : 'odd' },
        tolerations: tolerationsOf[profile],
      },
    }));

const budget = (index: number): fc.Arbitrary<ObservedBudget> =>
  fc
    .record({
      namespace: fc.constantFrom('a', 'b'),
      selector: fc.constantFrom(
        undefined,
        {},
        { matchLabels: { app: 'w0' } },
        { matchLabels: { app: 'w1' } },
        { matchExpressions: [{ key: 'tier', operator: 'In', values: ['even'] }] },
      ),
      limit: fc.constantFrom<Partial<ObservedBudget>>(
        { maxUnavailable: 0 },
        { maxUnavailable: 1 },
        { maxUnavailable: 1 },
        { maxUnavailable: '50%' },
        { minAvailable: 1 },
        { minAvailable: '100%' },
      ),
      unhealthyPodEvictionPolicy: fc.constantFrom(undefined, 'AlwaysAllow', 'IfHealthyBudget'),
    })
    .map(({ namespace, selector, limit, unhealthyPodEvictionPolicy }) => ({
      namespace,
      name: `budget-${index}`,
      generation: 1,
      ...limit,
      ...(selector !== undefined && { selector }),
      ...(unhealthyPodEvictionPolicy !== undefined && { unhealthyPodEvictionPolicy }),
    }));

const single = (index: number, nodes: number): fc.Arbitrary<SimulatedPod> =>
  fc
    .record({
      what: fc.constantFrom('bare', 'mirror', 'finished'),
      on: fc.integer({ min: 1, max: nodes }),
      profile: fc.constantFrom<Profile>('nothing', 'everything', 'scheduling'),
    })
    .map(({ what, on, profile }) => ({
      template: plainTemplate,
      pod: {
        namespace: 'a',
        name: `${what}-${index}`,
        uid: `single-${index}`,
        node: `n${on}`,
        createdAt: start - 3_600_000,
        labels: { app: what, profile },
        phase: what === 'finished' ? 'Succeeded' : 'Running',
        ready: what !== 'finished',
        mirror: what === 'mirror',
        graceSeconds: 5,
        finalizers: [],
        tolerations: what === 'mirror' ? tolerationsOf.everything : tolerationsOf[profile],
        volumes: [],
        registersPlugins: false,
      },
    }));

export const blockSpec = (addresses: readonly number[], overrides: Partial<BlockSpec> = {}): BlockSpec => ({
  config: 'metal',
  nodes: addresses.map((index) => ({
    address: `10.0.0.${index}`,
    pool: 'general',
    role: 'worker',
    taints: bothTaints,
  })),
  deadlineSeconds: 600,
  ignorePdb: false,
  profile: '1.29',
  ...overrides,
});

const block = (name: string, nodes: number): fc.Arbitrary<ObservedBlock> =>
  fc
    .record({
      addresses: fc.subarray(
        Array.from({ length: nodes }, (_, index) => index + 1),
        { minLength: 1 },
      ),
      deadlineSeconds: seconds(20, 60, 300),
      ignorePdb: fc.nat(7).map((die) => die === 0),
      maxConcurrent: fc.constantFrom(0, 0, 1, 2),
      cordon: fc.boolean(),
    })
    .map(({ addresses, ...overrides }) => ({
      name,
      uid: `block-${name}`,
      generation: 1,
      spec: blockSpec(addresses, overrides),
    }));

export const randomCluster: fc.Arbitrary<SimulatedCluster> = fc.integer({ min: 2, max: 5 }).chain((size) =>
  fc.record({
    now: fc.constant(start),
    nodes: fc.tuple(...Array.from({ length: size }, (_, index) => node(index + 1))),
    workloads: listOf(workload, 1, 5),
    pods: listOf((index) => single(index, size), 0, 3),
    budgets: listOf(budget, 0, 3),
    blocks: fc.oneof(
      fc.tuple(block('metal', size)),
      fc.tuple(block('metal', size)),
      fc.tuple(block('metal', size), block('other', size)),
    ),
    priorityClasses: fc.constant(priorityClasses),
    csiDrivers: fc.constant(['disk.example.com']),
    owners: fc.constant([]),
    volumes: fc.constant([]),
    unread: fc.constant([]),
    terminatingNamespaces: fc.nat(14).map((die) => (die === 0 ? ['b'] : [])),
  }),
);

function listOf<T>(each: (index: number) => fc.Arbitrary<T>, min: number, max: number): fc.Arbitrary<T[]> {
  return fc
    .integer({ min, max })
    .chain((length) => fc.tuple(...Array.from({ length }, (_, index) => each(index))))
    .map((items) => [...items]);
}
