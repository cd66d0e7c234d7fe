import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { clusterTest } from '../support/cluster-test.ts';
import { apply, id, patch, read, remove } from '../support/objects.ts';
import { waitFor } from '../support/wait.ts';
import { namespace } from '../support/workloads.ts';
import { type Grounds, one, openGrounds } from './uninstall/grounds.ts';
import {
  configMap,
  custom,
  deadWebhook,
  definition,
  deployment,
  placed,
  service,
  statefulSet,
} from './uninstall/objects.ts';
import { installationOf } from './uninstall/stack.ts';

clusterTest('an installation that git says is Deleted', () => {
  let grounds: Grounds;

  beforeAll(async () => {
    grounds = await openGrounds();
  });

  afterAll(() => grounds?.stop());

  afterEach(() => {
    expect(grounds.faults()).toEqual([]);
  });

  it.concurrent('goes in reverse order, stage by stage, leaves what is not ours, and lets its resource go', async () => {
    const stack = await grounds.installed({
      name: 'shop',
      spec: {
        deletion: { confirm: 'shop' },
        components: [
          { name: 'operator', namespace: 'shop' },
          { name: 'store', namespace: 'shop', dependsOn: ['operator'], deletion: { persistentVolumeClaims: 'Delete' } },
          { name: 'front', namespace: 'front', dependsOn: ['store'] },
        ],
      },
      manifests: {
        operator: [definition('widgets', 'Widget'), deployment('operator'), configMap('operator-settings')],
        store: [statefulSet('db'), service('db'), custom('Widget', 'main')],
        front: [deployment('front'), service('front')],
      },
    });
    await grounds.waitForClaims('shop', 2);
    await apply(grounds.lab.access, placed(configMap('customers-own'), 'front'));
    await stack.order();
    const status = await stack.waitFor('Deleted');
    expect(status.leftovers).toEqual([{ apiVersion: 'v1', kind: 'Namespace', name: 'front' }]);
    expect(status.components?.map(({ name, phase }) => `${name} ${phase}`)).toEqual([
      'operator Deleted',
      'store Deleted',
      'front Deleted',
    ]);
    const order = stack.deletions();
    // Requests of one stage are sent side by side.
    expect([
      order.slice(0, 2).sort(),
      order[2],
      order.slice(3, 5).sort(),
      order.slice(5, 7).sort(),
      order.slice(7),
    ]).toEqual([
      ['deployments front', 'services front'],
      'widgets main',
      ['services db', 'statefulsets db'],
      ['persistentvolumeclaims data-db-0', 'persistentvolumeclaims data-db-1'],
      [
        'customresourcedefinitions widgets.shop.example.edu',
        'deployments operator',
        'configmaps operator-settings',
        'namespaces shop',
      ],
    ]);
    expect(await grounds.exists('v1', 'Namespace', 'shop')).toBe(false);
    expect(await grounds.exists('v1', 'ConfigMap', 'customers-own', 'front')).toBe(true);
    await grounds.lab.cluster.kubectl('delete', 'installation', 'shop', '--wait=true', '--timeout=20s');
    expect(await installationOf(grounds.lab.access, 'shop')).toBeUndefined();
  });

  it.concurrent('can be installed again under its name', async () => {
    const options = one('again', [deployment('app'), configMap('settings')]);
    for (const round of [1, 2]) {
      const stack = await grounds.installed(options);
      await stack.order();
      expect((await stack.waitFor('Deleted')).leftovers).toBeUndefined();
      await grounds.lab.cluster.kubectl('delete', 'installation', 'again', '--timeout=20s');
      expect([round, await grounds.exists('v1', 'Namespace', 'again')]).toEqual([round, false]);
    }
  });

  it.concurrent('names the finalizer that holds it, and goes on when that is released', async () => {
    const held = configMap('held', { finalizers: ['example.edu/hold'] });
    const stack = await grounds.installed(
      one('held', [held, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } }]),
    );
    await stack.order();
    expect(await stack.waitForBlocker('finalizer')).toContain('example.edu/hold');
    const [header, row] = (await grounds.lab.cluster.kubectl('get', 'installations', 'held')).split('\n');
    expect(header?.split(/ {2,}/)).toEqual(['NAME', 'STATE', 'PHASE', 'SINCE', 'STEP', 'BLOCKER']);
    expect(row).toMatch(/^held +Deleted +Deleting +\d+s +app: configuration: 1 left +finalizer/);
    expect(await grounds.exists('v1', 'ServiceAccount', 'robot', 'held')).toBe(true);
    await patch(grounds.lab.access, id('v1', 'ConfigMap', 'held', 'held'), { metadata: { finalizers: null } });
    await stack.waitFor('Deleted');
  });

  it.concurrent('waits for the customers of its kinds, with its operator, and names them', async () => {
    const stack = await grounds.installed(one('kinds', [definition('gadgets', 'Gadget'), deployment('operator')]));
    await apply(
      grounds.lab.access,
      namespace('customers-space'),
      placed(custom('Gadget', 'customers-thing'), 'customers-space'),
    );
    await stack.order();
    expect(await stack.waitForBlocker('instances-left')).toContain('customers-space/customers-thing');
    expect(stack.deletions()).toEqual([]);
    await remove(grounds.lab.access, id('shop.example.edu/v1', 'Gadget', 'customers-thing', 'customers-space'));
    await stack.waitFor('Deleted');
  });

  it.concurrent('removes a dead webhook of its own before anything that it would refuse', async () => {
    const stack = await grounds.installed(
      one('dead', [
        configMap('guarded', { labels: { guarded: 'yes' } }),
        deadWebhook('dead', 'dead', { matchLabels: { guarded: 'yes' } }),
      ]),
    );
    await stack.order();
    await stack.waitFor('Deleted');
    expect(stack.deletions()).toEqual([
      'validatingwebhookconfigurations dead',
      'configmaps guarded',
      'namespaces dead',
    ]);
  });

  it.concurrent('names a webhook of others that refuses, and goes on when it is gone', async () => {
    const stack = await grounds.installed(one('refused', [configMap('settings', { labels: { refused: 'yes' } })]));
    await apply(grounds.lab.access, deadWebhook('theirs', 'default', { matchLabels: { refused: 'yes' } }) as never);
    await stack.order();
    expect(await stack.waitForBlocker('webhook-refused')).toContain('theirs.example.edu');
    expect((await stack.waitFor('DeleteError', 90)).lastError).toMatchObject({
      code: 'webhook-refused',
      retryable: true,
    });
    await remove(grounds.lab.access, id('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'theirs'));
    await stack.waitFor('Deleted', 90);
  });

  // Alone: nothing can be uninstalled whole meanwhile.
  it('keeps its namespace while an API group cannot be listed, and says which', async () => {
    const stack = await grounds.installed(one('blind', [configMap('settings')]));
    const service = { namespace: 'default', name: 'nobody' };
    const spec = {
      group: 'broken.example.edu',
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 100,
      service,
    };
    const group = {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: 'v1.broken.example.edu' },
    };
    await apply(grounds.lab.access, { ...group, spec: { ...spec, insecureSkipTLSVerify: true } });
    await waitFor('the group to be known as broken', { seconds: 30 }, async () => {
      const found = await read<{ status?: { conditions?: { status: string }[] } }>(grounds.lab.access, group);
      return found?.status?.conditions?.[0]?.status === 'False' ? { met: true } : { seen: JSON.stringify(found) };
    });
    await stack.order();
    expect(await stack.waitForBlocker('namespace-unread')).toContain('broken.example.edu/v1');
    expect(stack.deletions()).toEqual(['configmaps settings']);
    await remove(grounds.lab.access, group);
    await stack.waitFor('Deleted', 90);
    expect(await grounds.exists('v1', 'Namespace', 'blind')).toBe(false);
  });
});
