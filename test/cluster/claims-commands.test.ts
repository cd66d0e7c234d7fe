import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { builtCommand } from '../commands/built.ts';
import { writeKubeconfig } from '../support/access.ts';
import { clusterTest } from '../support/cluster-test.ts';
import { addNodes } from '../support/nodes.ts';
import { apply, id, type KubeObject, list, patch, read } from '../support/objects.ts';
import { waitFor } from '../support/wait.ts';
import { waitUntilUp } from '../support/workload-waits.ts';
import { deployment, namespace } from '../support/workloads.ts';
import { brokenUninstall } from './claims/audit.ts';
import { type ClaimHost, claimHost, statusOf, syncedObjects, syncedPod, waitForClaim } from './claims/host.ts';
import { type Lab, type Sidecar, startLab } from './sidecar/lab.ts';

clusterTest('what people see of claims', () => {
  let lab: Lab;
  let claims: ClaimHost;
  let kubeconfig: string;
  let sidecar: Sidecar;

  beforeAll(async () => {
    lab = await startLab();
    claims = claimHost(lab);
    await addNodes(lab.access, { name: 'worker-1', internalIP: '10.0.0.1' });
    kubeconfig = await writeKubeconfig(`${lab.cluster.sandbox.folder}/person.kubeconfig`, lab.access);
    sidecar = await lab.sidecar();
  });

  afterAll(() => lab?.stop());

  const quiesce = async (...args: string[]) => {
    const options = { env: { ...lab.cluster.sandbox.env, NO_COLOR: '1', KUBECONFIG: kubeconfig } };
    return promisify(execFile)(process.execPath, [await builtCommand(), ...args], options).then(
      ({ stdout, stderr }) => ({ status: 0, stdout, stderr }),
      (error: { code: number; stdout: string; stderr: string }) => ({
        status: error.code,
        stdout: error.stdout,
        stderr: error.stderr,
      }),
    );
  };
  const nameOf = ({ metadata }: KubeObject) => metadata.name;

  it('data that is to be kept is kept, with the Service that owns the tenant’s, and listed', async () => {
    await claims.apply('kim', { replicas: 1, keepData: true });
    await waitForClaim(lab.access, 'kim', { phase: 'Running' });
    await apply(lab.access, ...(await syncedObjects(lab.access, 'kim')), syncedPod('kim', 'web'));
    await claims.apply('kim', { replicas: 1, keepData: true, state: 'Deleted' });
    const status = await waitForClaim(lab.access, 'kim', { phase: 'Deleted' });
    // The word that the lifecycle runner looks for, for the generation that it looks at.
    expect(status.reason).toBe('DataKept');
    const left = (status.leftovers ?? []).map(({ kind, name }) => `${kind} ${name}`);
    expect(left).toEqual(
      expect.arrayContaining([
        'Namespace vcluster-kim',
        'PersistentVolumeClaim data-kim-0',
        'PersistentVolumeClaim files-x-default-x-kim',
      ]),
    );
    const volumes = await list(lab.access, ['v1', 'PersistentVolumeClaim'], { namespace: 'vcluster-kim' });
    expect(volumes.map(nameOf)).toEqual(['data-kim-0', 'files-x-default-x-kim']);
    expect(volumes.filter(({ metadata }) => metadata.deletionTimestamp !== undefined)).toEqual([]);
    expect(await read(lab.access, id('v1', 'Service', 'kim', 'vcluster-kim'))).toBeDefined();
    const secrets = await list(lab.access, ['v1', 'Secret'], { namespace: 'vcluster-kim' });
    expect(secrets).toEqual([]);
    expect(brokenUninstall(lab.audit(), ['kim'])).toEqual([]);
  });

  it('quiesce explain says why, what it waits for and who has to act', async () => {
    await claims.apply('lea', { replicas: 1 });
    await waitForClaim(lab.access, 'lea', { phase: 'Running' });
    const stuck = syncedPod('lea', 'stuck', { finalizers: ['example.com/hold'], graceSeconds: 0 });
    await apply(lab.access, stuck);
    await claims.apply('lea', { replicas: 1, state: 'Sleeping' });
    await waitFor('the finalizer to be named', { seconds: 60 }, async () => {
      const { blockers = [] } = await statusOf(lab.access, 'lea');
      return blockers[0]?.code === 'finalizer' ? { met: true } : { seen: JSON.stringify(blockers) };
    });
    const { status, stdout } = await quiesce('explain', 'lea');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Claim lea is Sleeping \(RemovingPods\), for \d+.*\. Git asks for Sleeping\.\n/);
    expect(stdout).toContain('its finalizer "example.com/hold" holds it');
    expect(stdout).toContain('To act: a controller of the cluster');
    const { explanations } = JSON.parse((await quiesce('explain', 'lea', '--json')).stdout);
    expect(explanations[0]).toMatchObject({
      kind: 'claim',
      phase: 'Sleeping',
      waitingFor: [{ code: 'finalizer', finalizer: 'example.com/hold', pod: { name: 'stuck-x-default-x-lea' } }],
    });
    const overview = (await quiesce('status')).stdout;
    expect(overview).toMatch(
      /\n {2}lea +Sleeping +Sleeping +\d+\S* +remove the pods of the virtual cluster +RemovingPods/,
    );
    const wide = await lab.cluster.kubectl('get', 'vcc', 'lea', '-o', 'wide');
    expect(wide).toMatch(/lea +Sleeping +Sleeping +.*finalizer +remove the pods of the virtual cluster/);
    await patch(lab.access, stuck, { metadata: { finalizers: null } });
    expect(await quiesce('explain', 'leo')).toMatchObject({
      status: 1,
      stderr: 'There is no claim and no installation called "leo" on this cluster. Did you mean "lea"?\n',
    });
  });

  it('quiesce leftovers finds what earlier tools and people have left, and deletes nothing', async () => {
    const web = deployment({ name: 'web', namespace: 'shop' });
    await apply(lab.access, namespace('shop'), web, ...leftByOthers);
    await waitUntilUp(lab.access, web);
    const [orphan] = await list(lab.access, ['v1', 'Pod'], { namespace: 'shop' });
    await lab.cluster.kubectl('-n', 'shop', 'label', 'pod', orphan?.metadata.name ?? '', 'app-', '--overwrite');
    await lab.cluster.kubectl('-n', 'vcluster-lea', 'label', 'service', 'lea', 'team=red');
    const before = lab.audit().filter(({ verb }) => verb.startsWith('delete')).length;
    const { status, stdout } = await quiesce('leftovers', '--json');
    const found = JSON.parse(stdout);
    expect(status).toBe(0);
    const names = found.leftovers.map(
      ({ code, object }: { code: string; object: { kind: string; name: string } }) =>
        `${code} ${object.kind} ${object.name}`,
    );
    expect(names).toEqual(
      expect.arrayContaining([
        'volume-of-gone-claim PersistentVolumeClaim data-gone-2',
        'object-of-gone-claim PriorityClass vcluster-high-x-vcluster-gone-x-gone',
        'dangling-webhook ValidatingWebhookConfiguration left-behind',
        `orphaned-pod Pod ${orphan?.metadata.name}`,
        'foreign-label Service lea',
      ]),
    );
    expect(names.filter((name: string) => / (?:stuck|vcluster-kim|kim|lea-0|data-lea-0)/.test(name))).toEqual([]);
    const text = (await quiesce('leftovers', '--cluster', 'test')).stdout;
    expect(text).toContain('volume-of-gone-claim\n  PersistentVolumeClaim vcluster-kept/data-gone-2 is of "gone"');
    expect(await quiesce('leftovers', '--cluster', 'moon')).toMatchObject({ status: 2 });
    expect(lab.audit().filter(({ verb }) => verb.startsWith('delete')).length - before).toBe(0);
  });

  it('quiesce sidecar --once first writes the order down; --dry-run says what goes next, and the next --once does it', async () => {
    await sidecar.terminate();
    await claims.apply('lea', { replicas: 1, state: 'Deleted' });
    const workload = id('apps/v1', 'StatefulSet', 'lea', 'vcluster-lea');
    const isTold = async () => {
      const found = await read(lab.access, workload);
      return found === undefined || found.metadata.deletionTimestamp !== undefined;
    };
    expect((await quiesce('sidecar', '--once')).stdout).toContain('lea is DeletePending (Ordered)');
    expect(await statusOf(lab.access, 'lea')).toMatchObject({ phase: 'DeletePending', reason: 'Ordered' });
    const told = (await quiesce('sidecar', '--dry-run')).stdout;
    expect(told).toContain('  delete StatefulSet vcluster-lea/lea\n');
    expect(told).not.toContain('Service');
    expect(await isTold()).toBe(false);
    expect((await quiesce('sidecar', '--once')).stdout).toContain('  delete StatefulSet vcluster-lea/lea\n');
    expect(await isTold()).toBe(true);
    expect(await read(lab.access, id('v1', 'Service', 'lea', 'vcluster-lea'))).toBeDefined();
  });
});

const leftByOthers: readonly KubeObject[] = [
  namespace('vcluster-kept'),
  {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data-gone-2', namespace: 'vcluster-kept', labels: { app: 'vcluster', release: 'gone' } },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  },
  {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: {
      name: 'vcluster-high-x-vcluster-gone-x-gone',
      labels: { 'vcluster.loft.sh/managed-by': 'vcluster-gone-x-gone' },
    },
    value: 100,
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'left-behind' },
    webhooks: [
      {
        name: 'left.example.com',
        clientConfig: { service: { namespace: 'shop', name: 'gone' }, caBundle: '' },
        rules: [{ apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['things'] }],
        failurePolicy: 'Fail',
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  },
];
