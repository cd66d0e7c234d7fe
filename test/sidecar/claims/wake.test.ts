import { describe, expect, it } from 'vitest';
import type { Observation } from '../../../src/sidecar/claims/observation.ts';
import type { ClaimStatus } from '../../../src/sidecar/claims/status.ts';
import {
  ago,
  blockers,
  claim,
  condition,
  decided,
  events,
  now,
  pod,
  resting,
  running,
  shown,
  standing,
} from './observed.ts';

const was = (phase: NonNullable<ClaimStatus['phase']>, reason: NonNullable<ClaimStatus['reason']> = 'Ready') =>
  claim({}, shown({ phase, reason }));

describe('waking', () => {
  it.each<[string, Partial<Observation>, string]>([
    ['the applier has not scaled it yet', { workloads: [resting()] }, 'Waking WaitingForApplier'],
    ['nothing is ready', { workloads: [running({ ready: 0 })] }, 'Waking Starting'],
    ['all but one are ready', { workloads: [running({ ready: 2 })] }, 'Waking Starting'],
    ['its controller has not seen the change', { workloads: [running({ observedGeneration: 1 })] }, 'Waking Starting'],
    [
      'the etcd beside it is not ready',
      { workloads: [running(), running({ name: 'ada-etcd', part: 'etcd', ready: 1 })] },
      'Waking Starting',
    ],
    [
      'the etcd beside it still sleeps',
      { workloads: [running(), resting({ name: 'ada-etcd', part: 'etcd' })] },
      'Waking WaitingForApplier',
    ],
    ['all are ready', { workloads: [running()] }, 'Running Ready'],
    [
      'all are ready, those of an etcd with a count of its own as well',
      { workloads: [running(), running({ name: 'ada-etcd', part: 'etcd', replicas: 1, observed: 1, ready: 1 })] },
      'Running Ready',
    ],
    ['its workload is not there', { workloads: [] }, 'Waking WorkloadMissing'],
    ['its namespace goes', { namespace: 'terminating' }, 'Waking NamespaceTerminating'],
    [
      'it was paused with vcluster pause',
      {
        workloads: [running({ replicas: 0, observed: 0, ready: 0, isPaused: true, pausedAt: '2026-03-01T11:00:00Z' })],
      },
      'Waking PausedByHand',
    ],
    ['it was scaled down', { workloads: [running({ replicas: 1, ready: 1 })] }, 'Waking ScaledByHand'],
  ])('%s', (_, differs, expected) => {
    const all = { claim: was('Waking', 'Starting'), ...differs };
    expect(standing(all)).toBe(expected);
    expect(decided(all).actions.filter(({ kind }) => kind !== 'status')).toEqual([]);
  });
});

describe('running', () => {
  it.each<[string, Partial<Observation>, string, string[]]>([
    ['one of three fails', { workloads: [running({ ready: 2 })] }, 'Running Degraded', []],
    ['all of them fail', { workloads: [running({ ready: 0 })] }, 'Waking NotReady', ['Warning Waking']],
    [
      'somebody scales it down',
      { workloads: [running({ replicas: 1, ready: 1, scaledBy: 'kubectl' })] },
      'Running ScaledByHand',
      ['Warning ScaledByHand'],
    ],
    [
      'an autoscaler scales it up',
      { workloads: [running({ replicas: 5, ready: 5, scaledBy: 'kube-controller-manager' })] },
      'Running ScaledByHand',
      ['Warning ScaledByHand'],
    ],
    [
      'somebody pauses it',
      { workloads: [running({ replicas: 0, observed: 0, ready: 0, isPaused: true, pausedAt: 'then' })] },
      'Waking PausedByHand',
      ['Warning Waking', 'Warning PausedByHand'],
    ],
    ['nothing happens', {}, 'Running Ready', []],
  ])('%s', (_, differs, expected, told) => {
    const all = { claim: was('Running'), ...differs };
    expect(standing(all)).toBe(expected);
    expect(events(all)).toEqual(told);
    expect(condition('Ready', all)?.status).toBe(expected === 'Running Ready' ? 'True' : 'False');
  });

  it('is never shown while nothing is ready, however it was shown before', () => {
    for (const phase of ['Waking', 'Running', 'Sleeping', 'Asleep', 'DeleteError'] as const) {
      expect(standing({ claim: was(phase), workloads: [running({ ready: 0 })] })).toMatch(/^Waking /);
    }
  });

  it('a pod that does not become ready is named after a while', () => {
    const late = pod('ada-1', { part: 'control-plane', ready: false, createdAt: ago(90) });
    const fresh = pod('ada-2', { part: 'control-plane', ready: false, createdAt: ago(5) });
    const all = { claim: was('Waking', 'Starting'), workloads: [running({ ready: 1 })], pods: [late, fresh] };
    expect(blockers(all)).toEqual(['pod-not-ready operators']);
    expect(decided(all).status?.blockers?.[0]?.pod).toEqual({ namespace: 'vcluster-ada', name: 'ada-1' });
  });

  it('at rest it asks for nothing', () => {
    const { status = {} } = decided({ claim: was('Running') });
    const rest = decided({ claim: claim({}, { status }) }, now + 3_600_000);
    expect(rest).toMatchObject({ actions: [] });
    expect(rest.requeueAt).toBeUndefined();
  });
});
