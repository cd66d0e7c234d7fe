import { afterAll, beforeAll, expect, it } from 'vitest';
import { clusterTest } from '../support/cluster-test.ts';
import { addNodes } from '../support/nodes.ts';
import { apply, id, type KubeObject, patch, read } from '../support/objects.ts';
import { waitFor } from '../support/wait.ts';
import { namespace } from '../support/workloads.ts';
import { type AuditLine, sidecarUser } from './sidecar/audit.ts';
import { killedAfterEachAct } from './sidecar/kills.ts';
import { type Lab, startLab } from './sidecar/lab.ts';
import { brokenCourse, brokenInvariants } from './uninstall/invariants.ts';
import { stackOfEverything } from './uninstall/killed-stack.ts';
import { configMap, deployment, placed } from './uninstall/objects.ts';
import { rawInstallation, rendered } from './uninstall/raw.ts';
import { installationOf, stackIn } from './uninstall/stack.ts';

const customers = ['customers-own'];

clusterTest('an uninstall in a hurry, or one that is disturbed', () => {
  let lab: Lab;

  beforeAll(async () => {
    lab = await startLab();
    await addNodes(lab.access, { name: 'worker-1', internalIP: '10.0.0.1' });
  });

  afterAll(() => lab?.stop());

  const exists = async (apiVersion: string, kind: string, name: string, space?: string) =>
    (await read(lab.access, id(apiVersion, kind, name, space))) !== undefined;
  const statusOf = (name: string, phase: string, seconds = 60) =>
    waitFor(`installation ${name} to be ${phase}`, { seconds }, async () => {
      const status = (await installationOf(lab.access, name))?.status;
      return status?.phase === phase ? { met: status } : { seen: JSON.stringify(status) };
    });

  it('Quick lets go of what does not go, lists exactly that, and takes nothing of a customer', async () => {
    const hold = { finalizers: ['example.edu/hold'] };
    const place = (object: KubeObject, space: string) => rendered(placed(object as never, space), 'quick', 'app');
    const objects = [
      rendered(namespace('quick-own'), 'quick', 'app'),
      rendered(namespace('quick-shared'), 'quick', 'app'),
      place(configMap('held', hold), 'quick-own'),
      place(configMap('free'), 'quick-own'),
      place(deployment('app'), 'quick-own'),
      place(configMap('held-too', hold), 'quick-shared'),
    ];
    await apply(lab.access, ...objects, placed(configMap('customers-own'), 'quick-shared'));
    const components = [{ name: 'app', namespace: 'quick-own', objects }];
    await apply(lab.access, rawInstallation({ name: 'quick', state: 'Deleted', strategy: 'Quick', components }));
    const sidecar = await lab.sidecar();
    const status = await statusOf('quick', 'Deleted');
    expect(status.orphaned?.map(({ name }) => name).sort()).toEqual(['held', 'held-too']);
    expect(status.leftovers?.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['Namespace quick-shared']);
    expect(await exists('v1', 'Namespace', 'quick-own')).toBe(false);
    expect(await exists('v1', 'ConfigMap', 'customers-own', 'quick-shared')).toBe(true);
    const drops = lab
      .audit()
      .filter(({ user, verb, resource }) => user === sidecarUser && verb === 'patch' && resource === 'configmaps');
    expect(drops.map(({ name }) => name).sort()).toEqual(['held', 'held-too']);
    expect(brokenInvariants(lab.audit(), customers)).toEqual([]);
    await sidecar.terminate();
  });

  it('Quick gives up a namespace that somebody else holds, once that is written down', async () => {
    const space = rendered(namespace('quick-held'), 'held', 'app');
    const objects = [space, rendered(placed(configMap('free'), 'quick-held'), 'held', 'app')];
    // Not the namespace controller's own, which releases only that.
    const spec = { finalizers: ['example.edu/hold', 'kubernetes'] };
    await apply(lab.access, ...objects.map((object) => (object === space ? { ...object, spec } : object)));
    const components = [{ name: 'app', namespace: 'quick-held', objects }];
    const given = { name: 'held', state: 'Deleted', strategy: 'Quick', timeoutSeconds: 20 } as const;
    await apply(lab.access, rawInstallation({ ...given, components }));
    const sidecar = await lab.sidecar();
    const status = await statusOf('held', 'Deleted');
    // What every namespace has may still be there by then.
    const lost = status.orphaned?.filter(({ name }) => !['kube-root-ca.crt', 'default'].includes(name));
    expect(lost?.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['Namespace quick-held']);
    expect(await exists('v1', 'Namespace', 'quick-held')).toBe(false);
    const ours = lab.audit().filter(({ user, status }) => user === sidecarUser && status < 300);
    const givenUp = ours.filter(({ subresource }) => subresource === 'finalize');
    expect(givenUp.map(({ verb, name }) => `${verb} ${name}`)).toEqual(['update quick-held']);
    const told = ours.find(({ resource, body }) => resource === 'installations' && isOrphaned(body, 'quick-held'));
    expect(told?.answered).toBeLessThanOrEqual(givenUp[0]?.received ?? 0);
    expect(brokenInvariants(lab.audit(), customers)).toEqual([]);
    await sidecar.terminate();
  });

  it('killed after some of its acts, it goes on where it was: each hook once, nothing of a customer, all of ours', async () => {
    const stack = await stackOfEverything(lab, 'killed');
    const sidecar = await lab.sidecar({ name: 'stubborn' });
    await stack.order();
    const isOver = async () => (await stack.status())?.phase === 'Deleted';
    const kills = await killedAfterEachAct(lab, sidecar, { kills: 5, seconds: 90, isOver });
    expect([(await stack.status())?.leftovers, kills]).toEqual([undefined, 5]);
    expect(await exists('v1', 'Namespace', 'killed')).toBe(false);
    expect(brokenCourse(lab.audit(), customers)).toEqual([]);
    await sidecar.terminate();
  });

  it('without its permissions nothing is done in an unknown state, and it says which it lacks', async () => {
    const stack = stackIn(lab.access, {
      name: 'barred',
      spec: { components: [{ name: 'app', namespace: 'barred' }] },
      manifests: { app: [configMap('settings')] },
    });
    await stack.install();
    const role = id('rbac.authorization.k8s.io/v1', 'ClusterRole', 'quiesce-uninstall');
    const rules = (await read<{ rules: unknown }>(lab.access, role))?.rules;
    await patch(lab.access, role, { rules: [] });
    const sidecar = await lab.sidecar({ name: 'barred' });
    await stack.order();
    expect(await stack.waitForBlocker('forbidden')).toContain('is forbidden');
    expect(await exists('v1', 'ConfigMap', 'settings', 'barred')).toBe(true);
    await patch(lab.access, role, { rules });
    await stack.waitFor('Deleted', 90);
    await sidecar.terminate();
  });
});

function isOrphaned(body: AuditLine['body'], name: string): boolean {
  const { orphaned = [] } = (body?.status ?? {}) as { readonly orphaned?: readonly { readonly name: string }[] };
  return orphaned.some((object) => object.name === name);
}
