import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Blocker } from '../../src/sidecar/maintenance/status.ts';
import { clusterTest } from '../support/cluster-test.ts';
import { addNodes, restartNode } from '../support/nodes.ts';
import { apply, id, patch } from '../support/objects.ts';
import { waitFor } from '../support/wait.ts';
import { waitUntilGone, waitUntilUp } from '../support/workload-waits.ts';
import { namespace, pod } from '../support/workloads.ts';
import { type Lab, startLab } from './sidecar/lab.ts';
import { blockOf, brokenInvariants, podsOn, waitForPhase } from './sidecar/looks.ts';

const nodes = ['10.0.0.1'];
const podId = (name: string) => id('v1', 'Pod', name, 'shop');

clusterTest('pods that do not end', () => {
  let lab: Lab;

  beforeAll(async () => {
    lab = await startLab();
    await addNodes(lab.access, { name: 'worker-1', internalIP: '10.0.0.1' });
    await apply(lab.access, namespace('shop'));
    await lab.sidecar();
  });

  afterAll(() => lab?.stop());

  const blocker = (podName: string, isIt: (found: Blocker) => boolean, seconds: number) =>
    waitFor(`a blocker of ${podName}`, { seconds }, async () => {
      const all = (await blockOf(lab.access))?.status?.nodes?.flatMap(({ blockers = [] }) => blockers) ?? [];
      const found = all.find((each) => each.pod?.name === podName && isIt(each));
      return found === undefined ? { seen: JSON.stringify(all) } : { met: found };
    });

  it('are named with what to do, outlast the deadline, and are never ended by force', async () => {
    const spec = { nodeName: 'worker-1' };
    const hanging = pod({ name: 'hanging', namespace: 'shop', pod: { behaviour: 'stuck', graceSeconds: 1, spec } });
    const held = pod({
      name: 'held',
      namespace: 'shop',
      pod: { finalizers: ['example.com/billing'], graceSeconds: 1, spec },
    });
    const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'long-gone', uid: 'long-gone', controller: true };
    await apply(lab.access, hanging, { ...held, metadata: { ...held.metadata, ownerReferences: [owner] } });
    await waitUntilUp(lab.access, hanging);

    await lab.block({ nodes, cidrBlocks: ['10.0.0.1'], deadlineSeconds: 50 });
    // Nobody is left who would release it: that is known before anybody waits for it.
    expect(await blocker('held', ({ permanent }) => permanent === true, 15)).toMatchObject({
      code: 'finalizer',
      finalizer: 'example.com/billing',
      who: 'workload-owner',
      message: expect.stringMatching(/is gone: remove the finalizer\.$/),
    });
    expect(await blocker('hanging', ({ code }) => code === 'stuck-terminating', 60)).toMatchObject({
      who: 'operators',
      message: expect.stringContaining('restart the node'),
    });
    const entered = await waitForPhase(lab.access, 'worker-1', 'InMaintenance', 60);
    expect(entered).toMatchObject({ overran: true, podsLeft: 2 });
    expect(await podsOn(lab.access, 'worker-1')).toEqual(['hanging', 'held']);
    expect(brokenInvariants(lab.audit())).toEqual([]);

    await restartNode(lab.access, 'worker-1');
    await patch(lab.access, podId('held'), { metadata: { finalizers: null } });
    await waitUntilGone(lab.access, podId('held'));
    await waitFor('nothing in the way', { seconds: 20 }, async () => {
      const [node] = (await blockOf(lab.access))?.status?.nodes ?? [];
      return node?.blockers === undefined ? { met: true } : { seen: JSON.stringify(node.blockers) };
    });
  }, 180_000);
});
