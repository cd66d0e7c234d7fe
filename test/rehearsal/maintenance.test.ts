import { describe, expect, it } from 'vitest';
import { type AskedBlock, rehearseMaintenance } from '../../src/rehearsal/maintenance/rehearse.ts';
import type { NodeRehearsal, Nowhere } from '../../src/rehearsal/rehearsal.ts';
import type { Snapshot, SnapshotPod } from '../../src/rehearsal/snapshot.ts';
import { nodeAnnotations } from '../../src/sidecar/maintenance/record.ts';
import { asking, block, budget, controller, key, node, pod, podsOf, snapshot, takenAt } from './sample.ts';

const web = controller('ReplicaSet', 'web', 3);
const db = controller('StatefulSet', 'db', 3);
const agent = controller('DaemonSet', 'agent', 0);

function rehearsed(differs: Partial<Snapshot>, after: AskedBlock = block([1]), before = block([])) {
  return rehearseMaintenance(snapshot(differs), [before], [after]).blocks.flatMap(({ nodes }) => nodes);
}

function first(differs: Partial<Snapshot>, after: AskedBlock = block([1])): NodeRehearsal {
  const [found] = rehearsed(differs, after);
  if (found === undefined) throw new Error('nothing was rehearsed');
  return found;
}

function movedNames({ moves }: NodeRehearsal): string[] {
  return moves.map(({ name }) => name);
}

describe('pods that move', () => {
  it('go in five stages: without a class, of DaemonSets, by their class from low to high, CSI drivers last', () => {
    const pods = [
      pod('driver', 1, { registersPlugins: true }),
      pod('high', 1, { priorityClassName: 'high' }),
      pod('low', 1, { priorityClassName: 'low' }),
      ...podsOf(agent, [1]),
      pod('plain', 1),
    ];
    const { moves } = first({ pods, controllers: [agent] });
    expect(moves.map(({ name, stage }) => [name, stage])).toEqual([
      ['plain', 1],
      ['agent-0', 2],
      ['low', 3],
      ['high', 3],
      ['driver', 5],
    ]);
    const asked = moves.map(({ evicted }) => evicted.to ?? Number.NaN);
    expect(asked).toEqual([...asked].sort((a, b) => a - b));
  });

  it('take up to their grace period, and the node is in maintenance after the last', () => {
    const { moves, reached, by } = first({ pods: [pod('slow', 1, { graceSeconds: 90 })] });
    expect(moves).toEqual([
      { namespace: 'shop', name: 'slow', stage: 1, evicted: { from: 0, to: 1 }, gone: { from: 1, to: 93 } },
    ]);
    expect(by).toBe('drained');
    expect(reached).toEqual({ from: 2, to: 93 });
  });

  it('are replaced elsewhere, and the budget lets one go at a time', () => {
    const pods = podsOf(web, [1, 1, 1]);
    const { moves, by } = first({ pods, controllers: [web], budgets: [budget('web', { maxUnavailable: 1 })] });
    expect(movedNames({ moves } as NodeRehearsal).sort()).toEqual(['web-0', 'web-1', 'web-2']);
    expect(by).toBe('drained');
    // Each waits for the one before to be ready elsewhere: five seconds at least.
    expect(moves.map(({ evicted }) => (evicted.from ?? 0) >= 0 && evicted.from)).toEqual([0, 5, 10]);
  });

  it('come back by name in order, where a StatefulSet has them', () => {
    const pods = podsOf(db, [1, 1, 2]);
    const { moves } = first({ pods, controllers: [db], budgets: [budget('db', { maxUnavailable: 1 })] });
    expect(movedNames({ moves } as NodeRehearsal)).toEqual(['db-0', 'db-1']);
  });

  it('are nobody who tolerates maintenance, is finished or is the kubelet’s own', () => {
    const pods = [
      pod('tolerant', 1, { tolerations: [{ operator: 'Exists' }] }),
      pod('finished', 1, { phase: 'Succeeded', ready: false }),
      pod('static', 1, { mirror: true, tolerations: [{ operator: 'Exists' }] }),
    ];
    expect(first({ pods })).toMatchObject({ moves: [], removed: [], untouched: 2, by: 'drained' });
  });
});

describe('pods that tolerate NoExecute for a while', () => {
  it('are removed after that, and what comes in their place may stay as long', () => {
    const tolerations = [{ key, operator: 'Exists', tolerationSeconds: 200 }];
    const pods = podsOf(agent, [1], { tolerations, graceSeconds: 0 });
    const { removed } = first({ pods, controllers: [agent] }, block([1], { ignorePdb: true, deadlineSeconds: 120 }));
    expect(removed.map(({ isNew = false, at }) => [isNew, at.from])).toEqual([
      [false, 200],
      [true, 400],
    ]);
  });
});

describe('what is in the way', () => {
  it('is named for ever where a budget never lets go, and the rest is removed at the deadline', () => {
    const pods = podsOf(web, [1, 2, 3]);
    const { blockers, removed, by, reached } = first({
      pods,
      controllers: [web],
      budgets: [budget('web', { maxUnavailable: 0 })],
    });
    expect(blockers).toMatchObject([
      { code: 'pdb-never', forEver: true, lasts: { to: null }, pod: { name: 'web-0' }, pdb: { name: 'web' } },
    ]);
    expect(removed).toMatchObject([
      { name: 'web-0', why: 'deadline', certain: true, at: { from: 1200 }, pastBudget: 'web' },
    ]);
    expect([by, reached?.from]).toEqual(['deadline', 1200]);
  });

  it('is two budgets on one pod, which the eviction API refuses for ever', () => {
    const budgets = [budget('web', { maxUnavailable: 1 }), { ...budget('all', { maxUnavailable: 1 }), selector: {} }];
    const { blockers } = first({ pods: podsOf(web, [1, 2, 3]), controllers: [web], budgets });
    expect(blockers).toMatchObject([{ code: 'pdb-several', forEver: true }]);
  });

  it('is a budget that waits for another pod to be ready, for as long as it waits', () => {
    const pods = podsOf(web, [1, 1, 1], { startedInSeconds: 60 });
    const { blockers } = first({ pods, controllers: [web], budgets: [budget('web', { minAvailable: 2 })] });
    const waits = blockers.map(({ code, forEver, pod: about, lasts }) => [
      code,
      forEver,
      about?.name,
      lasts.to !== null,
    ]);
    expect(waits).toEqual([
      ['pdb-budget', false, 'web-2', true],
      ['pdb-budget', false, 'web-1', true],
    ]);
  });

  it('is a finalizer whose controller is gone', () => {
    const pods = podsOf(web, [1], { finalizers: ['example.com/hold'] }).slice(0, 1);
    const { blockers, stuck } = first({ pods });
    expect(blockers).toMatchObject([{ code: 'finalizer', forEver: true, finalizer: 'example.com/hold' }]);
    expect(stuck).toEqual([{ namespace: 'shop', name: 'web-0' }]);
  });

  it('is told as well where the deadline is short', () => {
    const pods = podsOf(web, [1, 2, 3]);
    const differs = { pods, controllers: [web], budgets: [budget('web', { maxUnavailable: 0 })] };
    const { blockers } = first(differs, block([1], { deadlineSeconds: 4 }));
    expect(blockers).toMatchObject([{ code: 'pdb-never', forEver: true }]);
  });

  it('is nothing that passes within a minute', () => {
    const pods = podsOf(web, [1, 1, 1], { graceSeconds: 5, startedInSeconds: 2 });
    const { blockers } = first({ pods, controllers: [web], budgets: [budget('web', { maxUnavailable: 2 })] });
    expect(blockers).toEqual([]);
  });

  it('is a volume that is still mounted when the pods are gone', () => {
    const volumes = [
      {
        name: 'pv-1',
        claim: { namespace: 'shop', name: 'data' },
        inUseAs: 'kubernetes.io/csi/disk.example.com^1',
        reclaim: 'Delete' as const,
      },
    ];
    const nodes = [node(1, { volumesInUse: ['kubernetes.io/csi/disk.example.com^1'] }), node(2)];
    const { waits, reached } = first({ nodes, volumes, pods: [pod('a', 1, { claims: ['data'], graceSeconds: 1 })] });
    expect(waits).toMatchObject([{ what: 'volume', name: 'pv-1' }]);
    expect(reached?.to).toBeGreaterThanOrEqual(60);
  });
});

describe('pods with nowhere to go', () => {
  const nowhere = (differs: Partial<SnapshotPod>, nodes: Snapshot['nodes']) => {
    const one = controller('ReplicaSet', 'web', 1);
    return first({ nodes, pods: podsOf(one, [1], differs), controllers: [one] }).moves[0]?.nowhere;
  };
  const inMaintenance = { reason: 'taints', nodes: 1, detail: key };

  it.each<[string, Partial<SnapshotPod>, Snapshot['nodes'], Nowhere['reasons'][number]]>([
    [
      'capacity',
      { placement: asking(4000, 1) },
      [node(1), node(2, { allocatable: { cpu: 2000, memory: 2 ** 40, pods: 10 } })],
      { reason: 'capacity', nodes: 1, detail: 'cpu' },
    ],
    [
      'the number of pods',
      {},
      [node(1), node(2, { allocatable: { cpu: 2000, memory: 2 ** 40, pods: 0 } })],
      { reason: 'capacity', nodes: 1, detail: 'pods' },
    ],
    [
      'a device that no other node has',
      { placement: { requests: { 'example.com/gpu': 1 } } },
      [node(1, { allocatable: { pods: 10, 'example.com/gpu': 1 } }), node(2)],
      { reason: 'capacity', nodes: 1, detail: 'example.com/gpu' },
    ],
    [
      'a selector',
      { placement: asking(1, 1, { nodeSelector: { zone: 'odd' } }) },
      [node(1), node(2)],
      { reason: 'affinity', nodes: 1 },
    ],
    [
      'affinity',
      {
        placement: asking(1, 1, {
          nodeAffinity: [{ labels: [{ key: 'zone', operator: 'In', values: ['odd'] }] }],
        }),
      },
      [node(1), node(2)],
      { reason: 'affinity', nodes: 1 },
    ],
    [
      'a taint',
      {},
      [node(1), node(2, { taints: [{ key: 'example.com/gpu', effect: 'NoSchedule' }] })],
      { reason: 'taints', nodes: 1, detail: 'example.com/gpu' },
    ],
    ['a cordon', {}, [node(1), node(2, { unschedulable: true })], { reason: 'cordoned', nodes: 1 }],
    [
      'a node that is not ready',
      {},
      [node(1), node(2, { ready: { status: 'Unknown', since: takenAt } })],
      { reason: 'not-ready', nodes: 1 },
    ],
  ])('are told why: %s', (_, differs, nodes, reason) => {
    const found = nowhere(differs, nodes);
    expect(found?.certain).toBe(true);
    expect(found?.reasons).toHaveLength(2);
    expect(found?.reasons).toEqual(expect.arrayContaining([inMaintenance, reason]));
  });

  it('are told of a port that is taken', () => {
    const one = controller('ReplicaSet', 'web', 2);
    const placement = asking(1, 1, { hostPorts: ['TCP/80'] });
    const { moves } = first({
      nodes: [node(1), node(2)],
      pods: podsOf(one, [1, 2], { placement }),
      controllers: [one],
    });
    expect(moves[0]?.nowhere?.reasons).toEqual([inMaintenance, { reason: 'ports', nodes: 1 }]);
  });

  it('are told of a volume that is reached from one node only', () => {
    const volumes = [
      {
        name: 'local',
        claim: { namespace: 'shop', name: 'data' },
        reclaim: 'Retain' as const,
        reach: [{ labels: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['n1'] }] }],
      },
    ];
    const one = controller('StatefulSet', 'web', 1);
    const pods = podsOf(one, [1], { claims: ['data'] });
    const { moves } = first({ nodes: [node(1), node(2)], pods, volumes, controllers: [one] });
    expect(moves[0]?.nowhere?.reasons).toEqual([inMaintenance, { reason: 'volume', nodes: 1 }]);
  });

  it('are told of others that keep them away', () => {
    const one = controller('ReplicaSet', 'web', 2);
    const placement = asking(1, 1, {
      podAntiAffinity: [{ topologyKey: 'kubernetes.io/hostname', selector: { matchLabels: { app: 'web' } } }],
    });
    const { moves } = first({
      nodes: [node(1), node(2)],
      pods: podsOf(one, [1, 2], { placement }),
      controllers: [one],
    });
    expect(moves[0]?.nowhere?.reasons).toEqual([inMaintenance, { reason: 'pods', nodes: 1 }]);
  });

  it('are none where there is room', () => {
    expect(nowhere({}, [node(1), node(2)])).toBeUndefined();
  });
});

describe('pods of less priority', () => {
  const important = controller('ReplicaSet', 'important', 1);
  const threatenedBy = (priority: number, cpu: number) => {
    const pods = [
      ...podsOf(important, [1], { placement: asking(cpu, 1), priority }),
      pod('small', 2, { placement: asking(3000, 1), priority: 0 }),
      pod('equal', 2, { placement: asking(500, 1), priority: 1000 }),
    ];
    const nodes = [node(1), node(2, { allocatable: { cpu: 4000, memory: 2 ** 40, pods: 10 } })];
    return rehearseMaintenance(snapshot({ nodes, pods, controllers: [important] }), [block([])], [block([1])])
      .threatened;
  };

  it('may be driven out by one that finds no room', () => {
    expect(threatenedBy(1000, 3000)).toEqual(['shop/small']);
  });

  it('stay where it is no more than theirs, where there is room, and where it would not help', () => {
    expect([threatenedBy(0, 3000), threatenedBy(1000, 100), threatenedBy(1000, 3600)]).toEqual([[], [], []]);
  });
});

describe('nodes', () => {
  const held = (entered: boolean) => ({
    taints: [{ key, effect: 'NoSchedule' as const }, ...(entered ? [{ key, effect: 'NoExecute' as const }] : [])],
    annotations: {
      [nodeAnnotations.block]: 'metal',
      [nodeAnnotations.owns]: entered ? `${key}:NoSchedule,${key}:NoExecute,mark` : `${key}:NoSchedule`,
      [nodeAnnotations.uid]: 'node-1',
      [nodeAnnotations.drainStarted]: '2026-03-01T07:59:00Z',
      ...(entered && {
        [nodeAnnotations.entered]: '2026-03-01T07:59:30Z',
        [nodeAnnotations.enteredBy]: 'drained',
        [nodeAnnotations.mark]: 'true',
      }),
    },
  });

  it('enter, go on with what was ordered before, or are there already', () => {
    const nodes = [node(1, held(true)), node(2), node(3)];
    const courses = rehearsed({ nodes }, block([1, 2, 3]), block([1, 2])).map(({ node: name, course }) => [
      name,
      course,
    ]);
    expect(courses).toEqual([
      ['n1', 'stays'],
      ['n2', 'goes-on'],
      ['n3', 'enters'],
    ]);
  });

  it('leave, and take pods again', () => {
    const [left] = rehearsed({ nodes: [node(1, held(true)), node(2)] }, block([]), block([1]));
    expect(left).toMatchObject({ node: 'n1', course: 'leaves', reached: { from: 0, to: 1 } });
  });

  it('are told of where no node has the address', () => {
    expect(rehearsed({}, block([77]))).toMatchObject([{ address: '10.0.0.77', course: 'missing', moves: [] }]);
  });

  it('wait for their turn', () => {
    const pods = [pod('a', 1), pod('b', 2)];
    const nodes = rehearsed({ pods }, block([1, 2], { maxConcurrent: 1 }));
    expect(nodes.map(({ begins }) => begins)).toEqual([
      { from: 0, to: 1 },
      { from: 2, to: 33 },
    ]);
  });

  it('lose their pods at once where budgets are ignored', () => {
    const { moves, removed } = first(
      { pods: podsOf(web, [1, 1, 1]), controllers: [web], budgets: [budget('web', { maxUnavailable: 0 })] },
      block([1], { ignorePdb: true }),
    );
    expect(moves).toEqual([]);
    expect(removed.map(({ name, why, pastBudget }) => [name, why, pastBudget])).toEqual([
      ['web-0', 'taint', 'web'],
      ['web-1', 'taint', 'web'],
      ['web-2', 'taint', 'web'],
    ]);
  });

  it('may be ten thousand', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => index + 1);
    const crew = controller('ReplicaSet', 'web', many.length);
    const nodes = rehearsed(
      { nodes: many.map((index) => node(index)), pods: podsOf(crew, many), controllers: [crew] },
      block([3, 4]),
    );
    expect(nodes.map(({ by, moves }) => [by, moves.map(({ name, nowhere }) => [name, nowhere])])).toEqual([
      ['drained', [['web-2', undefined]]],
      ['drained', [['web-3', undefined]]],
    ]);
  });

  it('of which nothing is asked are not rehearsed', () => {
    expect(rehearseMaintenance(snapshot(), [block([])], [block([])])).toEqual({
      blocks: [],
      threatened: [],
      isCutOff: false,
    });
  });
});
