import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { clusterTest } from '../support/cluster-test.ts';
import { apply, id, patch, read } from '../support/objects.ts';
import { waitFor } from '../support/wait.ts';
import { type Grounds, one, openGrounds } from './uninstall/grounds.ts';
import { configMap, deployment, placed, statefulSet } from './uninstall/objects.ts';
import { installationOf } from './uninstall/stack.ts';

clusterTest('an installation whose state changes', () => {
  let grounds: Grounds;

  beforeAll(async () => {
    grounds = await openGrounds();
  });

  afterAll(() => grounds?.stop());

  afterEach(() => {
    expect(grounds.faults()).toEqual([]);
  });

  it.concurrent('stops where it is when git says Installed again, and takes it up when git says Deleted', async () => {
    const held = configMap('held', { finalizers: ['example.edu/hold'] });
    const stack = await grounds.installed(
      one('back', [held, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } }]),
    );
    await stack.order();
    await stack.waitForBlocker('finalizer');
    await stack.install();
    await patch(grounds.lab.access, id('v1', 'ConfigMap', 'held', 'back'), { metadata: { finalizers: null } });
    // What an applier does again and again.
    await stack.install();
    await stack.waitFor('Installed');
    expect(await grounds.exists('v1', 'ServiceAccount', 'robot', 'back')).toBe(true);
    await stack.order();
    await stack.waitForBlocker('finalizer');
    await patch(grounds.lab.access, id('v1', 'ConfigMap', 'held', 'back'), { metadata: { finalizers: null } });
    await stack.waitFor('Deleted');
  });

  it.concurrent('runs its hooks in order, again after a failure, once after a success, and ends them at their deadline', async () => {
    const hook = (name: string, more: object = {}) => ({
      name,
      image: 'registry.example.edu/hook:1',
      command: ['run'],
      ...more,
    });
    const deletion = { preDelete: [hook('first'), hook('fails-once')], postDelete: [hook('last')] };
    const stack = await grounds.installed(one('hooked', [deployment('app')], { deletion }));
    await stack.order();
    expect(await stack.waitForBlocker('hook-failed')).toContain('fails-once');
    expect(stack.deletions()).toEqual([]);
    const status = await stack.waitFor('Deleted', 90);
    expect(status.components?.[0]?.hooks).toEqual([
      { name: 'first', state: 'Succeeded', attempt: 1 },
      { name: 'fails-once', state: 'Succeeded', attempt: 2 },
      { name: 'last', state: 'Succeeded', attempt: 1 },
    ]);
    const endless = await grounds.installed(
      one('endless', [deployment('app')], { deletion: { preDelete: [hook('hangs', { timeout: '5s' })] } }),
    );
    await endless.order();
    expect(await endless.waitForBlocker('hook-failed')).toContain('DeadlineExceeded');
    await endless.order({ spec: { components: [{ name: 'app', namespace: 'endless' }] } });
    await endless.waitFor('Deleted');
  });

  it.concurrent('is removed as far as it left git, while the rest stays', async () => {
    const stack = await grounds.installed({
      name: 'part',
      spec: {
        components: [
          { name: 'app', namespace: 'part' },
          { name: 'old', namespace: 'old' },
        ],
      },
      manifests: {
        app: [deployment('app'), configMap('one'), configMap('two')],
        old: [deployment('old'), statefulSet('db')],
      },
    });
    await grounds.waitForClaims('old', 2);
    const copy = (await read(grounds.lab.access, id('v1', 'ConfigMap', 'one', 'part')))?.metadata.labels ?? {};
    await apply(grounds.lab.access, placed(configMap('customers-own', { labels: copy }), 'part'));
    await stack.install({
      spec: { components: [{ name: 'app', namespace: 'part' }] },
      manifests: { app: [deployment('app'), configMap('one')] },
    });
    await waitFor('what left git to be gone', { seconds: 90 }, async () => {
      const left = [
        await grounds.exists('v1', 'ConfigMap', 'two', 'part'),
        await grounds.exists('apps/v1', 'Deployment', 'old', 'old'),
        await grounds.exists('apps/v1', 'StatefulSet', 'db', 'old'),
      ];
      return left.includes(true) ? { seen: `${left}` } : { met: true };
    });
    expect(await grounds.exists('apps/v1', 'Deployment', 'app', 'part')).toBe(true);
    expect(await grounds.exists('v1', 'ConfigMap', 'customers-own', 'part')).toBe(true);
    expect(await grounds.exists('v1', 'PersistentVolumeClaim', 'data-db-0', 'old')).toBe(true);
    expect((await stack.status())?.phase).toBe('Installed');
  });

  it.concurrent('is not uninstalled by kubectl delete while git says Installed, and can be kept', async () => {
    const stack = await grounds.installed(one('byhand', [configMap('settings')]));
    await grounds.lab.cluster.kubectl('delete', 'installation', 'byhand', '--wait=false');
    expect(await stack.waitForBlocker('not-in-git')).toContain('git says Installed');
    expect(stack.deletions()).toEqual([]);
    await grounds.lab.cluster.kubectl('annotate', 'installation', 'byhand', 'quiesce.dev/withdraw-deletion=');
    await waitFor('the resource to be let go', { seconds: 20 }, async () =>
      (await installationOf(grounds.lab.access, 'byhand')) === undefined ? { met: true } : { seen: 'it is there' },
    );
    expect(await grounds.exists('v1', 'ConfigMap', 'settings', 'byhand')).toBe(true);
  });
});
