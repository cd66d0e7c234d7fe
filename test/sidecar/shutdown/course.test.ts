import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainTemplate, type Workload } from '../../../src/rehearsal/simulate/cluster.ts';
import type { Simulation } from '../../../src/rehearsal/simulate/simulation.ts';
import { runs } from '../../support/runs.ts';
import { grown } from '../maintenance/grown.ts';
import { node, now } from '../maintenance/observed.ts';
import { Course } from './course.ts';

function cluster(): Simulation {
  return grown({
    now,
    nodes: [1, 2, 3, 4, 5, 6, 7].map((index) => ({
      ...node(`n${index}`),
      labels: {},
      allocatable: {},
      unmountSeconds: 2,
    })),
    pods: [],
    workloads: [
      workload('ReplicaSet', 'web', { replaces: 'at-once', replicas: 8, scale: { uid: 'web', replicas: 8 } }),
      workload('StatefulSet', 'db', {
        replaces: 'by-name',
        replicas: 3,
        template: { ...plainTemplate, hasOwnVolume: true },
      }),
      workload('DaemonSet', 'agent', { replaces: 'on-each-node', replicas: 0 }),
    ],
    budgets: [
      { namespace: 'a', name: 'web', generation: 1, selector: { matchLabels: { app: 'web' } }, minAvailable: 1 },
    ],
    csiDrivers: ['disk.example.com'],
    owners: [],
    volumes: [],
    unread: [],
    blocks: [],
    priorityClasses: {},
    terminatingNamespaces: [],
  });
}

function workload(
  kind: string,
  name: string,
  rest: Pick<Workload, 'replaces' | 'replicas'> & Partial<Workload>,
): Workload {
  const template = { ...plainTemplate, labels: { app: name } };
  return { apiVersion: 'apps/v1', kind, namespace: 'a', name, uid: name, template, ...rest };
}

const offByHook = ['Off n7', 'Off n5', 'Off n6', 'Off n4', 'Off n1'];
const onByHook = ['On n4', 'On n6', 'On n5', 'On n7'];

describe('a whole cluster', () => {
  it('is drained, workers first, and turned off in order, up to what etcd needs', () => {
    const course = new Course(cluster());
    course.run('Shutdown');
    expect(course.turned.map(({ what }) => what)).toEqual(offByHook);
    expect(course.turned.map(({ podsLeft }) => podsLeft)).toEqual([0, 0, 0, 0, 0]);
    expect(course.moved.slice(0, 3).sort()).toEqual(['start n5', 'start n6', 'start n7']);
    expect(course.moved.slice(3).sort()).toEqual(['start n1', 'start n2', 'start n3', 'start n4']);
    expect(course.status).toMatchObject({ phase: 'PoweringOff', nodesLeft: 2, waitingFor: 'etcd-quorum' });
  });

  it('comes back, the control plane first, then one worker, then more, with nothing of ours left', () => {
    const simulation = cluster();
    const course = new Course(simulation);
    course.run('Shutdown');
    for (const name of ['n3', 'n2']) course.turnByHand(name, false);
    for (const name of ['n2', 'n1', 'n3']) course.turnByHand(name, true);
    course.moved.length = 0;
    course.run('Restart');
    expect(course.turned.slice(5).map(({ what }) => what)).toEqual(onByHook);
    expect(course.moved.slice(0, 4).sort()).toEqual(['leave n1', 'leave n2', 'leave n3', 'leave n4']);
    expect(course.moved).toHaveLength(7);
    expect(course.status).toMatchObject({ phase: 'Done', nodesLeft: 0 });
    expect(course.jobs.map(({ power }) => power)).toEqual(onByHook.map(() => 'On'));
    for (const { taints, annotations } of simulation.nodes()) expect([taints, annotations]).toEqual([[], {}]);
  });

  it('goes on where it was, whenever the sidecar stops', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3), { minLength: 10, maxLength: 150 }), (dice) => {
        const throws = [...dice];
        const course = new Course(cluster());
        course.run('Shutdown', () => throws.pop() === 0);
        expect(course.turned.map(({ what }) => what)).toEqual(offByHook);
      }),
      { numRuns: runs(20) },
    );
  });
});
