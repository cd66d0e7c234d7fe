import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { clusterTest } from '../support/cluster-test.ts';
import { addNodes, makeReady, makeUnreachable, makeUnready, restartNode, setVolumesInUse } from '../support/nodes.ts';
import { apply, id, type KubeObject, patch, read, remove } from '../support/objects.ts';
import { waitFor } from '../support/wait.ts';
import { waitForBudget, waitUntilGone, waitUntilUp } from '../support/workload-waits.ts';
import { daemonSet, deployment, namespace, pod, podDisruptionBudget, statefulSet } from '../support/workloads.ts';
import { type AuditLine, sidecarUser } from './sidecar/audit.ts';
import { type Lab, type Sidecar, startLab } from './sidecar/lab.ts';
import {
  blockOf,
  brokenInvariants,
  evictionsIn,
  goneAt,
  maintenanceKey,
  podsOn,
  taintsOf,
  waitForPhase,
} from './sidecar/looks.ts';

const nodes = ['10.0.0.1', '10.0.0.2', '10.0.0.3'];
const [one = '', two = '', three = ''] = nodes;
const on = (nodeName: string, more = {}) => ({ spec: { nodeName, ...more } });

clusterTest('drains that wait for something', () => {
  let lab: Lab;
  let sidecar: Sidecar;

  beforeAll(async () => {
    lab = await startLab();
    await addNodes(lab.access, ...nodes.map((internalIP, index) => ({ name: `worker-${index + 1}`, internalIP })));
    await apply(lab.access, namespace('shop'));
    sidecar = await lab.sidecar({ args: ['--lease-seconds=3'] });
  });

  afterAll(() => lab?.stop());

  afterEach(async () => {
    await lab.block({ nodes, cidrBlocks: [] });
    for (const node of ['worker-1', 'worker-2', 'worker-3']) await waitForPhase(lab.access, node, 'gone');
    expect(brokenInvariants(lab.audit())).toEqual([]);
  });

  const drain = (cidrBlocks: readonly string[], more: Partial<Parameters<Lab['block']>[0]> = {}) =>
    lab.block({ nodes, cidrBlocks, ...more });
  /** When our write that put a taint on a node was answered. */
  const taintedAt = (node: string, effect: string, since: number) => {
    const writes = patchesOf(lab.audit(), node).filter(({ received }) => received >= since);
    return writes.find(({ body }) => ourTaints(body).includes(effect))?.answered ?? Number.NaN;
  };
  const blockersOf = async (node: string) => {
    const found = (await blockOf(lab.access))?.status?.nodes?.find((each) => each.node === node);
    return found?.blockers ?? [];
  };
  const waitForBlocker = (node: string, code: string) =>
    waitFor(`${code} on ${node}`, { seconds: 40 }, async () => {
      const blockers = await blockersOf(node);
      const found = blockers.find((blocker) => blocker.code === code);
      return found === undefined ? { seen: JSON.stringify(blockers) } : { met: found };
    });

  it('CSI drivers stay until the volumes of what was drained are unmounted', async () => {
    const plugins = { name: 'registrar', hostPath: { path: '/var/lib/kubelet/plugins_registry' } };
    const driver = pod({ name: 'disk-driver', namespace: 'shop', pod: on('worker-1', { volumes: [plugins] }) });
    const store = statefulSet({ name: 'store', namespace: 'shop', volume: '1Gi', pod: on('worker-1') });
    await apply(lab.access, csiNode('worker-1'), driver, store);
    await waitUntilUp(lab.access, driver, store);
    const claim = await read(lab.access, id('v1', 'PersistentVolumeClaim', 'data-store-0', 'shop'));
    await setVolumesInUse(lab.access, 'worker-1', [`kubernetes.io/csi/quiesce.test^${claim?.metadata.uid}`]);
    await remove(lab.access, store, { propagationPolicy: 'Orphan' });

    await drain([one]);
    const blocker = await waitForBlocker('worker-1', 'volume');
    expect(blocker.message).toContain('shop/data-store-0');
    const [status] = (await blockOf(lab.access))?.status?.nodes ?? [];
    expect(status).toMatchObject({ phase: 'Draining', stage: 4, podsLeft: 1 });
    await sleep(2000);
    expect(namesOf(evictionsIn(lab.audit()))).toEqual(['store-0']);
    const unmounted = Date.now();
    await setVolumesInUse(lab.access, 'worker-1', []);
    await waitForPhase(lab.access, 'worker-1', 'InMaintenance');
    const [first, second] = evictionsIn(lab.audit());
    expect([first?.name, second?.name]).toEqual(['store-0', 'disk-driver']);
    expect(second?.received).toBeGreaterThanOrEqual(unmounted);
    expect(taintedAt('worker-1', 'NoExecute', unmounted)).toBeGreaterThanOrEqual(goneAt(lab.audit(), 'disk-driver'));
  });

  it('nobody confirms the end of pods on an unreachable node: named, never forced, over at the deadline', async () => {
    const lost = pod({ name: 'lost', namespace: 'shop', pod: { graceSeconds: 1, ...on('worker-2') } });
    await apply(lab.access, lost);
    await waitUntilUp(lab.access, lost);
    await makeUnreachable(lab.access, 'worker-2');
    const begun = await drain([two], { deadlineSeconds: 15 });
    const blocker = await waitForBlocker('worker-2', 'node-unreachable');
    expect(blocker).toMatchObject({ who: 'operators', object: { kind: 'Node', name: 'worker-2' } });
    const status = await waitForPhase(lab.access, 'worker-2', 'InMaintenance');
    expect(status).toMatchObject({ overran: true, podsLeft: 1 });
    expect(taintedAt('worker-2', 'NoExecute', begun)).toBeGreaterThanOrEqual(begun + 14_000);
    expect(await podsOn(lab.access, 'worker-2')).toEqual(['lost']);
    await restartNode(lab.access, 'worker-2');
    await makeReady(lab.access, 'worker-2');
    expect(await podsOn(lab.access, 'worker-2')).toEqual([]);
  });

  it('a node that is not ready is drained; who ends anyway or would come back is not asked', async () => {
    const held = pod({
      name: 'held',
      namespace: 'ending',
      pod: { finalizers: ['example.com/hold'], graceSeconds: 1, ...on('worker-3') },
    });
    const plain = pod({ name: 'unwell', namespace: 'shop', pod: on('worker-3') });
    const stubborn = daemonSet({
      name: 'stubborn',
      namespace: 'shop',
      pod: { spec: { tolerations: [{ operator: 'Exists', effect: 'NoSchedule' }] } },
    });
    await apply(lab.access, namespace('ending'), held, plain, stubborn);
    await waitUntilUp(lab.access, held, plain, stubborn);
    await makeUnready(lab.access, 'worker-3');
    await remove(lab.access, id('v1', 'Namespace', 'ending'));
    await waitFor('the namespace to take its pods along', { seconds: 20 }, async () => {
      const { metadata } = (await read<KubeObject>(lab.access, held)) ?? {};
      return metadata?.deletionTimestamp === undefined ? { seen: JSON.stringify(metadata) } : { met: true };
    });
    const begun = await drain([three]);
    expect(await waitForBlocker('worker-3', 'node-not-ready')).toMatchObject({ who: 'operators' });
    await waitUntilGone(lab.access, plain);
    await sleep(2500);
    expect((await blockOf(lab.access))?.status?.nodes).toMatchObject([{ phase: 'Draining', stage: 1, podsLeft: 1 }]);
    await patch(lab.access, held, { metadata: { finalizers: null } });
    await waitForPhase(lab.access, 'worker-3', 'InMaintenance');
    const asked = evictionsIn(lab.audit()).filter(({ received }) => received >= begun);
    expect(namesOf(asked)).toEqual(['unwell']);
    await waitFor('NoExecute to remove who would have come back', { seconds: 20 }, async () => {
      const left = await podsOn(lab.access, 'worker-3');
      return left.length === 0 ? { met: true } : { seen: left.join() };
    });
    await makeReady(lab.access, 'worker-3');
    await remove(lab.access, stubborn);
  });

  it('no more nodes at once than settings allow: the next begins when one is in maintenance', async () => {
    const slow = { behaviour: 'slow-shutdown', graceSeconds: 2 } as const;
    const pods = nodes.map((_, at) =>
      pod({ name: `queue-${at + 1}`, namespace: 'shop', pod: { ...slow, ...on(`worker-${at + 1}`) } }),
    );
    await apply(lab.access, ...pods);
    await waitUntilUp(lab.access, ...pods);
    const begun = await drain(nodes, { maxConcurrent: 1 });
    const names = nodes.map((_, at) => `worker-${at + 1}`);
    for (const name of names) await waitForPhase(lab.access, name, 'InMaintenance', 60);
    const spans = names
      .map((name) => [taintedAt(name, 'NoSchedule', begun), taintedAt(name, 'NoExecute', begun)] as const)
      .sort(([a], [b]) => a - b);
    for (const [index, [start]] of spans.slice(1).entries())
      expect(start).toBeGreaterThanOrEqual(spans[index]?.[1] ?? Number.NaN);
  });

  it('a budget that two nodes share is spent once: both end, and hardly any eviction is refused', async () => {
    const web = deployment({
      name: 'web',
      namespace: 'shop',
      replicas: 4,
      pod: { spec: { topologySpreadConstraints: [spread('web')] } },
    });
    const budget = podDisruptionBudget({ name: 'web', namespace: 'shop', maxUnavailable: 1 });
    const third = id('v1', 'Node', 'worker-3');
    await patch(lab.access, third, { spec: { unschedulable: true } });
    await apply(lab.access, web, budget);
    await waitUntilUp(lab.access, web);
    await waitForBudget(lab.access, budget);
    await patch(lab.access, third, { spec: { unschedulable: null } });
    const begun = await drain([one, two]);
    for (const name of ['worker-1', 'worker-2']) await waitForPhase(lab.access, name, 'InMaintenance', 60);
    const asked = evictionsIn(lab.audit()).filter(({ received }) => received >= begun);
    expect(asked.filter(({ status }) => status === 201)).toHaveLength(4);
    expect(asked.length).toBeLessThanOrEqual(6);
    await remove(lab.access, budget);
    await remove(lab.access, web);
  });

  it('a deadline that is edited while it runs counts from the beginning of the drain', async () => {
    const { budget, guarded } = await holdForever(lab);
    const begun = await drain([one], { deadlineSeconds: 600 });
    const before = await waitForPhase(lab.access, 'worker-1', 'Draining');
    await sleep(4000);
    await drain([one], { deadlineSeconds: 9 });
    const after = await waitForPhase(lab.access, 'worker-1', 'InMaintenance');
    expect(after?.drainStarted).toBe(before?.drainStarted);
    const started = Date.parse(before?.drainStarted ?? '');
    const entered = taintedAt('worker-1', 'NoExecute', begun);
    expect(entered - started).toBeGreaterThanOrEqual(9000);
    expect(entered - started).toBeLessThan(14_000);
    await remove(lab.access, budget);
    await remove(lab.access, guarded);
  });

  it('a clock that jumps by a day moves no deadline, neither forward nor back', async () => {
    await sidecar.terminate();
    const jumping = await lab.sidecar({ args: ['--lease-seconds=3'], nodeFlags: ['--import', jumpingClock] });
    const { budget, guarded } = await holdForever(lab);
    const begun = await drain([one], { deadlineSeconds: 12 });
    const before = await waitForPhase(lab.access, 'worker-1', 'Draining');
    const entered = await waitForPhase(lab.access, 'worker-1', 'InMaintenance');
    expect(entered).toMatchObject({ drainStarted: before?.drainStarted, overran: true });
    expect(Date.parse(before?.drainStarted ?? '') - begun).toBeLessThan(5000);
    const wait = taintedAt('worker-1', 'NoExecute', begun) - Date.parse(before?.drainStarted ?? '');
    expect(wait).toBeGreaterThanOrEqual(11_000);
    expect(wait).toBeLessThan(19_000);
    expect(await taintsOf(lab.access, 'worker-1')).toContain(`${maintenanceKey}:NoExecute`);
    await remove(lab.access, budget);
    await remove(lab.access, guarded);
    expect(jumping.program.end()).toBeUndefined();
  });
});

/** By turns a day ahead and a day behind, a few seconds each. */
const jumpingClock = `data:text/javascript,${encodeURIComponent(`
  const real = Date.now.bind(Date);
  const offset = () => [0, 86_400_000, -86_400_000][Math.floor(performance.now() / 3000) % 3];
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...given) { if (given.length === 0) super(real() + offset()); else super(...given); }
    static now() { return real() + offset(); }
  };
`)}`;

function patchesOf(lines: readonly AuditLine[], node: string): AuditLine[] {
  return lines.filter(
    ({ user, verb, resource, name, status }) =>
      user === sidecarUser && verb === 'patch' && resource === 'nodes' && name === node && status === 200,
  );
}

/** Effects of the maintenance taints in a patch, which holds the whole list. */
function ourTaints(body: AuditLine['body']): string[] {
  const { spec = {} } = (body ?? {}) as { spec?: { taints?: readonly { key: string; effect: string }[] } };
  return (spec.taints ?? []).filter(({ key }) => key === maintenanceKey).map(({ effect }) => effect);
}

function namesOf(lines: readonly AuditLine[]): (string | undefined)[] {
  return lines.map(({ name }) => name);
}

function csiNode(name: string): KubeObject {
  const spec = { drivers: [{ name: 'quiesce.test', nodeID: name }] };
  return { apiVersion: 'storage.k8s.io/v1', kind: 'CSINode', metadata: { name }, spec };
}

function spread(app: string) {
  return {
    maxSkew: 1,
    topologyKey: 'kubernetes.io/hostname',
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { matchLabels: { app } },
  };
}

/** Held by a budget until the deadline. */
async function holdForever({ access }: Lab) {
  const guarded = statefulSet({ name: 'guarded', namespace: 'shop', pod: on('worker-1') });
  const budget = podDisruptionBudget({ name: 'guarded', namespace: 'shop', minAvailable: 1 });
  await apply(access, guarded, budget);
  await waitUntilUp(access, guarded);
  await waitForBudget(access, budget);
  return { guarded, budget };
}
