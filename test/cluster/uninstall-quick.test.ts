import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clusterTest } from '../support/cluster-test.ts';
import { addNodes } from '../support/nodes.ts';
import { apply, id, type KubeObject, list, patch, read } from '../support/objects.ts';
import { waitFor } from '../support/wait.ts';
import { namespace } from '../support/workloads.ts';
import { sidecarUser } from './sidecar/audit.ts';
import { type Lab, startLab } from './sidecar/lab.ts';
import { brokenInvariants, deletionsIn } from './uninstall/invariants.ts';
import { configMap, custom, definition, deployment, placed, service, statefulSet } from './uninstall/objects.ts';
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

  it('killed after each act, it goes on where it was: each hook once, nothing of a customer, all of ours', async () => {
    const hook = { name: 'first', image: 'registry.example.edu/hook:1', command: ['run'] };
    const stack = stackIn(lab.access, {
      name: 'killed',
      spec: {
        deletion: { confirm: 'killed' },
        components: [
          { name: 'operator', namespace: 'killed' },
          {
            name: 'store',
            namespace: 'killed',
            dependsOn: ['operator'],
            deletion: { preDelete: [hook], persistentVolumeClaims: 'Delete' },
          },
        ],
      },
      manifests: {
        operator: [definition('gears', 'Gear'), deployment('operator')],
        store: [statefulSet('db'), service('db'), custom('Gear', 'main'), configMap('settings')],
      },
    });
    await stack.install();
    await waitFor('the claims of the database', { seconds: 20 }, async () => {
      const claims = await list(lab.access, ['v1', 'PersistentVolumeClaim'], { namespace: 'killed' });
      return claims.length === 2 ? { met: true } : { seen: `${claims.length}` };
    });
    await stack.order();
    const acts = () =>
      lab
        .audit()
        .filter(
          ({ user, verb, resource, namespace: space }) =>
            user === sidecarUser &&
            ['create', 'patch', 'delete'].includes(verb) &&
            space !== 'quiesce-system' &&
            resource !== 'events',
        ).length;
    let kills = 0;
    for (let known = acts(); kills < 25 && (await stack.status())?.phase !== 'Deleted'; known = acts()) {
      const { program } = await lab.sidecar({ name: 'stubborn', args: ['--lease-seconds=2'] });
      const limit = Date.now() + 15_000;
      while (acts() === known && Date.now() < limit && (await stack.status())?.phase !== 'Deleted') await sleep(5);
      await program.kill();
      kills += 1;
    }
    const sidecar = await lab.sidecar({ name: 'stubborn', args: ['--lease-seconds=2'] });
    const status = await stack.waitFor('Deleted', 60);
    expect([status.leftovers, kills > 5]).toEqual([undefined, true]);
    const jobs = lab
      .audit()
      .filter(
        ({ user, verb, resource, status: code }) =>
          user === sidecarUser && verb === 'create' && resource === 'jobs' && code < 300,
      );
    expect(jobs).toHaveLength(1);
    expect(await exists('v1', 'Namespace', 'killed')).toBe(false);
    expect(brokenInvariants(lab.audit(), customers)).toEqual([]);
    const granted = deletionsIn(lab.audit());
    expect(granted.indexOf('customresourcedefinitions gears.shop.example.edu')).toBeGreaterThan(
      granted.indexOf('gears main'),
    );
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
