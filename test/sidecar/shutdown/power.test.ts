import { describe, expect, it } from 'vitest';
import { decideShutdown } from '../../../src/sidecar/shutdown/decide.ts';
import { ago, now } from '../maintenance/observed.ts';
import { statusOf, turned, withHook } from './decided.ts';
import { type Differs, everyone, hook, observed, powerJob } from './observed.ts';

describe('power is turned off', () => {
  it('for workers together, by a Job on the machine that is last', () => {
    expect(turned(withHook({ machines: { drained: everyone } }))).toEqual([
      'Off n7 from n2',
      'Off n5 from n2',
      'Off n6 from n2',
    ]);
  });

  it.each<[string, Differs, readonly string[]]>([
    ['not before everybody is drained', { machines: { drained: [5, 6, 7], draining: [1] } }, []],
    [
      'not while pods end',
      {
        machines: { drained: everyone },
        drains: [{ address: '10.0.0.7', node: 'n7', phase: 'InMaintenance', podsLeft: 1 }],
      },
      [],
    ],
    [
      'although pods do not end',
      {
        machines: { drained: everyone, off: [5, 6] },
        drains: [
          {
            address: '10.0.0.7',
            node: 'n7',
            phase: 'InMaintenance',
            podsLeft: 1,
            blockers: [{ code: 'stuck-terminating', message: '' }],
          },
        ],
      },
      ['Off n7 from n2', 'Off n5 from n2', 'Off n6 from n2'],
    ],
    ['not without a backup', { machines: { drained: everyone }, spec: { backupAcknowledged: false } }, []],
    ['not while something cannot be read', { machines: { drained: everyone }, unread: ['Job'] }, []],
    ['not when it is deleted', { machines: { drained: everyone }, deletedAt: now }, []],
    ['not when it is withdrawn', { machines: { drained: everyone }, spec: { action: 'None' } }, []],
    [
      'not twice',
      { machines: { drained: everyone }, jobs: [powerJob(7, 'Active'), powerJob(6, 'Complete')] },
      ['Off n5 from n2'],
    ],
    [
      'again for another generation',
      { machines: { drained: [1, 2, 3, 4, 7], off: [5, 6] }, jobs: [powerJob(7, 'Complete', { generation: 1 })] },
      ['Off n7 from n2'],
    ],
    [
      'not again after a failure',
      { machines: { drained: [1, 2, 3, 4, 7], off: [5, 6] }, jobs: [powerJob(7, 'Failed')] },
      [],
    ],
    ['for load balancers after workers', { machines: { drained: [1, 2, 3, 4], off: [5, 6, 7] } }, ['Off n4 from n2']],
    ['for one etcd member at a time', { machines: { drained: [1, 2, 3], off: [4, 5, 6, 7] } }, ['Off n1 from n2']],
    ['not for the one without which etcd has no majority', { machines: { drained: [2, 3], off: [1, 4, 5, 6, 7] } }, []],
    [
      'for a control-plane node without etcd before etcd',
      {
        machines: { drained: [1, 2, 3], off: [4, 5, 6, 7] },
        etcd: observed().etcd.filter(({ node }) => node !== 'n3'),
      },
      ['Off n3 from n2'],
    ],
    [
      'not for one of two etcd members, when they are the last',
      {
        machines: { drained: [1, 2], off: [3, 4, 5, 6, 7] },
        etcd: observed().etcd.filter(({ node }) => node !== 'n3'),
      },
      [],
    ],
    [
      'not for etcd when nobody knows who leads',
      {
        machines: { drained: [1, 2, 3], off: [4, 5, 6, 7] },
        etcd: observed().etcd.map(({ isLeader: _, ...member }) => member),
      },
      [],
    ],
  ])('%s', (_, differs, expected) => {
    const { drained = [], off = [] } = differs.machines ?? {};
    const machines = { ...differs.machines, drained: drained.filter((index) => !off.includes(index)) };
    const all = differs.drains === undefined || off.length === 0 ? machines : { drained: everyone };
    expect(turned(withHook({ ...differs, machines: all }))).toEqual(expected);
  });

  it('for no etcd member while they are being asked who leads', () => {
    const machines = { drained: [1, 2, 3], off: [4, 5, 6, 7] };
    expect(turned(withHook({ machines, isLeaderAsked: true }))).toEqual([]);
    expect(statusOf(withHook({ machines, isLeaderAsked: true })).blockers).toBeUndefined();
  });

  it('for nobody whose pods nobody has counted', () => {
    const observation = observed(withHook({ machines: { drained: everyone } }));
    expect(decideShutdown(now, { ...observation, drains: [] }).actions.map(({ kind }) => kind)).toEqual(['status']);
  });

  it('again after a refusal, ever more slowly, and says so from the second time on', () => {
    const machines = { drained: [1, 2, 3, 4, 7], off: [5, 6] };
    const jobs = (differs: Differs, at = now) =>
      decideShutdown(at, observed(withHook({ machines, ...differs }))).actions.flatMap((action) =>
        action.kind === 'power' ? [action.job] : [],
      );
    const [job = ''] = jobs({});
    const refused = (attempts: number) => ({
      refusals: { [job]: { status: 403, text: 'exceeded quota', at: now, attempts } },
    });
    expect(jobs(refused(1), now + 1999)).toEqual([]);
    expect(jobs(refused(1), now + 2000)).toEqual([job]);
    expect(jobs(refused(3), now + 7999)).toEqual([]);
    const { status, requeueAt } = decideShutdown(now, observed(withHook({ machines, ...refused(2) })));
    expect(requeueAt).toBe(now + 4000);
    expect(status.blockers).toMatchObject([
      {
        code: 'power-hook-refused',
        message: `Job ${job}, which is to turn node n7 off, cannot be made (HTTP 403): "exceeded quota".`,
      },
    ]);
  });

  it('by a Job whose name follows from what it is for', () => {
    const jobs = (differs: Differs) =>
      decideShutdown(now, observed(withHook(differs))).actions.flatMap((action) =>
        action.kind === 'power' ? [action.job] : [],
      );
    const machines = { drained: everyone };
    const names = jobs({ machines });
    expect(new Set(names).size).toBe(3);
    expect(jobs({ machines })).toEqual(names);
    const long = jobs({ machines, spec: { powerHook: { ...hook, name: `${'a'.repeat(53)}-bcdefghi` } } });
    for (const name of [...names, ...long]) expect(name).toMatch(/^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])$/);
  });
});

describe('power is turned on', () => {
  const restart = (differs: Differs): Differs => withHook({ ...differs, spec: { action: 'Restart' } });
  it.each<[string, Differs, readonly string[]]>([
    [
      'for the control plane first, the leader first of all',
      { machines: { drained: [1], off: [2, 3, 4, 5, 6, 7] } },
      ['On n2 from n1', 'On n3 from n1'],
    ],
    ['then for load balancers', { machines: { drained: [1, 2, 3], off: [4, 5, 6, 7] } }, ['On n4 from n2']],
    [
      'then for workers',
      { machines: { drained: [1, 2, 3, 4], off: [5, 6, 7] } },
      ['On n6 from n2', 'On n5 from n2', 'On n7 from n2'],
    ],
    ['by nobody, when nobody is up', { machines: { off: everyone } }, []],
  ])('%s', (_, differs, expected) => expect(turned(restart(differs))).toEqual(expected));
});

describe('what people have to do', () => {
  const messages = (differs: Differs, at = now) => (statusOf(differs, at).blockers ?? []).map(({ message }) => message);
  const etcdOnly = { drained: [2, 3], off: [1, 4, 5, 6, 7] };

  it.each<[string, Differs, readonly string[]]>([
    [
      'without a hook, the next ones',
      { machines: { drained: [1, 2, 3, 4, 5], off: [6, 7] } },
      ['Turn off node n5 (10.0.0.5): there is no power hook.'],
    ],
    [
      'without a hook, to turn on',
      { spec: { action: 'Restart' }, machines: { off: [6] } },
      ['Turn on node n6 (10.0.0.6): there is no power hook.'],
    ],
    [
      'the last of etcd',
      withHook({ machines: etcdOnly }),
      [
        'Turn off node n2 (10.0.0.2) by hand, in the order of the list: without it etcd has no majority, and nothing here can act any more.',
        'Turn off node n3 (10.0.0.3) by hand, in the order of the list: without it etcd has no majority, and nothing here can act any more.',
      ],
    ],
    [
      'after a hook that failed',
      withHook({
        machines: { drained: [1, 2, 3, 4, 7], off: [5, 6] },
        jobs: [powerJob(7, 'Failed', { message: 'no answer' })],
      }),
      [
        'Job job-7 could not turn node n7 off (no answer): turn it off by hand, or delete the Job to have it tried again.',
      ],
    ],
    [
      'after a hook that did nothing',
      withHook({
        machines: { drained: [1, 2, 3, 4, 7], off: [5, 6] },
        jobs: [powerJob(7, 'Complete', { finishedAt: ago(300) })],
      }),
      ['Job job-7 has ended, but node n7 is still heard of.'],
    ],
  ])('%s', (_, differs, expected) => expect(messages(differs)).toEqual(expected));

  it('is not asked before a machine has had its time', () => {
    const done = withHook({
      machines: { drained: [1, 2, 3, 4, 7], off: [5, 6] },
      jobs: [powerJob(7, 'Complete', { finishedAt: ago(299) })],
    });
    expect(messages(done)).toEqual([]);
    expect(decideShutdown(now, observed(done)).requeueAt).toBe(now + 1000);
  });
});
