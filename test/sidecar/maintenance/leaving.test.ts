import { describe, expect, it } from 'vitest';
import { nodeAnnotations, recordOf } from '../../../src/sidecar/maintenance/record.ts';
import { ago, block, bothTaints, changes, draining, instant, key, maintained, node, now, pod } from './observed.ts';

const [noSchedule, noExecute] = [
  { key, effect: 'NoSchedule' },
  { key, effect: 'NoExecute' },
] as const;
const theirs = { key: 'example.com/disk', value: 'slow', effect: 'NoSchedule' } as const;

describe('a node leaves', () => {
  const own = { annotations: { [nodeAnnotations.owns]: `${key}:NoSchedule,${key}:NoExecute,cordon,mark` } };

  it('with one patch that takes back what is ours and nothing else', () => {
    const entered = maintained('n1', { taints: [theirs, noExecute], unschedulable: true, ...own });
    expect(changes({ blocks: [], nodes: [entered] })).toMatchObject([
      {
        why: 'leave',
        removeTaints: bothTaints,
        taints: [theirs],
        unschedulable: false,
        annotations: {
          [key]: null,
          'quiesce.dev/maintenance-block': null,
          'quiesce.dev/maintenance-owns': null,
          'quiesce.dev/maintenance-node-uid': null,
          'quiesce.dev/maintenance-drain-started': null,
          'quiesce.dev/maintenance-entered': null,
          'quiesce.dev/maintenance-entered-by': null,
        },
        events: [{ type: 'Normal', note: 'The node is out of maintenance.' }],
      },
    ]);
  });

  it('with taint, cordon and mark of others in place, and says so', () => {
    const entered = maintained('n1', {
      taints: [noExecute],
      unschedulable: true,
      annotations: { [nodeAnnotations.owns]: `${key}:NoExecute`, [key]: 'theirs' },
    });
    const [change] = changes({ blocks: [block({ nodes: [] })], nodes: [entered] });
    expect(change).toMatchObject({ taints: [noSchedule], removeTaints: [noExecute] });
    expect(change).not.toHaveProperty('unschedulable');
    expect(change?.annotations).not.toHaveProperty([key]);
    expect(change?.events[0]).toMatchObject({
      type: 'Warning',
      note: `The node is out of maintenance. ${key}:NoSchedule stays: it was not added by us.`,
    });
  });

  it('also when somebody has already taken away what was ours', () => {
    const [change] = changes({
      blocks: [],
      nodes: [node('n1', { annotations: { ...maintained('n1').annotations, ...own.annotations } })],
    });
    expect(change).toMatchObject({ why: 'leave', removeTaints: [] });
    expect(change).not.toHaveProperty('taints');
    expect(change).not.toHaveProperty('unschedulable');
  });

  it.each(['MaintenanceBlock', 'ClusterShutdown', 'Node'] as const)('never because %s could not be read', (kind) => {
    expect(changes({ blocks: [], nodes: [maintained('n1')], unread: [kind] })).toEqual([]);
  });
});

describe('what a node says of itself', () => {
  const other = { annotations: { [nodeAnnotations.uid]: 'uid-of-before' } };

  it('does not count on a Node that was made anew: its drain begins now', () => {
    const [change] = changes({ nodes: [draining('n1', other, 6000)], pods: [pod('p')] });
    expect(change).toMatchObject({
      why: 'restart',
      annotations: {
        'quiesce.dev/maintenance-node-uid': 'uid-n1',
        'quiesce.dev/maintenance-drain-started': instant(now),
      },
    });
  });

  it('does not count even if it says that it is in maintenance; what is ours stays ours', () => {
    const copied = maintained('n1', { taints: [noExecute], ...other });
    const [change] = changes({ nodes: [copied], pods: [pod('p')] });
    expect(change).toMatchObject({ why: 'restart', removeTaints: [noExecute], annotations: { [key]: null } });
  });

  it('is not believed when it began in the future: the clock went back', () => {
    const [change] = changes({ nodes: [draining('n1', {}, -3600)], pods: [pod('p')] });
    expect(change?.annotations).toEqual({ 'quiesce.dev/maintenance-drain-started': instant(now) });
    expect(changes({ nodes: [draining('n1', {}, -30)], pods: [pod('p')] })).toEqual([]);
  });

  it.each([
    ['nothing', {}, undefined],
    ['others’ annotations', { [key]: 'true' }, undefined],
    [
      'what nobody can read',
      { [nodeAnnotations.owns]: 'a,b:c,:NoSchedule,x:NoExecute', [nodeAnnotations.drainStarted]: 'soon' },
      { taints: [{ key: 'x', effect: 'NoExecute' }], cordon: false, mark: false },
    ],
  ])('%s', (_, annotations, expected) => expect(recordOf({ annotations })).toEqual(expected));
});

describe('a node that could not be written', () => {
  it('is left alone for a while', () => {
    const refusals = { n1: { status: 403, text: 'no', at: ago(1), attempts: 1 } };
    expect(changes({ nodes: [node('n1')], refusals })).toEqual([]);
    expect(changes({ nodes: [node('n1')], refusals }, now + 1000)).toHaveLength(1);
  });
});
