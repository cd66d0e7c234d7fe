import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InstallationStatus } from '../../src/sidecar/installations/status.ts';
import { assets, clusterTest } from '../support/cluster-test.ts';
import { addNodes } from '../support/nodes.ts';
import { apply, id, list, patch, read } from '../support/objects.ts';
import { waitFor } from '../support/wait.ts';
import { type Lab, type Sidecar, startLab } from './sidecar/lab.ts';
import { helm, writeChart } from './uninstall/chart.ts';
import { configMap, deployment } from './uninstall/objects.ts';
import { rawInstallation } from './uninstall/raw.ts';
import { installationOf } from './uninstall/stack.ts';

const hookJob = (name: string, event: string) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name, annotations: { 'helm.sh/hook': event } },
  spec: {
    template: {
      spec: { restartPolicy: 'Never', containers: [{ name: 'hook', image: 'registry.example.edu/hook:1' }] },
    },
  },
});

const policy = (value: string) => ({ annotations: { 'helm.sh/resource-policy': value } });

clusterTest('a component that Helm still keeps a release of', () => {
  let lab: Lab;
  let sidecar: Sidecar;

  beforeAll(async () => {
    lab = await startLab();
    await addNodes(lab.access, { name: 'worker-1', internalIP: '10.0.0.1' });
    const [program = ''] = assets().helm4;
    sidecar = await lab.sidecar({ args: [`--helm=${program}`] });
  });

  afterAll(async () => {
    await sidecar?.terminate();
    await lab?.stop();
  });

  const exists = async (apiVersion: string, kind: string, name: string, space?: string) =>
    (await read(lab.access, id(apiVersion, kind, name, space))) !== undefined;
  const install = async (version: 'helm3' | 'helm4', name: string, templates: Readonly<Record<string, object>>) => {
    const chart = writeChart(`${lab.cluster.sandbox.folder}/charts`, name, templates);
    await helm(lab.cluster, assets()[version], 'install', name, chart, '--namespace', name, '--create-namespace');
  };
  const uninstall = (name: string) =>
    apply(
      lab.access,
      rawInstallation({
        name,
        state: 'Deleted',
        components: [{ name, namespace: name, helm: { release: name, chart: name } }],
      }),
    );
  const statusOf = (name: string, isMet: (status: InstallationStatus) => boolean) =>
    waitFor(`installation ${name}`, { seconds: 60 }, async () => {
      const status = (await installationOf(lab.access, name))?.status;
      return status !== undefined && isMet(status) ? { met: status } : { seen: JSON.stringify(status) };
    });
  const records = async (name: string) =>
    (await list(lab.access, ['v1', 'Secret'], { namespace: name, labelSelector: 'owner=helm' })).length;

  describe.each(['helm3', 'helm4'] as const)('made by %s', (version) => {
    it('is uninstalled by Helm, with its hooks, and without what has the policy keep', async () => {
      const name = `shop-${version}`;
      await install(version, name, {
        app: deployment('app'),
        settings: configMap('settings'),
        kept: configMap('kept', policy('keep')),
        before: hookJob('before', 'pre-delete'),
      });
      await uninstall(name);
      await statusOf(name, ({ phase }) => phase === 'Deleted');
      expect(await exists('apps/v1', 'Deployment', 'app', name)).toBe(false);
      expect(await exists('v1', 'ConfigMap', 'kept', name)).toBe(true);
      // Helm leaves what its hooks have made.
      expect(await exists('batch/v1', 'Job', 'before', name)).toBe(true);
      expect(await records(name)).toBe(0);
    });

    it('that was left in "uninstalling" is taken up again', async () => {
      const name = `half-${version}`;
      await install(version, name, {
        held: configMap('held', { finalizers: ['example.edu/hold'] }),
        app: deployment('app'),
      });
      const half = helm(
        lab.cluster,
        assets()[version],
        'uninstall',
        name,
        '--namespace',
        name,
        '--wait',
        '--timeout',
        '2s',
      );
      await half.catch(() => undefined);
      await patch(lab.access, id('v1', 'ConfigMap', 'held', name), { metadata: { finalizers: null } });
      await uninstall(name);
      await statusOf(name, ({ phase }) => phase === 'Deleted');
      expect([await records(name), await exists('apps/v1', 'Deployment', 'app', name)]).toEqual([0, false]);
    });
  });

  it('with a misspelled policy is not touched, and says why', async () => {
    await install('helm4', 'misspelled', { settings: configMap('settings', policy('keeep')) });
    await uninstall('misspelled');
    const status = await statusOf('misspelled', ({ phase }) => phase === 'DeleteError');
    expect(status.blockers?.[0]).toMatchObject({ code: 'resource-policy', permanent: true });
    expect(await exists('v1', 'ConfigMap', 'settings', 'misspelled')).toBe(true);
  });

  it('that would take data with it is not touched either', async () => {
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    };
    await install('helm3', 'database', { claim });
    await uninstall('database');
    const status = await statusOf('database', ({ phase }) => phase === 'DeleteError');
    expect(status.blockers?.[0]).toMatchObject({ code: 'release-deletes-more', object: { name: 'data' } });
    expect(await exists('v1', 'PersistentVolumeClaim', 'data', 'database')).toBe(true);
  });

  it('whose pre-delete hook fails stays, and is named', async () => {
    const failing = hookJob('fails', 'pre-delete');
    const spec = { ...failing.spec, backoffLimit: 0, activeDeadlineSeconds: 3 };
    const template = { ...spec.template, metadata: { annotations: { 'quiesce.test/behaviour': 'hangs' } } };
    await install('helm4', 'stubborn', { app: deployment('app'), hook: { ...failing, spec: { ...spec, template } } });
    await uninstall('stubborn');
    const status = await statusOf('stubborn', ({ blockers }) => blockers?.[0]?.code === 'release-failed');
    expect(status.lastError).toMatchObject({ code: 'release-failed', retryable: true });
    expect(await exists('apps/v1', 'Deployment', 'app', 'stubborn')).toBe(true);
  });
});
