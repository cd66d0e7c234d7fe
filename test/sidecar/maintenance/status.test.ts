import { describe, expect, it } from 'vitest';
import { type CountedNode, countNodes } from '../../../src/sidecar/maintenance/counters.ts';
import type { Observation } from '../../../src/sidecar/maintenance/observation.ts';
import type { BlockStatus, Condition } from '../../../src/sidecar/maintenance/status.ts';
import {
  ago,
  block,
  blockSpec,
  budget,
  changes,
  daemonSet,
  decided,
  draining,
  instant,
  key,
  maintained,
  node,
  now,
  pod,
  shownNodes,
} from './observed.ts';

const noExecute = { key, effect: 'NoExecute' } as const;
const never = budget('web', {}, { maxUnavailable: 0 });

describe('the columns', () => {
  const counted = (
    phase: CountedNode['status']['phase'],
    ready: CountedNode['ready'],
    stalls = false,
    isThere = true,
  ): CountedNode => ({
    status: { address: '10.0.0.1', phase, ...(isThere && { node: 'n1' }) },
    ready,
    stalls,
  });
  it.each<[string, CountedNode, keyof BlockStatus]>([
    ['waiting for its turn', counted('Pending', 'True'), 'readyNodes'],
    ['waiting, and in the way of itself', counted('Pending', 'True', true), 'readyNodes'],
    ['waiting and not ready', counted('Pending', 'False'), 'stalledNodes'],
    ['waiting and silent', counted('Pending', 'Unknown'), 'unknownNodes'],
    ['not there', counted('Pending', 'Unknown', true, false), 'unknownNodes'],
    ['draining', counted('Draining', 'True'), 'reconcilingNodes'],
    ['draining and not ready', counted('Draining', 'False'), 'reconcilingNodes'],
    ['draining and stuck', counted('Draining', 'True', true), 'stalledNodes'],
    ['draining and silent', counted('Draining', 'Unknown', true), 'unknownNodes'],
    ['in maintenance', counted('InMaintenance', 'True'), 'underMaintenanceNodes'],
    ['in maintenance and switched off', counted('InMaintenance', 'Unknown', true), 'underMaintenanceNodes'],
    ['leaving', counted('Leaving', 'True'), 'reconcilingNodes'],
    ['leaving, and it does not work', counted('Leaving', 'True', true), 'stalledNodes'],
  ])('%s: %s', (_, each, column) => {
    const counters = countNodes([each]);
    expect(Object.entries(counters).filter(([, count]) => count > 0)).toEqual([[column, 1]]);
  });
});

describe('what is shown of a node', () => {
  it('that waits', () => {
    expect(shownNodes({ nodes: [node('n1')] })).toEqual([
      { address: '10.0.0.1', node: 'n1', phase: 'Pending', since: instant(now) },
    ]);
  });

  it('that drains', () => {
    expect(
      shownNodes({ pods: [pod('p'), pod('q', { priorityClassName: 'low' }), pod('r', { mirror: true })] }),
    ).toEqual([
      {
        address: '10.0.0.1',
        node: 'n1',
        phase: 'Draining',
        stage: 1,
        podsLeft: 2,
        since: instant(ago(60)),
        drainStarted: instant(ago(60)),
        deadline: instant(now + 540_000),
      },
    ]);
  });

  it('that is in maintenance by its deadline', () => {
    const overran = maintained('n1', { annotations: { 'quiesce.dev/maintenance-entered-by': 'deadline' } });
    expect(shownNodes({ nodes: [overran], pods: [pod('p')] })).toMatchObject([
      { phase: 'InMaintenance', podsLeft: 1, since: instant(ago(30)), overran: true },
    ]);
  });

  it('that is in maintenance, with those who only tolerate that nothing is scheduled', () => {
    const agent = pod('agent', { owner: daemonSet, tolerations: [{ operator: 'Exists', effect: 'NoSchedule' }] });
    expect(shownNodes({ nodes: [maintained('n1')], pods: [agent] })[0]?.podsLeft).toBe(1);
  });

  it('that leaves, but not beside another one of its address', () => {
    const old = maintained('n8', { addresses: ['10.0.0.1'], createdAt: 0 });
    expect(
      shownNodes({ nodes: [draining('n1'), old], pods: [pod('p')] }).map(({ node: name, phase }) => [name, phase]),
    ).toEqual([['n1', 'Draining']]);
    expect(
      changes({ nodes: [draining('n1'), old], pods: [pod('p')] }).map(({ why, node: name }) => [why, name]),
    ).toEqual([['leave', 'n8']]);
  });

  it('that leaves, by the block that had it', () => {
    const status: BlockStatus = {
      nodes: [{ address: '10.0.0.1', node: 'n1', phase: 'Leaving', since: instant(ago(5)) }],
    };
    const blocks = [block({ nodes: [] }, { status }), block({ nodes: [] }, { name: 'other' })];
    const { statuses } = decided({ blocks, nodes: [maintained('n1')] });
    expect(
      statuses.map(({ block: name, status: { nodes, reconcilingNodes } }) => [name, nodes, reconcilingNodes]),
    ).toEqual([
      ['metal', [{ address: '10.0.0.1', node: 'n1', phase: 'Leaving', since: instant(ago(5)) }], 1],
      ['other', [], 0],
    ]);
  });

  it('in both of two blocks', () => {
    const { statuses } = decided({ blocks: [block(), block({}, { name: 'other' })], pods: [pod('p')] });
    expect(statuses.map(({ status }) => status.nodes?.map(({ phase }) => phase))).toEqual([['Draining'], ['Draining']]);
  });
});

describe('a status does not outgrow its resource', () => {
  const many = (count: number, on: string) =>
    Array.from({ length: count }, (_, index) => pod(`p${on}-${index}`, { node: on }));

  it('with fifty blockers of a node, while all of its pods are counted', () => {
    expect(
      shownNodes({ pods: many(80, 'n1'), budgets: [never] }).map(({ podsLeft, blockers }) => [
        podsLeft,
        blockers?.length,
      ]),
    ).toEqual([[80, 50]]);
  });

  it('with fewer each, when many nodes have some', () => {
    const numbers = Array.from({ length: 100 }, (_, index) => index + 1);
    const nodes = numbers.map((index) => draining(`n${index}`));
    const pods = nodes.flatMap(({ name }) => many(9, name));
    const shown = shownNodes({ blocks: [block({ ...blockSpec(numbers) })], nodes, pods, budgets: [never] });
    expect(new Set(shown.map(({ blockers }) => blockers?.length))).toEqual(new Set([5]));
  });
});

describe('conditions', () => {
  const conditions = (differs: Partial<Observation>) =>
    decided(differs).statuses[0]?.status.conditions?.map(
      ({ type, status, reason, message }) => `${type} ${status} ${reason}: ${message}`,
    );

  it.each<[string, Partial<Observation>, readonly string[]]>([
    [
      'with nothing selected',
      { blocks: [block({ nodes: [] })], nodes: [] },
      [
        'Ready True NothingSelected: No node is selected.',
        'Reconciling False AtRest: No node is on its way.',
        'Stalled False NothingPermanent: Waiting may help.',
      ],
    ],
    [
      'while a node waits',
      { nodes: [node('n1')] },
      [
        'Ready False Waiting: 0 of 1 node in maintenance.',
        'Reconciling False AtRest: No node is on its way.',
        'Stalled False NothingPermanent: Waiting may help.',
      ],
    ],
    [
      'while a node drains',
      { pods: [pod('p')] },
      [
        'Ready False OnTheirWay: 0 of 1 node in maintenance.',
        'Reconciling True OnTheirWay: 1 node on the way.',
        'Stalled False NothingPermanent: Waiting may help.',
      ],
    ],
    [
      'while it cannot end',
      { pods: [pod('p'), pod('q')], budgets: [never] },
      [
        'Ready False OnTheirWay: 0 of 1 node in maintenance.',
        'Reconciling True OnTheirWay: 1 node on the way.',
        'Stalled True PdbNever: PodDisruptionBudget "web" never lets a/p go: of 4 pods 3 have to be healthy. And 1 more.',
      ],
    ],
    [
      'when all are in maintenance',
      { nodes: [maintained('n1', { taints: [noExecute] })] },
      [
        'Ready True InMaintenance: 1 of 1 node in maintenance.',
        'Reconciling False AtRest: No node is on its way.',
        'Stalled False NothingPermanent: Waiting may help.',
      ],
    ],
  ])('%s', (_, differs, expected) => expect(conditions(differs)).toEqual(expected));

  it('keep the time of their last change', () => {
    const ready = (status: Condition['status']) => {
      const condition: Condition = {
        type: 'Ready',
        status,
        lastTransitionTime: instant(ago(900)),
        reason: 'Old',
        message: '',
      };
      return decided({ blocks: [block({}, { status: { conditions: [condition] } })] }).statuses[0]?.status
        .conditions?.[0];
    };
    expect([ready('False'), ready('True')].map((condition) => condition?.lastTransitionTime)).toEqual([
      instant(ago(900)),
      instant(now),
    ]);
  });
});
