import { describe, expect, it } from 'vitest';
import { decideMaintenance } from '../../../src/sidecar/maintenance/decide.ts';
import {
  ago,
  answered,
  block,
  blockSpec,
  budget,
  changes,
  daemonSet,
  decided,
  draining,
  evicted,
  instant,
  key,
  maintained,
  node,
  now,
  observed,
  pod,
  shownNodes,
} from './observed.ts';

const allowing = (count: number) => budget('web', { disruptionsAllowed: count });
const noExecute = { key, effect: 'NoExecute' } as const;
const bothOurs = { annotations: { 'quiesce.dev/maintenance-owns': `${key}:NoSchedule,${key}:NoExecute` } };
const web = ['p', 'q', 'r'].map((name) => pod(name));

describe('who is evicted', () => {
  it('with the UID that was seen, and no more than that', () => {
    const [eviction] = decided({ pods: [pod('p')] }).actions;
    expect(eviction).toEqual({ kind: 'evict', namespace: 'a', name: 'p', uid: 'uid-p', node: 'n1' });
  });

  it('as many as the budget allows', () => {
    expect(evicted({ pods: web, budgets: [allowing(2)] })).toEqual(['p', 'q']);
  });

  it('fewer, while one that was let go is still seen', () => {
    const answers = { 'uid-p': answered({ kind: 'evicted' }, 1) };
    expect(evicted({ pods: web, budgets: [allowing(2)], answers })).toEqual(['q']);
  });

  it('nobody, whose budget is seen to refuse', () =>
    expect(evicted({ pods: web, budgets: [budget('web', {})] })).toEqual([]));

  it('not before a pod is in its turn', () => {
    const pods = [
      pod('p', { deletionAt: now }),
      pod('agent', { owner: daemonSet }),
      pod('x', { priorityClassName: 'low' }),
    ];
    expect(evicted({ pods })).toEqual([]);
  });

  it.each([
    ['before the taint is there', { nodes: [{ ...draining('n1'), taints: [] }] }],
    ['while NoExecute of others is there', { nodes: [draining('n1', { taints: [noExecute] })] }],
    ['while NoExecute of ours is still there', { nodes: [draining('n1', { taints: [noExecute], ...bothOurs })] }],
    ['where budgets are ignored', { blocks: [block({ ignorePdb: true })] }],
    ['under 1.28', { blocks: [block({ profile: '1.28' })] }],
    ['on a node that has not begun', { nodes: [node('n1')] }],
    ['on a node that is in maintenance', { nodes: [maintained('n1')] }],
    ['on a node of no block', { blocks: [] }],
    ['past the deadline', { nodes: [draining('n1', {}, 600)] }],
    ['while budgets cannot be read', { unread: ['PodDisruptionBudget' as const] }],
  ] as const)('nobody %s', (_, differs) => expect(evicted({ pods: web, ...differs })).toEqual([]));

  it('also on a node that is not ready, or that nobody hears of: others can take over', () => {
    const silent = draining('n1', { ready: { status: 'Unknown', since: ago(600) } });
    expect(evicted({ nodes: [silent], pods: [pod('p')] })).toEqual(['p']);
  });

  it('where the applier taints, once it has', () => {
    const blocks = [block({ taintedBy: 'applier' })];
    const nodes = [draining('n1', { annotations: { 'quiesce.dev/maintenance-owns': '' } })];
    expect(evicted({ blocks, nodes, pods: [pod('p')] })).toEqual(['p']);
  });
});

describe('several nodes', () => {
  const blocks = [block({ ...blockSpec([1, 2, 3]) })];
  const nodes = [draining('n1', {}, 10), draining('n2', {}, 60), draining('n3', {}, 10)];
  const pods = ['n1', 'n2', 'n3'].flatMap((on) => [1, 2].map((index) => pod(`${on}-${index}`, { node: on })));

  it('take turns, the one that drains longest first', () => {
    expect(evicted({ blocks, nodes, pods })).toEqual(['n2-1', 'n1-1', 'n3-1', 'n2-2', 'n1-2', 'n3-2']);
  });

  it('share their budgets', () => {
    expect(evicted({ blocks, nodes, pods, budgets: [allowing(2)] })).toEqual(['n2-1', 'n1-1']);
  });

  it('are asked in rounds, when there are many pods', () => {
    const { actions, requeueAt } = decideMaintenance(now, observed({ blocks, nodes, pods }), { evictions: 3 });
    expect(actions.filter(({ kind }) => kind === 'evict')).toHaveLength(3);
    expect(requeueAt).toBe(now + 200);
  });

  const waiting = [node('n1'), node('n2', { ready: { status: 'False', since: now } }), node('n3')];
  it.each([
    [0, waiting, ['n1', 'n2', 'n3']],
    [1, waiting, ['n1']],
    [2, waiting, ['n1', 'n3']],
    [1, [draining('n1'), node('n2'), node('n3')], []],
    [2, [draining('n1'), node('n2'), node('n3')], ['n2']],
    [1, [draining('n1'), draining('n2'), node('n3')], []],
    [1, [maintained('n1', { taints: [{ key, effect: 'NoExecute' }] }), node('n2'), node('n3')], ['n2']],
  ])('with a limit of %i begin as there is room', (maxConcurrent, there, expected) => {
    const limited = [block({ ...blockSpec([1, 2, 3]), maxConcurrent })];
    const started = changes({ blocks: limited, nodes: there, pods: [pod('p'), pod('q', { node: 'n2' })] }).filter(
      ({ why }) => why === 'start',
    );
    expect(started.map((change) => change.node)).toEqual(expected);
  });
});

describe('a limit', () => {
  it('counts nodes that are drained for this block, not those that it shares with another', () => {
    const theirs = draining('n1', { annotations: { 'quiesce.dev/maintenance-block': 'other' } });
    const blocks = [block({ ...blockSpec([1, 2]), maxConcurrent: 1 }), block(blockSpec([1]), { name: 'other' })];
    const started = changes({ blocks, nodes: [theirs, node('n2')], pods: [pod('p')] });
    expect(started.map(({ why, node: name }) => [why, name])).toEqual([['start', 'n2']]);
  });
});

describe('pods that would be back at once', () => {
  const agent = pod('agent', { owner: daemonSet, tolerations: [{ operator: 'Exists', effect: 'NoSchedule' }] });

  it('are not waited for: NoExecute removes them', () => {
    expect(changes({ pods: [agent] })).toMatchObject([{ why: 'enter' }]);
  });

  it('are waited for where their budget would not let them go', () => {
    const refusing = budget('web', {});
    expect(changes({ pods: [agent], budgets: [refusing] })).toEqual([]);
    expect(shownNodes({ pods: [agent], budgets: [refusing] })[0]).toMatchObject({
      podsLeft: 1,
      blockers: [
        {
          code: 'pdb-budget',
          message: 'a/agent waits for PodDisruptionBudget "web": it needs 3 healthy pods and has 3.',
        },
      ],
    });
  });

  it('all go or none, within one budget', () => {
    const two = [agent, { ...agent, name: 'agent-2', uid: 'uid-agent-2' }];
    expect(changes({ pods: two, budgets: [allowing(1)] })).toEqual([]);
    expect(shownNodes({ pods: two, budgets: [allowing(1)] })[0]?.blockers?.map(({ message }) => message)).toEqual([
      'a/agent would be removed together with others, and PodDisruptionBudget "web" lets only 1 go at once.',
      'a/agent-2 would be removed together with others, and PodDisruptionBudget "web" lets only 1 go at once.',
    ]);
    expect(changes({ pods: two, budgets: [allowing(2)] })).toMatchObject([{ why: 'enter' }]);
  });

  it('go at the deadline, whatever their budget', () => {
    const nodes = [draining('n1', {}, 600)];
    expect(changes({ nodes, pods: [agent], budgets: [budget('web', {})] })).toMatchObject([{ why: 'enter' }]);
  });
});

describe('a drain by taint', () => {
  const blocks = [block({ ignorePdb: true })];
  const both = draining('n1', {
    taints: [{ key, effect: 'NoExecute' }],
    annotations: { 'quiesce.dev/maintenance-owns': `${key}:NoSchedule,${key}:NoExecute` },
  });

  it('is over when nobody is left who does not tolerate it', () => {
    const staying = pod('p', { tolerations: [{ operator: 'Exists' }] });
    expect(changes({ blocks, nodes: [both], pods: [staying] })).toMatchObject([{ why: 'enter' }]);
    expect(changes({ blocks, nodes: [both], pods: [pod('p', { deletionAt: now })] })).toEqual([]);
  });

  it('has no stages', () => {
    expect(shownNodes({ blocks, nodes: [both], pods: [pod('p')] })[0]).not.toHaveProperty('stage');
  });

  it('is what it is where somebody else’s NoExecute is on the node: nobody waits for those who come back', () => {
    const blocks = [block({ taintedBy: 'applier' })];
    const nodes = [draining('n1', { taints: [noExecute], annotations: { 'quiesce.dev/maintenance-owns': '' } })];
    expect(decided({ blocks, nodes, pods: [pod('p')] }).actions.map(({ kind }) => kind)).toEqual(['status']);
    const agent = pod('agent', { owner: daemonSet, tolerations: [{ operator: 'Exists', effect: 'NoSchedule' }] });
    expect(shownNodes({ blocks, nodes, pods: [agent] })[0]).toMatchObject({ podsLeft: 1 });
    expect(changes({ blocks, nodes, pods: [agent] })).toEqual([]);
  });

  it('knows what pods tolerate by the taints that are there, whatever their value', () => {
    const nodes = [
      draining('n1', {
        taints: [{ ...noExecute, value: 'theirs' }],
        annotations: { 'quiesce.dev/maintenance-owns': '' },
      }),
    ];
    const staying = pod('p', { tolerations: [{ key, value: 'theirs' }] });
    expect(changes({ blocks: [block({ ignorePdb: true })], nodes, pods: [staying] })).toMatchObject([{ why: 'enter' }]);
  });
});

describe('the deadline', () => {
  const at = (spec: { deadlineSeconds: number }, seconds: number) =>
    changes({ blocks: [block(spec)], nodes: [draining('n1', {}, seconds)], pods: [pod('p')] }).map(({ why }) => why);

  it.each([
    [{ deadlineSeconds: 600 }, 599, []],
    [{ deadlineSeconds: 600 }, 600, ['enter']],
    [{ deadlineSeconds: 1200 }, 700, []],
    [{ deadlineSeconds: 60 }, 61, ['enter']],
    [{ deadlineSeconds: 0 }, 0, ['enter']],
  ])('%j, %i seconds after the beginning: %j', (spec, seconds, expected) =>
    expect(at(spec, seconds)).toEqual(expected),
  );

  it('is not all that is waited for: an empty node settles, and what is in the way begins to stall', () => {
    expect(decided({ nodes: [draining('n1', {}, 1)] }).requeueAt).toBe(now + 1000);
    const volume = 'kubernetes.io/csi/disk.example.com^1';
    const blockers = [{ code: 'volume' as const, message: '', volume, since: instant(ago(50)) }];
    const status = { nodes: [{ address: '10.0.0.1', node: 'n1', phase: 'Draining' as const, blockers }] };
    const nodes = [draining('n1', { volumesInUse: [volume] })];
    expect(decided({ blocks: [block({}, { status })], nodes }).requeueAt).toBe(now + 10_000);
  });

  it('is what one waits for if nothing happens before', () => {
    const nodes = [draining('n1', {}, 599)];
    expect(decided({ nodes, pods: [pod('p', { deletionAt: ago(-100) })] }).requeueAt).toBe(now + 1000);
  });
});
