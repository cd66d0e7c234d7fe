import { afterAll, beforeAll, expect, it } from 'vitest';
import { clusterTest } from '../support/cluster-test.ts';
import { addNodes } from '../support/nodes.ts';
import { apply, id, type KubeObject, list, patch, remove } from '../support/objects.ts';
import { waitFor } from '../support/wait.ts';
import { waitForBudget, waitUntilUp } from '../support/workload-waits.ts';
import { daemonSet, deployment, job, namespace, podDisruptionBudget, statefulSet } from '../support/workloads.ts';
import { sidecarUser } from './sidecar/audit.ts';
import { type Lab, startLab } from './sidecar/lab.ts';
import { waitForPhase } from './sidecar/looks.ts';
import { addEtcdMember, playHooks, powerJobs, reachableAddress } from './sidecar/machines.ts';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** Claims and installations are other loops, with tests of their own. */
const ofOtherLoops: readonly string[] = [
  '/pods delete',
  'quiesce.dev/installations patch',
  'quiesce.dev/installations/status patch',
  'quiesce.dev/vclusterclaims patch',
  'quiesce.dev/vclusterclaims/status patch',
];

clusterTest('permissions', () => {
  let lab: Lab;
  let hooks: ReturnType<typeof playHooks>;
  const address = reachableAddress();

  beforeAll(async () => {
    lab = await startLab({ mayUninstall: false });
    const { access } = lab;
    hooks = playHooks(access);
    const core = [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }];
    await addNodes(
      access,
      { name: 'worker-1', internalIP: '10.0.0.1' },
      { name: 'core-1', internalIP: '10.0.0.11', taints: core },
    );
    await addEtcdMember(access, 'core-1', true, address);
    const account = {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'bmc', namespace: 'quiesce-system' },
    };
    await apply(access, account, namespace('shop'));
  });

  afterAll(async () => {
    await hooks?.stop();
    await lab?.stop();
  });

  const nodes = { nodes: ['10.0.0.1'], controlPlane: ['10.0.0.11'] };
  /** Held by a finalizer, so that it is asked whether its controller is still there. */
  const held = { finalizers: ['example.com/hold'], spec: { nodeName: 'worker-1' } };
  const readers = ['statefulsets', 'replicasets', 'daemonsets', 'jobs'];

  const drainTwice = async () => {
    const workloads = [
      statefulSet({ name: 'web', namespace: 'shop', pod: held }),
      deployment({ name: 'api', namespace: 'shop', pod: held }),
      daemonSet({ name: 'agent', namespace: 'shop', pod: { finalizers: held.finalizers } }),
      job({ name: 'batch', namespace: 'shop', pod: { behaviour: 'hangs', ...held } }),
    ];
    const budget = podDisruptionBudget({ name: 'web', namespace: 'shop', minAvailable: 1 });
    await apply(lab.access, ...workloads, budget);
    await waitUntilUp(lab.access, ...workloads.slice(0, 3));
    await waitForBudget(lab.access, budget);
    // Twice the same event: the second time it is counted.
    for (let round = 0; round < 2; round += 1) {
      await lab.block({ ...nodes, cidrBlocks: ['10.0.0.1'], deadlineSeconds: 60 });
      await waitForPhase(lab.access, 'worker-1', 'Draining');
      await waitFor('controllers to be read', { seconds: 40 }, () =>
        readers.every((kind) => readByName().includes(kind)) ? { met: true } : { seen: readByName().join() },
      );
      await lab.block({ ...nodes, cidrBlocks: [] });
      await waitForPhase(lab.access, 'worker-1', 'gone');
    }
    for (const object of workloads) await remove(lab.access, object, { propagationPolicy: 'Background' });
    for (const { metadata } of await list<KubeObject>(lab.access, ['v1', 'Pod'], { namespace: 'shop' }))
      await patch(lab.access, id('v1', 'Pod', metadata.name, 'shop'), { metadata: { finalizers: null } });
  };
  const ours = () => lab.audit().filter(({ user }) => user === sidecarUser);
  const readByName = () =>
    ours().flatMap(({ verb, resource, subresource }) => (verb === 'get' && !subresource ? resource : []));

  const shutDown = async () => {
    const powerHook = { name: 'bmc', image: 'x.example/bmc:1', command: ['/b'], serviceAccount: 'bmc', timeout: '20s' };
    await lab.shutdown({ action: 'Shutdown', powerHook });
    await waitFor('a power hook', { seconds: 60 }, async () => {
      const jobs = await powerJobs(lab.access);
      return jobs.length > 0 && hooks.turned().length > 0 ? { met: true } : { seen: JSON.stringify(jobs) };
    });
    await lab.shutdown({ action: 'None' });
    await waitFor('the Jobs of an order that is withdrawn to go', { seconds: 30 }, async () => {
      const jobs = await powerJobs(lab.access);
      return jobs.length === 0 ? { met: true } : { seen: JSON.stringify(jobs) };
    });
  };

  it('what is rendered for the sidecar is what it uses, neither more nor less', async () => {
    const sidecar = await lab.sidecar();
    await drainTwice();
    await shutDown();
    await sidecar.terminate();

    const used = new Set(
      ours().map(({ group, resource, subresource, verb }) =>
        `${group}/${resource}${subresource === undefined ? '' : `/${subresource}`} ${verb}`.trim(),
      ),
    );
    expect(ours().filter(({ status }) => status === 403)).toEqual([]);
    const rendered = new Set(await renderedRules());
    const unused = [...rendered].filter((each) => !used.has(each)).sort();
    expect([...used].filter((each) => !rendered.has(each))).toEqual([]);
    const withoutLeader = address === undefined ? ['/pods/proxy get'] : [];
    expect(unused.filter((each) => !ofOtherLoops.includes(each))).toEqual(withoutLeader);
  }, 200_000);

  const renderedRules = async (): Promise<string[]> => {
    const name = 'quiesce-sidecar';
    const rbac = 'rbac.authorization.k8s.io/v1';
    type Role = { readonly metadata: { readonly name: string }; readonly rules: readonly Rule[] };
    const roles = [
      ...(await list<Role>(lab.access, [rbac, 'ClusterRole'])),
      ...(await list<Role>(lab.access, [rbac, 'Role'])),
    ];
    const own = roles.filter(({ metadata }) => metadata.name.startsWith(name));
    return own
      .flatMap(({ rules }) => rules)
      .flatMap(({ apiGroups, resources, verbs }) =>
        resources.flatMap((resource) => verbs.map((verb) => `${apiGroups[0]}/${resource} ${verb}`)),
      );
  };
});
