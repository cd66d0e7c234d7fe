import { describe, expect, it } from 'vitest';
import type { Taint, TaintPair, Toleration } from '../../../src/sidecar/maintenance/observation.ts';
import { sortPods } from '../../../src/sidecar/maintenance/pods.ts';
import { taintChange, tolerates, toleratesForGood } from '../../../src/sidecar/maintenance/taints.ts';
import { ago, bothTaints, daemonSet, key, now, pod } from './observed.ts';

const noSchedule: Taint = { key, effect: 'NoSchedule' };
const noExecute: Taint = { key, effect: 'NoExecute' };
const foreign: Taint = { key, effect: 'PreferNoSchedule', value: 'theirs' };

describe('a toleration', () => {
  it.each<[Toleration, Taint, boolean]>([
    [{ operator: 'Exists' }, noExecute, true],
    [{ operator: 'Exists', key: '' }, noExecute, true],
    [{ operator: 'Exists', effect: 'NoSchedule' }, noExecute, false],
    [{ operator: 'Exists', effect: '' }, noExecute, true],
    [{ key, operator: 'Exists' }, noSchedule, true],
    [{ key: 'other', operator: 'Exists' }, noSchedule, false],
    [{ key, operator: 'Equal', value: '' }, noSchedule, true],
    [{ key }, noSchedule, true],
    [{ key, value: 'x' }, noSchedule, false],
    [{ key, value: 'x' }, { ...noSchedule, value: 'x' }, true],
    [{ key }, { ...noSchedule, value: 'x' }, false],
    [{}, noSchedule, false],
    [{ key, operator: 'Gt', value: '1' }, noSchedule, false],
  ])('%j of %j: %s', (toleration, taint, expected) => {
    expect(tolerates([toleration], taint)).toBe(expected);
  });

  it('with a limit of time is not for good, if it is the first that matches', () => {
    const limited: Toleration = { key, operator: 'Exists', tolerationSeconds: 300 };
    const forGood: Toleration = { operator: 'Exists' };
    expect(toleratesForGood([limited], noExecute)).toBe(false);
    expect(toleratesForGood([forGood, limited], noExecute)).toBe(true);
    expect(toleratesForGood([limited, forGood], noExecute)).toBe(false);
    expect(toleratesForGood([], noExecute)).toBe(false);
  });
});

describe('taints of a node', () => {
  it.each<[string, Taint[], TaintPair[], Taint[], Taint[], TaintPair[]]>([
    ['are added after those of others', [foreign], [], [noSchedule], [foreign, noSchedule], [noSchedule]],
    ['that are there already are not ours', [noSchedule], [], [noSchedule], [noSchedule], []],
    [
      'that are there with a value are not ours',
      [{ ...noSchedule, value: 'x' }],
      [],
      [noSchedule],
      [{ ...noSchedule, value: 'x' }],
      [],
    ],
    ['of ours that somebody removed come back', [], [noSchedule], [noSchedule], [noSchedule], [noSchedule]],
    ['of ours go, and only those', [foreign, noSchedule, noExecute], [noExecute], [], [foreign, noSchedule], []],
    [
      'that are wanted no more go one by one',
      [noSchedule, noExecute],
      [noSchedule, noExecute],
      [noSchedule],
      [noSchedule],
      [noSchedule],
    ],
    ['stay as they are when they are right', [noSchedule], [noSchedule], [noSchedule], [noSchedule], [noSchedule]],
    ['that are ours and already gone are forgotten', [foreign], [noSchedule], [], [foreign], []],
  ])('%s', (_, there, owned, wanted, taints, ownedAfter) => {
    expect(taintChange({ taints: there }, owned, wanted)).toMatchObject({ taints, owned: ownedAfter });
  });

  it('of others keep their time and their order', () => {
    const timed: Taint = {
      key: 'node.kubernetes.io/unreachable',
      effect: 'NoExecute',
      timeAdded: '2026-03-01T07:00:00Z',
    };
    expect(taintChange({ taints: [timed, foreign] }, [], bothTaints)).toEqual({
      add: bothTaints,
      remove: [],
      taints: [timed, foreign, ...bothTaints],
      owned: bothTaints,
    });
  });
});

describe('what maintenance means for a pod', () => {
  const scheduling = [{ operator: 'Exists', effect: 'NoSchedule' }];
  it.each([
    ['any pod', {}, 'draining'],
    ['a bare pod', { owner: undefined }, 'draining'],
    ['a DaemonSet’s, which our taint keeps away', { owner: daemonSet }, 'draining'],
    ['a DaemonSet’s that would be back at once', { owner: daemonSet, tolerations: scheduling }, 'returning'],
    ['one that may come back, as long as it has not', { tolerations: scheduling }, 'draining'],
    ['one that has come back', { tolerations: scheduling, createdAt: ago(10) }, 'returning'],
    ['one that was put there past the scheduler', { createdAt: ago(10) }, 'draining'],
    [
      'of a kind that is only called DaemonSet',
      { owner: { ...daemonSet, apiVersion: 'example.com/v1' }, tolerations: scheduling },
      'draining',
    ],
    ['one that tolerates everything', { tolerations: [{ operator: 'Exists' }] }, 'staying'],
    [
      'one that tolerates being removed',
      { tolerations: [{ key, operator: 'Exists', effect: 'NoExecute' }] },
      'staying',
    ],
    [
      'one that tolerates it for a while',
      { tolerations: [{ key, operator: 'Exists', tolerationSeconds: 60 }] },
      'draining',
    ],
    ['a mirror', { mirror: true }, 'beside'],
    ['one that has succeeded', { phase: 'Succeeded' }, 'beside'],
    ['one that has failed', { phase: 'Failed' }, 'beside'],
    ['one that is pending', { phase: 'Pending' }, 'draining'],
    ['one that terminates', { deletionAt: now }, 'draining'],
  ] as const)('%s', (_, differs, role) => {
    const { owner, ...rest } = pod('p', differs as object);
    const each = owner === undefined ? rest : { ...rest, owner };
    const sorted = sortPods([each], { taints: bothTaints, drainStarted: ago(60) });
    expect(Object.entries(sorted).flatMap(([name, pods]) => (pods.length > 0 ? [name] : []))).toEqual([role]);
  });
});
