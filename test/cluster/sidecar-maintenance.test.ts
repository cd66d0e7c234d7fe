import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ApiRefusal } from '../support/api.ts';
import { clusterTest } from '../support/cluster-test.ts';
import { addNodes } from '../support/nodes.ts';
import { apply, id, list, patch, remove } from '../support/objects.ts';
import { waitFor } from '../support/wait.ts';
import { waitForBudget, waitUntilGone, waitUntilUp } from '../support/workload-waits.ts';
import { daemonSet, namespace, pod, podDisruptionBudget, priorityClass, statefulSet } from '../support/workloads.ts';
import { type Lab, type Sidecar, startLab } from './sidecar/lab.ts';
import {
  blockOf,
  brokenInvariants,
  evictionsIn,
  goneAt,
  maintenanceKey,
  nodeNamed,
  notesOn,
  podsOn,
  taintsOf,
  waitForPhase,
} from './sidecar/looks.ts';

const both = [`${maintenanceKey}:NoSchedule`, `${maintenanceKey}:NoExecute`];
const nodes = ['10.0.0.1', '10.0.0.2', '10.0.0.3'];

clusterTest('maintenance on a real control plane, with no more than the rendered permissions', () => {
  let lab: Lab;
  let sidecar: Sidecar;

  beforeAll(async () => {
    lab = await startLab();
    await addNodes(lab.access, ...nodes.map((internalIP, index) => ({ name: `worker-${index + 1}`, internalIP })));
    await apply(lab.access, namespace('shop'), priorityClass('low', 10), priorityClass('high', 1000));
    sidecar = await lab.sidecar();
  });

  afterAll(() => lab?.stop());

  afterEach(async () => {
    await lab.block({ nodes, cidrBlocks: [] });
    for (const node of ['worker-1', 'worker-2', 'worker-3']) await waitForPhase(lab.access, node, 'gone');
  });

  const on = (nodeName: string, more = {}) => ({ spec: { nodeName, ...more } });
  const slow = { behaviour: 'slow-shutdown', graceSeconds: 2 } as const;

  it('pods leave in order, each stage when the one before is gone, and then the node is in maintenance', async () => {
    const pods = [
      pod({ name: 'plain-slow', namespace: 'shop', pod: { ...slow, ...on('worker-1') } }),
      pod({ name: 'plain', namespace: 'shop', pod: on('worker-1') }),
      pod({ name: 'high', namespace: 'shop', pod: on('worker-1', { priorityClassName: 'high' }) }),
      pod({ name: 'low', namespace: 'shop', pod: { ...slow, ...on('worker-1', { priorityClassName: 'low' }) } }),
      pod({ name: 'finished', namespace: 'shop', pod: { behaviour: 'succeeds', ...on('worker-1') } }),
    ];
    const agent = daemonSet({ name: 'agent', namespace: 'shop' });
    await apply(lab.access, ...pods, agent);
    await waitUntilUp(lab.access, ...pods.slice(0, 4), agent);
    const [daemon = ''] = (await podsOn(lab.access, 'worker-1')).filter((name) => name.startsWith('agent-'));

    await lab.block({ nodes, cidrBlocks: ['10.0.0.1'] });
    await waitForPhase(lab.access, 'worker-1', 'InMaintenance');

    expect(await taintsOf(lab.access, 'worker-1')).toEqual(both);
    expect(await taintsOf(lab.access, 'worker-2')).toEqual([]);
    const lines = lab.audit();
    const evicted = evictionsIn(lines).map(({ name = '' }) => name);
    const stages = [['plain', 'plain-slow'], [daemon], ['low'], ['high']];
    expect([evicted.slice(0, 2).sort(), ...evicted.slice(2).map((name) => [name])]).toEqual(stages);
    const received = (name: string) => evictionsIn(lines).find((line) => line.name === name)?.received ?? 0;
    for (const [index, stage] of stages.slice(1).entries()) {
      const before = Math.max(...(stages[index] ?? []).map((name) => goneAt(lines, name)));
      for (const name of stage) expect(received(name)).toBeGreaterThanOrEqual(before);
    }
    expect(brokenInvariants(lines)).toEqual([]);
    await remove(lab.access, agent);
    await remove(lab.access, id('v1', 'Pod', 'finished', 'shop'));
  });

  it('what others put on the node stays, what was ours goes, while somebody else writes all the time', async () => {
    const node = id('v1', 'Node', 'worker-2');
    await patch(lab.access, node, { spec: { unschedulable: true, taints: [{ key: 'theirs', effect: 'NoSchedule' }] } });
    const writer = busyWriter(lab, 'worker-2');
    try {
      await lab.block({ nodes, cidrBlocks: ['10.0.0.2'] });
      await waitForPhase(lab.access, 'worker-2', 'InMaintenance');
      expect(await taintsOf(lab.access, 'worker-2')).toEqual(expect.arrayContaining([...both, 'theirs:NoSchedule']));
      await lab.block({ nodes, cidrBlocks: [] });
      await waitForPhase(lab.access, 'worker-2', 'gone');
    } finally {
      await writer.stop();
    }
    expect(writer.lost()).toEqual([]);
    expect(writer.writes()).toBeGreaterThan(20);
    expect(await notesOn(lab.access, 'worker-2')).toEqual([]);
    const taints = await taintsOf(lab.access, 'worker-2');
    expect(taints).toContain('theirs:NoSchedule');
    expect(taints.filter((taint) => taint.startsWith(maintenanceKey))).toEqual([]);
    expect((await nodeNamed(lab.access, 'worker-2')).spec?.unschedulable).toBe(true);
    await patch(lab.access, node, { spec: { unschedulable: null, taints: null } });
    await waitFor('the cordon to be gone', { seconds: 10 }, async () => {
      const left = await taintsOf(lab.access, 'worker-2');
      return left.length === 0 ? { met: true } : { seen: left.join() };
    });
  });

  describe('a budget that never allows anything', () => {
    const web = statefulSet({ name: 'web', namespace: 'shop', pod: on('worker-3') });
    const budget = podDisruptionBudget({ name: 'web', namespace: 'shop', minAvailable: 1 });

    beforeAll(async () => {
      await apply(lab.access, web, budget);
      await waitUntilUp(lab.access, web);
      await waitForBudget(lab.access, budget);
    });

    afterAll(async () => {
      await remove(lab.access, budget);
      await remove(lab.access, web);
    });

    it('is named at once with its numbers and who has to act, and holds until the deadline', async () => {
      await lab.block({ nodes, cidrBlocks: ['10.0.0.3'], deadlineSeconds: 12 });
      const blocked = await waitFor('the blocker', { seconds: 10 }, async () => {
        const [node] = (await blockOf(lab.access))?.status?.nodes ?? [];
        return node?.blockers?.[0] === undefined ? { seen: JSON.stringify(node) } : { met: node };
      });
      expect(blocked).toMatchObject({ phase: 'Draining', stage: 1, podsLeft: 1 });
      expect(blocked.blockers?.[0]).toMatchObject({
        code: 'pdb-never',
        permanent: true,
        who: expect.stringMatching(/./),
        pod: { namespace: 'shop', name: 'web-0' },
        pdb: { namespace: 'shop', name: 'web', disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1 },
      });
      const entered = await waitForPhase(lab.access, 'worker-3', 'InMaintenance');
      expect(entered).toMatchObject({ overran: true, drainStarted: blocked.drainStarted, deadline: blocked.deadline });
      await waitUntilGone(lab.access, id('v1', 'Pod', 'web-0', 'shop'), 30).catch(() => undefined);
      expect(await taintsOf(lab.access, 'worker-3')).toEqual(both);
      const lines = lab.audit();
      const asked = evictionsIn(lines).filter(({ name }) => name === 'web-0');
      expect(asked.filter(({ status }) => status === 201)).toEqual([]);
      expect(asked.length).toBeLessThanOrEqual(6);
      expect(brokenInvariants(lines)).toEqual([]);
    });
  });

  it('the resource is deleted while nobody looks: what is ours goes when somebody looks again', async () => {
    await lab.block({ nodes, cidrBlocks: ['10.0.0.1-10.0.0.2'], ignorePdb: true });
    await waitForPhase(lab.access, 'worker-1', 'InMaintenance');
    await waitForPhase(lab.access, 'worker-2', 'InMaintenance');
    await sidecar.terminate();
    await remove(lab.access, id('quiesce.dev/v1alpha1', 'MaintenanceBlock', 'main'));
    expect(await taintsOf(lab.access, 'worker-1')).toEqual(both);
    sidecar = await lab.sidecar();
    await waitFor('the nodes to be free', { seconds: 20 }, async () => {
      const left = await Promise.all(['worker-1', 'worker-2'].map((name) => taintsOf(lab.access, name)));
      return left.flat().length === 0 ? { met: true } : { seen: left.join('; ') };
    });
    expect(await notesOn(lab.access, 'worker-1')).toEqual([]);
  });

  it('every Event is on an object that people look at, and only one for what happened once', async () => {
    const events = await list<{
      metadata: { name: string };
      regarding?: { kind: string; name: string };
      reason?: string;
      reportingController?: string;
    }>(lab.access, ['events.k8s.io/v1', 'Event'] as never, {});
    const ours = events.filter(({ reportingController }) => reportingController === 'quiesce.dev/sidecar');
    expect(new Set(ours.map(({ regarding }) => regarding?.kind))).toEqual(new Set(['Node']));
    const started = ours.filter(
      ({ regarding, reason }) => regarding?.name === 'worker-3' && reason === 'MaintenanceStarted',
    );
    expect(started).toHaveLength(1);
  });
});

/**
 * Adds a taint, takes it off again, and notes when one that it has set is not there any more. It replaces the whole list
 * as every client does, and fences it as it should.
 */
function busyWriter({ access }: Lab, name: string) {
  const lost: string[] = [];
  let writes = 0;
  let isOver = false;
  const write = async (change: (taints: readonly Taint[]) => readonly Taint[]): Promise<void> => {
    const { metadata, spec } = await nodeNamed(access, name);
    const body = {
      metadata: { resourceVersion: metadata.resourceVersion },
      spec: { taints: change(spec?.taints ?? []) },
    };
    await patch(access, id('v1', 'Node', name), body).then(
      () => {
        writes += 1;
      },
      (error: unknown) => {
        if (!(error instanceof ApiRefusal && error.status === 409)) throw error;
        return write(change);
      },
    );
  };
  const work = async () => {
    for (let round = 0; !isOver; round += 1) {
      const key = `busy-${round % 3}`;
      await write((taints) => [...taints.filter((taint) => taint.key !== key), { key, effect: 'NoSchedule' }]);
      const there = await taintsOf(access, name);
      for (const expected of [key, 'theirs'])
        if (!there.includes(`${expected}:NoSchedule`)) lost.push(`${expected} in ${round}`);
      await write((taints) => taints.filter((taint) => taint.key !== key));
      await sleep(20);
    }
  };
  const working = work();
  return {
    lost: () => lost,
    writes: () => writes,
    stop: async () => {
      isOver = true;
      await working;
    },
  };
}

interface Taint {
  readonly key: string;
  readonly effect: string;
}
