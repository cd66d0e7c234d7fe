import { describe, expect, it } from 'vitest';
import { decideShutdown } from '../../../src/sidecar/shutdown/decide.ts';
import { now } from '../maintenance/observed.ts';
import { statusOf, turned, withHook } from './decided.ts';
import { type Differs, everyone, observed, powerJob } from './observed.ts';

const earlier = { generation: 1 };
const machines = { drained: [1, 2, 3, 4, 7], off: [5, 6] };

function forgotten(differs: Differs, at = now): string[] {
  return decideShutdown(at, observed(withHook(differs))).actions.flatMap((action) =>
    action.kind === 'forget' ? [`${action.job} ${action.jobUid}`] : [],
  );
}

describe('a Job of an earlier order', () => {
  it.each(['Complete', 'Failed'] as const)('that is %s counts for nothing: the machine is turned over', (state) => {
    const jobs = [powerJob(7, state, earlier)];
    expect(turned(withHook({ machines, jobs }))).toEqual(['Off n7 from n2']);
    expect(statusOf(withHook({ machines, jobs }))).toMatchObject({ phase: 'PoweringOff', nodesLeft: 5 });
  });

  it('that still runs is waited for, whatever it does, and named', () => {
    const jobs = [powerJob(7, 'Active', { ...earlier, power: 'On' })];
    expect(turned(withHook({ machines, jobs }))).toEqual([]);
    expect(statusOf(withHook({ machines, jobs })).blockers).toMatchObject([
      {
        code: 'power-hook-busy',
        object: { kind: 'Node', name: 'n7' },
        message: 'Job job-7 of an earlier order still turns node n7 on: the next hook waits until it has ended.',
      },
    ]);
    expect(forgotten({ machines, jobs })).toEqual([]);
  });

  it('keeps only its own machine waiting', () => {
    const jobs = [powerJob(7, 'Active', earlier)];
    expect(turned(withHook({ machines: { drained: everyone }, jobs }))).toEqual(['Off n5 from n2', 'Off n6 from n2']);
  });
});

describe('Jobs are deleted', () => {
  const jobs = [
    powerJob(5, 'Complete', earlier),
    powerJob(6, 'Failed', earlier),
    powerJob(7, 'Active', earlier),
    powerJob(4, 'Complete'),
    powerJob(3, 'Failed'),
  ];

  it.each<[string, Differs]>([
    ['Shutdown', {}],
    ['Restart', { spec: { action: 'Restart' } }],
    ['None', { spec: { action: 'None' } }],
    ['a gate opened', { spec: { backupAcknowledged: false } }],
  ])('when they have ended for an earlier order, while git asks for %s', (_, differs) => {
    expect(forgotten({ ...differs, jobs })).toEqual(['job-5 uid-job-5', 'job-6 uid-job-6']);
  });

  it.each<[string, Differs]>([
    ['something could not be read', { unread: ['Job'] }],
    ['the ClusterShutdown is being deleted, which takes them along', { deletedAt: now }],
  ])('not while %s', (_, differs) => expect(forgotten({ ...differs, jobs })).toEqual([]));

  it('not those of a later order than the one that is known', () => {
    expect(forgotten({ jobs: [powerJob(5, 'Complete', { generation: 3 })] })).toEqual([]);
  });

  it('again after a refusal, ever more slowly', () => {
    const refusals = { 'job-5': { status: 403, text: 'no', at: now, attempts: 1 } };
    const spec = { action: 'None' } as const;
    const one = { spec, jobs: [powerJob(5, 'Complete', earlier)], refusals };
    expect(forgotten(one, now + 1999)).toEqual([]);
    expect(decideShutdown(now, observed(withHook(one))).requeueAt).toBe(now + 2000);
    expect(forgotten(one, now + 2000)).toEqual(['job-5 uid-job-5']);
  });
});
