import { describe, expect, it } from 'vitest';
import type { Observation } from '../../../src/sidecar/claims/observation.ts';
import {
  ago,
  blockers,
  claim,
  condition,
  decided,
  events,
  instant,
  now,
  pod,
  resting,
  running,
  shown,
  standing,
  swept,
} from './observed.ts';

const sleeping = claim({ state: 'Sleeping' });
const synced = [pod('web'), pod('db')];
const quietFor = (seconds: number, phase: 'Sleeping' | 'Asleep' = 'Sleeping') =>
  claim(
    { state: 'Sleeping' },
    shown({
      phase,
      reason: phase === 'Asleep' ? 'AtRest' : 'WatchingForReturn',
      conditions: [
        { type: 'Quiet', status: 'True', lastTransitionTime: instant(ago(seconds)), reason: 'x', message: 'x' },
      ],
    }),
  );

describe('falling asleep', () => {
  it.each<[string, Partial<Observation>, string]>([
    ['the applier has not scaled it yet', { workloads: [running()] }, 'Sleeping WaitingForApplier'],
    [
      'the change is not seen by its controller',
      { workloads: [resting({ observedGeneration: 1 })] },
      'Sleeping ControlPlaneStopping',
    ],
    ['replicas are left', { workloads: [resting({ observed: 1 })] }, 'Sleeping ControlPlaneStopping'],
    [
      'a pod of the control plane is left',
      { workloads: [resting()], pods: [pod('ada-0', { part: 'control-plane', deletionAt: now }), ...synced] },
      'Sleeping ControlPlaneStopping',
    ],
    [
      'the etcd beside it has not stopped',
      { workloads: [resting(), resting({ name: 'ada-etcd', part: 'etcd', observed: 1 })], pods: synced },
      'Sleeping ControlPlaneStopping',
    ],
    ['pods are left that it has synced', { workloads: [resting()], pods: synced }, 'Sleeping RemovingPods'],
    ['nothing runs, since just now', { workloads: [resting()] }, 'Sleeping WatchingForReturn'],
    ['nothing runs, for a while', { workloads: [resting()], claim: quietFor(30) }, 'Asleep AtRest'],
    ['its workload is not there', { workloads: [], pods: synced }, 'Sleeping WorkloadMissing'],
    [
      'only its etcd is there',
      { workloads: [resting({ name: 'ada-etcd', part: 'etcd' })], pods: synced },
      'Sleeping WorkloadMissing',
    ],
    [
      'git lists nothing that could rest',
      { claim: claim({ state: 'Sleeping', objects: [] }), workloads: [], pods: synced },
      'Sleeping WorkloadMissing',
    ],
    [
      'its namespace goes',
      { namespace: 'terminating', workloads: [resting()], pods: synced },
      'Sleeping NamespaceTerminating',
    ],
  ])('%s', (_, differs, expected) => {
    const all = { claim: sleeping, ...differs };
    expect(standing(all)).toBe(expected);
    expect(swept(all)).toEqual(expected === 'Sleeping RemovingPods' ? ['db', 'web'] : []);
  });

  it('a pod of the control plane that has ended and only stays to be read holds nothing up', () => {
    const pods = [pod('ada-0', { part: 'control-plane', isFinished: true }), ...synced];
    expect(swept({ claim: sleeping, workloads: [resting()], pods })).toEqual(['db', 'web']);
  });

  it.each(['VClusterClaim', 'StatefulSet', 'Deployment', 'Pod', 'Namespace'] as const)(
    'without the list of each %s nothing is done and nothing is said',
    (kind) => {
      expect(decided({ claim: sleeping, workloads: [resting()], pods: synced, unread: [kind] })).toEqual({
        claim: 'ada',
        actions: [],
      });
    },
  );

  it('a pod is asked to go once, by its UID and in the namespace of the claim', () => {
    const all = { claim: sleeping, workloads: [resting()], pods: [pod('web')] };
    expect(decided(all).actions[0]).toEqual({
      kind: 'pod',
      claim: 'ada',
      namespace: 'vcluster-ada',
      name: 'web',
      uid: 'uid-web',
    });
    const pods = [pod('web', { deletionAt: now + 30_000 })];
    expect(swept({ ...all, pods })).toEqual([]);
    expect(swept({ ...all, answers: { 'uid-web': { status: 200, text: '', at: ago(1), attempts: 1 } } })).toEqual([]);
  });

  it.each([
    [403, 1, 1, 'forbidden operators'],
    [500, 1, 3, undefined],
    [500, 4, 10, 'server-error operators'],
    [429, 3, 5, 'slow-down operators'],
    [0, 2, 3, 'server-error operators'],
  ])(
    'a deletion refused with %i at attempt %i is repeated with pauses and named',
    (status, attempts, seconds, code) => {
      const answers = { 'uid-web': { status, text: 'no', at: ago(seconds), attempts } };
      const all = { claim: sleeping, workloads: [resting()], pods: [pod('web')], answers };
      if (code === undefined) expect(swept(all)).toEqual(['web']);
      else {
        expect(swept(all)).toEqual([]);
        expect(blockers(all)).toEqual([code]);
        expect(decided(all).requeueAt).toBeLessThanOrEqual(now + 60_000);
      }
    },
  );

  it.each([
    ['a finalizer', pod('web', { deletionAt: ago(60), finalizers: ['example.com/hold'] }), 'finalizer controller'],
    ['a kubelet that does not answer', pod('web', { deletionAt: ago(60) }), 'stuck-terminating operators'],
  ])('%s that holds a pod is named once it is late', (_, stuck, expected) => {
    const all = { claim: sleeping, workloads: [resting()], pods: [stuck] };
    expect(blockers(all)).toEqual([expected]);
    expect(blockers(all, ago(31))).toEqual([]);
  });
});

describe('asleep', () => {
  const asleep = { claim: quietFor(3600, 'Asleep'), workloads: [resting()] };

  it('stays as it is, without a request', () => {
    const first = decided(asleep);
    const status = first.status ?? {};
    const again = decided({ ...asleep, claim: claim({ state: 'Sleeping' }, { status }) });
    expect(again.actions).toEqual([]);
    expect(again.requeueAt).toBeUndefined();
    expect(status).toMatchObject({ phase: 'Asleep', replicas: { desired: 0, observed: 0, ready: 0 } });
    expect(status.heartbeat).toBeUndefined();
  });

  it('pods that come back are swept again, and the quiet period begins anew', () => {
    const back = { ...asleep, pods: [pod('web')] };
    expect(standing(back)).toBe('Sleeping RemovingPods');
    expect(swept(back)).toEqual(['web']);
    expect(events(back)).toEqual(['Warning Sleeping']);
    expect(condition('Quiet', back)).toBeUndefined();
  });

  it('a pod that came and went before anybody could write it down is not forgotten', () => {
    const late = { ...asleep, aliveAt: ago(1) };
    expect(standing(late)).toBe('Sleeping WatchingForReturn');
    expect(decided(late).requeueAt).toBe(now + 19_000);
  });

  it('a quiet period counts from when somebody looked; what is asleep stays so', () => {
    const quiet = decided({ ...asleep, watchedSince: ago(100) }).status;
    const phased = (phase: 'Sleeping' | 'Asleep') => ({
      ...asleep,
      claim: { ...asleep.claim, status: { ...quiet, phase } },
      watchedSince: ago(1),
    });
    expect(standing(phased('Sleeping'))).toBe('Sleeping WatchingForReturn');
    expect(decided(phased('Sleeping')).requeueAt).toBe(now + 19_000);
    expect(standing(phased('Asleep'))).toBe('Asleep AtRest');
  });

  it('a control plane that comes back late is waited for first', () => {
    const back = { ...asleep, pods: [pod('ada-0', { part: 'control-plane' }), pod('web')] };
    expect(standing(back)).toBe('Sleeping ControlPlaneStopping');
    expect(swept(back)).toEqual([]);
  });

  it.each<[string, Parameters<typeof resting>[0], string]>([
    ['kubectl scale', { replicas: 1, scaledBy: 'kubectl' }, 'ScaledByHand'],
    ['an autoscaler', { replicas: 2, scaledBy: 'kube-controller-manager' }, 'ScaledByHand'],
    ['vcluster resume or connect', { replicas: 3, isPaused: false }, 'ResumedByHand'],
  ])('what %s does is reported, and git wins', (_, differs, reason) => {
    const awake = { ...asleep, workloads: [resting(differs)], pods: [pod('web')] };
    expect(standing(awake)).toBe(`Sleeping ${reason}`);
    expect(swept(awake)).toEqual([]);
    expect(events(awake)).toEqual(['Warning Sleeping', `Warning ${reason}`]);
    expect(blockers(awake)).toEqual([`${reason === 'ScaledByHand' ? 'scaled' : 'resumed'}-by-hand applier`]);
  });
});

it('whoever goes on after a silence says so', () => {
  const heardOf = (seconds: number) =>
    claim(
      { state: 'Sleeping' },
      shown({ phase: 'Sleeping', reason: 'RemovingPods', heartbeat: instant(ago(seconds)) }),
    );
  const all = { workloads: [resting()], pods: [pod('web')] };
  expect(events({ ...all, claim: heardOf(300) })).toEqual(['Warning WorkResumed']);
  expect(events({ ...all, claim: heardOf(30) })).toEqual([]);
});

it('a quiet period that is interrupted begins anew, also when its beginning is from the future', () => {
  expect(standing({ claim: quietFor(-3600), workloads: [resting()] })).toBe('Sleeping WatchingForReturn');
  const fresh = decided({ claim: quietFor(-3600), workloads: [resting()] });
  expect(fresh.requeueAt).toBe(now + 20_000);
});
