import { afterAll, beforeAll, expect, it } from 'vitest';
import { clusterTest } from '../support/cluster-test.ts';
import { type FaultProxy, startFaultProxy } from '../support/faults.ts';
import { addNodes } from '../support/nodes.ts';
import { apply, id, list, type ObjectId, patch, read } from '../support/objects.ts';
import { waitFor } from '../support/wait.ts';
import { claimHost, statusOf, syncedPod, waitForClaim } from './claims/host.ts';
import { type Lab, startLab } from './sidecar/lab.ts';
import { one } from './uninstall/grounds.ts';
import { brokenInvariants } from './uninstall/invariants.ts';
import { configMap, custom, definition, placed } from './uninstall/objects.ts';
import { type Stack, type StackOptions, stackIn } from './uninstall/stack.ts';
import { deletionsSince, illnesses, infect } from './unwell/ground.ts';

clusterTest('in the middle of it, an uninstall', () => {
  let lab: Lab;
  let proxy: FaultProxy;

  beforeAll(async () => {
    lab = await startLab();
    proxy = await startFaultProxy(lab.cluster);
    await addNodes(lab.access, { name: 'worker-1', internalIP: '10.0.0.1' });
    await lab.sidecar({ access: proxy.access });
  });

  afterAll(() => lab?.stop());

  const held = configMap('held', { finalizers: ['example.edu/hold'] });
  const installed = async (options: StackOptions): Promise<Stack> => {
    const stack = stackIn(lab.access, options);
    await stack.install();
    await stack.waitFor('Installed');
    return stack;
  };
  const told = (object: ObjectId) =>
    waitFor(`${object.kind} ${object.metadata.name} to be told to go`, { seconds: 30 }, async () => {
      const found = await read(lab.access, object);
      return found?.metadata.deletionTimestamp === undefined
        ? { seen: JSON.stringify(found?.metadata) }
        : { met: true };
    });
  const release = (object: ObjectId) => patch(lab.access, object, { metadata: { finalizers: null } });

  it('does nothing while the API server answers 429, 500 and 410, says so, and goes on', async () => {
    const robot = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } };
    const stack = await installed(one('ill', [held, robot]));
    await stack.order();
    await told(id('v1', 'ConfigMap', 'held', 'ill'));
    const before = lab.audit().length;
    for (const illness of illnesses) {
      const heal = infect(proxy, illness, 'lists');
      await waitFor(`${illness.status} to be told of`, { seconds: 30 }, async () => {
        const status = await stack.status();
        const [blocker] = status?.blockers ?? [];
        const isTold = blocker?.code === 'unread' && blocker.message.includes(String(illness.status));
        return isTold && status?.heartbeat !== undefined ? { met: true } : { seen: JSON.stringify(status) };
      });
      if (illness === illnesses.at(-1)) await release(id('v1', 'ConfigMap', 'held', 'ill'));
      expect(deletionsSince(lab.audit(), before)).toEqual([]);
      heal();
    }
    await stack.waitFor('Deleted');
    expect(deletionsSince(lab.audit(), before)).toEqual(['serviceaccounts robot', 'namespaces ill']);
  });

  it('asks again for what the API server refused to delete, and names that', async () => {
    const stack = await installed(one('refused', [configMap('settings')]));
    const heal = infect(proxy, { status: 500 }, 'deletions');
    await stack.order();
    expect(await stack.waitForBlocker('server-error')).toMatch(/Deleting ConfigMap settings .*500/);
    heal();
    await stack.waitFor('Deleted');
  });

  it('stops when its permissions are taken away, says which, and goes on with them', async () => {
    const stack = await installed(one('unbound', [held, configMap('settings')]));
    const binding = id('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', 'quiesce-uninstall');
    const { apiVersion, kind, roleRef, subjects } = (await read(lab.access, binding)) ?? expect.unreachable();
    await stack.order();
    await told(id('v1', 'ConfigMap', 'held', 'unbound'));
    await lab.cluster.kubectl('delete', 'clusterrolebinding', 'quiesce-uninstall');
    expect(await stack.waitForBlocker('forbidden')).toMatch(/is not known, so nothing is done: .*forbidden/);
    await apply(lab.access, { apiVersion, kind, metadata: binding.metadata, roleRef, subjects });
    await release(id('v1', 'ConfigMap', 'held', 'unbound'));
    await stack.waitFor('Deleted');
  });

  it('ends though somebody removes the definition of what it waits for', async () => {
    await apply(lab.access, definition('gizmos', 'Gizmo'));
    const gizmo = custom('Gizmo', 'main');
    const stack = await installed(
      one('defined', [{ ...gizmo, metadata: { ...gizmo.metadata, finalizers: ['example.edu/hold'] } }, configMap('a')]),
    );
    await stack.order();
    const main = placed(gizmo, 'defined');
    await told(main);
    await lab.cluster.kubectl('delete', 'crd', 'gizmos.shop.example.edu', '--wait=false');
    await release(main);
    await stack.waitFor('Deleted');
  });

  it('of a claim that is to sleep: its pods stay as long as the API server wants, and then they go', async () => {
    const claims = claimHost(lab);
    await claims.apply('ada');
    await waitForClaim(lab.access, 'ada', { phase: 'Running' });
    await apply(lab.access, syncedPod('ada', 'web'), syncedPod('ada', 'db'));
    const before = lab.audit().length;
    let heal = infect(proxy, { status: 429, retryAfterSeconds: 2 }, 'deletions');
    await claims.apply('ada', { state: 'Sleeping' });
    const blocked = (code: string) =>
      waitFor(`the pods to wait for ${code}`, { seconds: 60 }, async () => {
        const status = await statusOf(lab.access, 'ada');
        return status.blockers?.[0]?.code === code ? { met: status } : { seen: JSON.stringify(status) };
      });
    expect(await blocked('slow-down')).toMatchObject({ phase: 'Sleeping', reason: 'RemovingPods' });
    heal();
    heal = infect(proxy, { status: 500 }, 'deletions');
    await blocked('server-error');
    expect(deletionsSince(lab.audit(), before)).toEqual([]);
    heal();
    await waitFor('the pods to go', { seconds: 60 }, async () => {
      const pods = await list(lab.access, ['v1', 'Pod'], { namespace: 'vcluster-ada' });
      return pods.length === 0 ? { met: true } : { seen: `${pods.map(({ metadata }) => metadata.name)}` };
    });
    expect(deletionsSince(lab.audit(), before).sort()).toEqual(['pods db-x-default-x-ada', 'pods web-x-default-x-ada']);
  });

  it('is fenced in all that', () => {
    expect(brokenInvariants(lab.audit(), [])).toEqual([]);
  });
});
