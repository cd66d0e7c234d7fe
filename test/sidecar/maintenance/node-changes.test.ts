import { describe, expect, it } from 'vitest';
import { nodeAnnotations } from '../../../src/sidecar/maintenance/record.ts';
import { block, bothTaints, changes, draining, instant, key, maintained, node, now, pod } from './observed.ts';

const [noSchedule, noExecute] = [
  { key, effect: 'NoSchedule' },
  { key, effect: 'NoExecute' },
] as const;
const theirs = { key: 'example.com/disk', value: 'slow', effect: 'NoSchedule' } as const;

describe('a drain begins', () => {
  it('with one patch: the taint, and the annotations that make it ours', () => {
    expect(changes({ nodes: [node('n1', { taints: [theirs] })] })).toEqual([
      {
        kind: 'node',
        node: 'n1',
        uid: 'uid-n1',
        resourceVersion: '7',
        why: 'start',
        block: 'metal',
        addTaints: [noSchedule],
        removeTaints: [],
        taints: [theirs, noSchedule],
        annotations: {
          'quiesce.dev/maintenance-block': 'metal',
          'quiesce.dev/maintenance-owns': `${key}:NoSchedule`,
          'quiesce.dev/maintenance-node-uid': 'uid-n1',
          'quiesce.dev/maintenance-drain-started': instant(now),
        },
        events: [
          {
            type: 'Normal',
            reason: 'MaintenanceStarted',
            action: 'Maintenance',
            regarding: { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'uid-n1' },
            related: { apiVersion: 'quiesce.dev/v1alpha1', kind: 'MaintenanceBlock', name: 'metal' },
            note: 'MaintenanceBlock metal selects this node: its pods are to leave.',
          },
        ],
      },
    ]);
  });

  it.each([
    ['with both taints where budgets are ignored', { ignorePdb: true }, bothTaints, undefined],
    ['with both taints under 1.28', { profile: '1.28' }, bothTaints, undefined],
    ['with a cordon where that is asked for', { cordon: true }, [noSchedule], true],
    ['without taints where the applier writes them', { taintedBy: 'applier' }, [], undefined],
  ] as const)('%s', (_, spec, addTaints, unschedulable) => {
    const [change] = changes({ blocks: [block(spec)], nodes: [node('n1')] });
    expect(change).toMatchObject({ why: 'start', addTaints });
    expect(change?.unschedulable).toBe(unschedulable);
  });

  it('and claims nothing that was there before', () => {
    const [change] = changes({
      blocks: [block({ cordon: true })],
      nodes: [node('n1', { taints: [noSchedule], unschedulable: true })],
    });
    expect(change).toMatchObject({ addTaints: [], annotations: { 'quiesce.dev/maintenance-owns': '' } });
    expect(change).not.toHaveProperty('taints');
    expect(change).not.toHaveProperty('unschedulable');
  });
});

describe('while a node drains', () => {
  it('nothing is written when all is as it should be', () => {
    expect(changes({ pods: [pod('p')] })).toEqual([]);
  });

  it.each([
    ['a taint of ours that somebody removed is put back', { taints: [] }, {}, { addTaints: [noSchedule] }],
    [
      'a cordon of ours that somebody lifted is put back',
      { annotations: { [nodeAnnotations.owns]: `${key}:NoSchedule,cordon` } },
      { cordon: true },
      { unschedulable: true },
    ],
    [
      'a cordon that is no longer asked for is lifted',
      { unschedulable: true, annotations: { [nodeAnnotations.owns]: `${key}:NoSchedule,cordon` } },
      {},
      { unschedulable: false },
    ],
    ['a cordon of others stays', { unschedulable: true }, { cordon: true }, undefined],
    ['NoExecute comes when budgets are to be ignored after all', {}, { ignorePdb: true }, { addTaints: [noExecute] }],
  ] as const)('%s', (_, differs, spec, expected) => {
    const { taints, ...rest } = { ...draining('n1'), ...('taints' in differs ? { taints: differs.taints } : {}) };
    const there = { ...rest, taints, ...('unschedulable' in differs ? { unschedulable: true } : {}) };
    const annotations = { ...there.annotations, ...('annotations' in differs ? differs.annotations : {}) };
    const [change, ...others] = changes({
      blocks: [block(spec)],
      nodes: [{ ...there, annotations }],
      pods: [pod('p')],
    });
    expect(others).toEqual([]);
    if (expected === undefined) expect(change).toBeUndefined();
    else expect(change).toMatchObject({ why: 'correct', ...expected });
  });

  it('NoExecute of ours goes when budgets count again', () => {
    const both = draining('n1', {
      taints: [noExecute],
      annotations: { [nodeAnnotations.owns]: `${key}:NoSchedule,${key}:NoExecute` },
    });
    expect(changes({ nodes: [both], pods: [pod('p')] })).toMatchObject([
      { removeTaints: [noExecute], taints: [noSchedule] },
    ]);
  });

  it('another block takes over without a word', () => {
    const [change] = changes({ blocks: [block({}, { name: 'other' })], pods: [pod('p')] });
    expect(change).toMatchObject({ annotations: { 'quiesce.dev/maintenance-block': 'other' }, events: [] });
  });
});

describe('a node enters maintenance', () => {
  it('with one patch: NoExecute, the mark of the source, and how it came to be', () => {
    expect(changes()).toMatchObject([
      {
        why: 'enter',
        addTaints: [noExecute],
        annotations: {
          [key]: 'true',
          'quiesce.dev/maintenance-owns': `${key}:NoSchedule,${key}:NoExecute,mark`,
          'quiesce.dev/maintenance-entered': instant(now),
          'quiesce.dev/maintenance-entered-by': 'drained',
        },
        events: [{ reason: 'InMaintenance', note: 'The node is drained and in maintenance.' }],
      },
    ]);
  });

  it('and leaves the mark of others alone', () => {
    const [change] = changes({ nodes: [draining('n1', { annotations: { [key]: 'theirs' } })] });
    expect(change?.annotations).not.toHaveProperty([key]);
    expect(change?.annotations['quiesce.dev/maintenance-owns']).toBe(`${key}:NoSchedule,${key}:NoExecute`);
  });

  it('at the deadline, whatever is left', () => {
    const [change] = changes({ pods: [pod('p')], nodes: [draining('n1', {}, 600)] });
    expect(change).toMatchObject({
      why: 'enter',
      annotations: { 'quiesce.dev/maintenance-entered-by': 'deadline' },
      events: [
        {
          type: 'Warning',
          note: 'The deadline of 600 s has passed: the node is in maintenance, and what does not tolerate that is removed.',
        },
      ],
    });
  });

  it('drained, also when that is seen after the deadline', () => {
    expect(changes({ nodes: [draining('n1', {}, 6000)] })).toMatchObject([
      { annotations: { 'quiesce.dev/maintenance-entered-by': 'drained' } },
    ]);
  });

  it('not before it is known that nothing was just being put there', () => {
    expect(changes({ nodes: [draining('n1', {}, 1)] })).toEqual([]);
    expect(changes({ nodes: [draining('n1', {}, 2)] })).toHaveLength(1);
  });

  it.each(['Pod', 'PodDisruptionBudget', 'PriorityClass', 'CSINode', 'CSIDriver'] as const)(
    'not while %s cannot be read',
    (kind) => {
      expect(changes({ unread: [kind] })).toEqual([]);
    },
  );

  it.each(['Namespace', 'Owner', 'Volume'] as const)('also while %s cannot be read', (kind) => {
    expect(changes({ unread: [kind] })).toHaveLength(1);
  });

  it('not while the applier has not tainted it', () => {
    const untainted = { ...draining('n1', { annotations: { [nodeAnnotations.owns]: '' } }), taints: [] };
    expect(changes({ blocks: [block({ taintedBy: 'applier' })], nodes: [untainted] })).toEqual([]);
  });
});

describe('a node in maintenance', () => {
  const entered = maintained('n1', { taints: [noExecute] });

  it('is left as it is', () => expect(changes({ nodes: [entered] })).toEqual([]));

  it('gets back what is missing, and does not begin anew', () => {
    expect(changes({ nodes: [{ ...entered, taints: [theirs] }] })).toMatchObject([
      { why: 'correct', addTaints: bothTaints, taints: [theirs, ...bothTaints], annotations: {} },
    ]);
  });

  it('stays in it whatever becomes of the deadline', () => {
    expect(changes({ blocks: [block({ deadlineSeconds: 999_999 })], nodes: [entered], pods: [pod('late')] })).toEqual(
      [],
    );
  });
});
