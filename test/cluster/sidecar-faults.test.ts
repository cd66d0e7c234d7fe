import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { clusterTest } from '../support/cluster-test.ts';
import { type FaultProxy, startFaultProxy } from '../support/faults.ts';
import { addNodes } from '../support/nodes.ts';
import { apply, id, type KubeObject, read } from '../support/objects.ts';
import { waitFor } from '../support/wait.ts';
import { waitUntilUp } from '../support/workload-waits.ts';
import { namespace, pod, priorityClass } from '../support/workloads.ts';
import { type AuditLine, sidecarUser } from './sidecar/audit.ts';
import { type Lab, type Sidecar, startLab } from './sidecar/lab.ts';
import { brokenInvariants, evictionsIn, maintenanceKey, nodeNamed, taintsOf, waitForPhase } from './sidecar/looks.ts';

const nodes = ['10.0.0.1', '10.0.0.2'];
const both = [`${maintenanceKey}:NoSchedule`, `${maintenanceKey}:NoExecute`];
const fast = ['--lease-seconds=3'];

/** What the sidecar has changed besides the Lease, Events excepted. */
function actsIn(lines: readonly AuditLine[]): number {
  return lines.filter(
    ({ user, verb, resource }) =>
      user === sidecarUser && (verb === 'create' || verb === 'patch') && !['leases', 'events'].includes(resource),
  ).length;
}

clusterTest('faults while a node is drained', () => {
  let lab: Lab;
  let proxy: FaultProxy;
  const running: Sidecar[] = [];
  let begun = 0;

  beforeAll(async () => {
    lab = await startLab();
    proxy = await startFaultProxy(lab.cluster);
    await addNodes(lab.access, ...nodes.map((internalIP, index) => ({ name: `worker-${index + 1}`, internalIP })));
    await apply(lab.access, namespace('shop'), priorityClass('low', 10), priorityClass('high', 1000));
  });

  afterAll(() => lab?.stop());

  const start = async (options: Parameters<Lab['sidecar']>[0] = {}): Promise<Sidecar> => {
    const sidecar = await lab.sidecar({ args: fast, ...options });
    running.push(sidecar);
    return sidecar;
  };

  afterEach(async () => {
    const sidecar = running.find(({ program }) => program.end() === undefined) ?? (await start());
    await lab.block({ nodes, cidrBlocks: [] });
    for (const node of ['worker-1', 'worker-2']) await waitForPhase(lab.access, node, 'gone');
    await sidecar.terminate();
    for (const each of running.splice(0)) await each.program.kill();
  });

  /** Stages 1 and 3, each of two seconds. */
  const workloads = async (node: string): Promise<string[]> => {
    begun += 1;
    const slow = { behaviour: 'slow-shutdown', graceSeconds: 2 } as const;
    const one = (name: string, spec: object) =>
      pod({ name: `${name}-${begun}`, namespace: 'shop', pod: { ...slow, spec: { nodeName: node, ...spec } } });
    const pods = [
      one('plain', {}),
      one('low', { priorityClassName: 'low' }),
      one('high', { priorityClassName: 'high' }),
    ];
    await apply(lab.access, ...pods);
    await waitUntilUp(lab.access, ...pods);
    return pods.map(({ metadata }) => metadata.name);
  };
  const evicted = (names: readonly string[]) =>
    evictionsIn(lab.audit())
      .filter(({ name = '', status }) => names.includes(name) && status === 201)
      .map(({ name }) => name);

  it('killed after each act, it goes on where it was: one drain, one deadline, every taint once', async () => {
    const pods = await workloads('worker-1');
    const { program } = await start({ name: 'stubborn' });
    await lab.block({ nodes, cidrBlocks: ['10.0.0.1'] });
    const drains = new Set<string>();
    let known = actsIn(lab.audit());
    let kills = 0;
    await waitFor('maintenance', { seconds: 100, everyMs: 5 }, async () => {
      const acts = actsIn(lab.audit());
      if (acts > known) {
        await program.kill();
        program.start();
        known = acts;
        kills += 1;
      }
      const { annotations = {} } = (await nodeNamed(lab.access, 'worker-1')).metadata;
      const started = annotations['quiesce.dev/maintenance-drain-started'];
      if (started !== undefined) drains.add(started);
      const isIn = annotations['quiesce.dev/maintenance-entered'] !== undefined;
      return isIn ? { met: true } : { seen: JSON.stringify(annotations) };
    });
    const lines = lab.audit();
    // Acts that come together count once.
    expect(kills).toBeGreaterThanOrEqual(4);
    expect(drains.size).toBe(1);
    expect(await taintsOf(lab.access, 'worker-1')).toEqual(both);
    // Of a request whose sender is gone the answer may never have been written down.
    const asked = evictionsIn(lines).flatMap(({ name = '' }) => (pods.includes(name) ? name : []));
    expect([...new Set(asked)]).toEqual(pods);
    expect(brokenInvariants(lines)).toEqual([]);
  }, 120_000);

  it('when the leader dies, another one takes over and nothing begins anew', async () => {
    const pods = await workloads('worker-1');
    const first = await start();
    const second = await start();
    await lab.block({ nodes, cidrBlocks: ['10.0.0.1'] });
    const draining = await waitForPhase(lab.access, 'worker-1', 'Draining');
    await first.program.kill();
    const killed = performance.now();
    await waitFor('the second to lead', { seconds: 10, everyMs: 50 }, async () =>
      (await second.metrics()).includes('quiesce_leader{cluster="main"} 1') ? { met: true } : { seen: 'it follows' },
    );
    expect(performance.now() - killed).toBeLessThan(6000);
    const done = await waitForPhase(lab.access, 'worker-1', 'InMaintenance');
    expect(done?.drainStarted).toBe(draining?.drainStarted);
    expect(evicted(pods)).toEqual(pods);
  });

  it('told to stop, it ends in good order and lets the Lease go, so that the next one leads at once', async () => {
    await workloads('worker-1');
    // Whoever waits for it looks every three seconds, and would have to wait for a minute.
    const first = await start({ args: ['--lease-seconds=60'] });
    const second = await start({ name: 'next', args: ['--lease-seconds=9'] });
    await lab.block({ nodes, cidrBlocks: ['10.0.0.1'] });
    await waitForPhase(lab.access, 'worker-1', 'Draining');
    await first.terminate();
    expect(first.program.end()).toBe('ended with code 0');
    const lease = id('coordination.k8s.io/v1', 'Lease', 'quiesce-sidecar', 'quiesce-system');
    const holder = (await read<KubeObject & { spec: { holderIdentity: string } }>(lab.access, lease))?.spec
      .holderIdentity;
    expect(['', 'next']).toContain(holder);
    await waitFor('the second to lead', { seconds: 10, everyMs: 50 }, async () =>
      (await second.metrics()).includes('quiesce_leader{cluster="main"} 1') ? { met: true } : { seen: 'it follows' },
    );
    await waitForPhase(lab.access, 'worker-1', 'InMaintenance');
  });

  it('watches that are cut, expire or end, and answers that are lost, delay it and mislead it nowhere', async () => {
    const pods = await workloads('worker-2');
    await start({ access: proxy.access });
    const faults = [
      proxy.inject({ effect: 'lose-answer', path: /eviction/, times: 1 }),
      proxy.inject({ effect: 'lose-answer', method: 'PATCH', path: /\/nodes\//, times: 1 }),
      proxy.inject({ effect: 'expire-watch', path: /watch=true/, times: 4 }),
      proxy.inject({ effect: 'answer', status: 500, path: /maintenanceblocks.*status/, times: 2 }),
    ];
    await lab.block({ nodes, cidrBlocks: ['10.0.0.2'] });
    const cutting = setInterval(() => proxy.dropWatches(), 700);
    try {
      await waitForPhase(lab.access, 'worker-2', 'InMaintenance');
    } finally {
      clearInterval(cutting);
    }
    expect(faults.slice(0, 3).map((fault) => fault.hits())).toEqual([1, 1, 4]);
    expect(await taintsOf(lab.access, 'worker-2')).toEqual(both);
    expect(evicted(pods)).toEqual(pods);
    expect(brokenInvariants(lab.audit())).toEqual([]);
  });

  it('an API server that is restarted in the middle finds it still there', async () => {
    const pods = await workloads('worker-2');
    await start({ args: ['--lease-seconds=20'] });
    await lab.block({ nodes, cidrBlocks: ['10.0.0.2'] });
    const before = await waitForPhase(lab.access, 'worker-2', 'Draining');
    const { apiserver } = lab.cluster.programs;
    await apiserver.kill();
    await sleep(1500);
    apiserver.start();
    const after = await waitForPhase(lab.access, 'worker-2', 'InMaintenance', 60);
    expect(after?.drainStarted).toBe(before?.drainStarted);
    expect(evicted(pods)).toEqual(pods);
  });
});
