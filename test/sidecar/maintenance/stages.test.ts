import { describe, expect, it } from 'vitest';
import type { ObservedNode, ObservedPod } from '../../../src/sidecar/maintenance/observation.ts';
import { sortPods } from '../../../src/sidecar/maintenance/pods.ts';
import { drainOf, groupOf } from '../../../src/sidecar/maintenance/stages.ts';
import { bothTaints, daemonSet, node, now, pod } from './observed.ts';

const rules = {
  priorityClasses: { low: -10, high: 1000 },
  csiDrivers: ['disk.example.com'],
  csiPodNames: ['', 'vendor-node'],
};
const plugin: Partial<ObservedPod> = { registersPlugins: true };
const volume = 'kubernetes.io/csi/disk.example.com^1';

describe('the group of a pod', () => {
  it.each<[string, Partial<ObservedPod>, Partial<ObservedNode>, number, number]>([
    ['neither class nor DaemonSet nor driver', {}, {}, 1, 0],
    ['a bare pod', {}, {}, 1, 0],
    ['a class without a name', { priorityClassName: '' }, {}, 1, 0],
    ['of a DaemonSet', { owner: daemonSet }, {}, 2, 0],
    ['of a DaemonSet, with a class', { owner: daemonSet, priorityClassName: 'high' }, {}, 3, 1000],
    ['with a class', { priorityClassName: 'low' }, {}, 3, -10],
    ['by the class as it is, not as the pod has it', { priorityClassName: 'high', priority: 5 }, {}, 3, 1000],
    ['by what it was admitted with, where the class is gone', { priorityClassName: 'gone', priority: 5 }, {}, 3, 5],
    ['with a class that is gone and nothing to go by', { priorityClassName: 'gone' }, {}, 3, 0],
    ['a class that is called like a property of every object', { priorityClassName: 'constructor' }, {}, 3, 0],
    ['a driver, on a node that has drivers', plugin, {}, 5, 0],
    ['a driver with a class', { ...plugin, priorityClassName: 'low' }, {}, 5, 0],
    ['a plugin of something else, on a node without drivers', plugin, { csiDrivers: [] }, 1, 0],
    ['a driver by name', { name: 'vendor-node-x7k' }, {}, 5, 0],
    ['not a driver by the end of its name', { name: 'my-vendor-node' }, {}, 1, 0],
  ])('%s', (_, differs, at, stage, value) => {
    expect(groupOf(pod('p', differs), node('n1', at), rules)).toEqual({ stage, value });
  });

  it('on a node without a CSINode goes by the drivers of the cluster', () => {
    const { csiDrivers: _, ...bare } = node('n1');
    expect(groupOf(pod('p', plugin), bare, rules).stage).toBe(5);
    expect(groupOf(pod('p', plugin), bare, { ...rules, csiDrivers: [] }).stage).toBe(1);
  });
});

describe('a drain', () => {
  const all = [
    pod('driver', { ...plugin, owner: daemonSet }),
    pod('high', { priorityClassName: 'high' }),
    pod('low-b', { priorityClassName: 'low' }),
    pod('low-a', { priorityClassName: 'low' }),
    pod('agent', { owner: daemonSet }),
    pod('web'),
    pod('static', { mirror: true }),
    pod('job', { phase: 'Succeeded' }),
  ];
  const drain = (pods: readonly ObservedPod[], volumesInUse: string[] = []) => {
    const { stage, turn, volumes } = drainOf(
      node('n1', { volumesInUse }),
      sortPods(pods, { taints: bothTaints }),
      rules,
    );
    return [stage, turn.map(({ name }) => name), volumes];
  };

  it('has one group in its turn, the next when that is gone', () => {
    const groups = [];
    for (let left: readonly ObservedPod[] = all; ; ) {
      const [stage, turn] = drain(left);
      groups.push([stage, turn]);
      if (stage === undefined) break;
      left = left.filter(({ name }) => !(turn as string[]).includes(name));
    }
    expect(groups).toEqual([
      [1, ['web']],
      [2, ['agent']],
      [3, ['low-a', 'low-b']],
      [3, ['high']],
      [5, ['driver']],
      [undefined, []],
    ]);
  });

  it('waits for pods that terminate', () => {
    expect(drain([pod('web', { deletionAt: now }), pod('agent', { owner: daemonSet })])).toEqual([1, ['web'], []]);
  });

  it('waits for volumes of pods that are gone before it comes to drivers', () => {
    expect(drain([pod('driver', plugin)], [volume])).toEqual([4, [], [volume]]);
    expect(drain([], [volume])).toEqual([4, [], [volume]]);
  });

  it.each<[string, Partial<ObservedPod>]>([
    ['stay', { tolerations: [{ operator: 'Exists' }] }],
    ['come back', { owner: daemonSet, tolerations: [{ operator: 'Exists', effect: 'NoSchedule' }] }],
    ['are drivers themselves', plugin],
    ['are mirrors', { mirror: true }],
  ])('does not wait for volumes of pods that %s', (_, differs) => {
    expect(drain([pod('p', { ...differs, volumes: [volume] })], [volume])[2]).toEqual([]);
  });

  it('waits for volumes of pods that are finished, since they are unmounted', () => {
    expect(drain([pod('p', { phase: 'Succeeded', volumes: [volume] })], [volume])).toEqual([4, [], [volume]]);
  });

  it('goes back to what has appeared in an earlier group', () => {
    expect(drain([pod('driver', plugin), pod('new', { phase: 'Pending' })], [volume])).toEqual([1, ['new'], []]);
  });
});
