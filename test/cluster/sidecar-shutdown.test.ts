import { afterAll, beforeAll, expect, it } from 'vitest';
import { plainStyle } from '../../src/report/style.ts';
import { clientFor } from '../../src/sidecar/kube/client.ts';
import { openConnection } from '../../src/sidecar/kube/connection.ts';
import type { ShutdownStatus } from '../../src/sidecar/shutdown/status.ts';
import { statusText } from '../../src/sidecar/status-text.ts';
import { readStatus } from '../../src/sidecar/status-view.ts';
import { clusterTest } from '../support/cluster-test.ts';
import { addNodes } from '../support/nodes.ts';
import { apply, create, id, type KubeObject, list, patch, read, remove } from '../support/objects.ts';
import { waitFor } from '../support/wait.ts';
import { waitUntilUp } from '../support/workload-waits.ts';
import { deployment, namespace, statefulSet } from '../support/workloads.ts';
import { sidecarUser } from './sidecar/audit.ts';
import { addManagedCluster, countNodes } from './sidecar/bare-metal.ts';
import { type Lab, type Sidecar, startLab } from './sidecar/lab.ts';
import { brokenInvariants, maintenanceKey, notesOn, taintsOf } from './sidecar/looks.ts';
import { addEtcdMember, environmentOf, playHooks, powerJobs, reachableAddress, turn } from './sidecar/machines.ts';

const workers = ['10.0.0.1', '10.0.0.2'];
const controlPlane = ['10.0.0.11', '10.0.0.12', '10.0.0.13'];
const core = ['core-1', 'core-2', 'core-3'];
const everyone = ['worker-1', 'worker-2', ...core];
const powerHook = {
  name: 'bmc',
  image: 'registry.example.edu/bmc:1',
  command: ['/bin/bmc'],
  serviceAccount: 'bmc',
  timeout: '4s',
};
const isMaster = [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }];
const address = reachableAddress();
const runningClaim: KubeObject = {
  apiVersion: 'quiesce.dev/v1alpha1',
  kind: 'VClusterClaim',
  metadata: { name: 'team' },
  spec: {
    state: 'Running',
    cluster: 'main',
    namespace: 'vcluster-team',
    replicas: 1,
    backingStore: 'embeddedDatabase',
  },
};

clusterTest('a whole cluster is shut down and started again', () => {
  let lab: Lab;
  let sidecar: Sidecar;
  let hooks: ReturnType<typeof playHooks>;

  beforeAll(async () => {
    lab = await startLab();
    const { access } = lab;
    hooks = playHooks(access);
    await addNodes(
      access,
      ...workers.map((internalIP, index) => ({ name: `worker-${index + 1}`, internalIP })),
      ...controlPlane.map((internalIP, index) => ({ name: `core-${index + 1}`, internalIP, taints: isMaster })),
    );
    for (const node of core) await addEtcdMember(access, node, node === 'core-2', address);
    const web = deployment({ name: 'web', namespace: 'shop', replicas: 4, pod: { graceSeconds: 1 } });
    const slow = { behaviour: 'slow-shutdown', graceSeconds: 2 } as const;
    const db = statefulSet({ name: 'db', namespace: 'shop', replicas: 2, pod: slow });
    await apply(access, namespace('shop'), web, db);
    await waitUntilUp(access, web, db);
    await lab.block({ nodes: workers, controlPlane, cidrBlocks: [] });
    sidecar = await lab.sidecar({ name: 'steward', args: ['--lease-seconds=3'] });
  });

  afterAll(async () => {
    await hooks?.stop();
    await lab?.stop();
  });

  const statusNow = async (): Promise<ShutdownStatus> =>
    (
      await read<KubeObject & { status?: ShutdownStatus }>(
        lab.access,
        id('quiesce.dev/v1alpha1', 'ClusterShutdown', 'main'),
      )
    )?.status ?? {};
  const until = (what: string, holds: (status: ShutdownStatus) => boolean, seconds = 60) =>
    waitFor(what, { seconds }, async () => {
      const status = await statusNow();
      return holds(status) ? { met: status } : { seen: JSON.stringify(status) };
    });
  const jobsCreated = () =>
    lab
      .audit()
      .filter(({ user, verb, resource }) => user === sidecarUser && verb === 'create' && resource === 'jobs')
      .sort((a, b) => a.received - b.received);
  const quiesceStatus = async () => {
    const connection = openConnection({ kubeconfig: lab.cluster.kubeconfig, environment: {} });
    const view = await readStatus(clientFor({ connection, userAgent: 'test', limitMs: 10_000 }));
    return statusText(view, { now: Date.now(), style: plainStyle });
  };

  it('a gate that is closed holds it, and is named', async () => {
    await addManagedCluster(lab.access, 'tenant', ['10.1.0.1', '10.1.0.2']);
    await countNodes(lab.access, 'tenant', { readyNodes: 1, underMaintenanceNodes: 1 });
    await apply(lab.access, runningClaim);
    await lab.shutdown({ action: 'Shutdown', backupAcknowledged: false, powerHook });
    const { gates = [], blockers = [] } = await until('the user clusters to be seen', ({ gates = [], phase }) => {
      return phase === 'Waiting' && gates.some(({ message = '' }) => message.includes('tenant'));
    });
    expect(gates.map(({ name, open }) => [name, open])).toEqual([
      ['nodes-ready', true],
      ['etcd-running', true],
      ['backup-acknowledged', false],
      ['user-clusters-down', false],
    ]);
    expect(blockers.map(({ code, who, object }) => [code, who, object?.kind, object?.name]).sort()).toEqual([
      ['user-cluster-up', 'operators', 'Cluster', 'tenant'],
      ['user-cluster-up', 'workload-owner', 'VClusterClaim', 'team'],
    ]);
    for (const node of everyone) expect(await notesOn(lab.access, node)).toEqual([]);
    const shown = await quiesceStatus();
    expect(shown).toContain('backup-acknowledged: Nobody has said that there is a backup');
    expect(shown).toMatch(/user-clusters-down: Still running: team \(\w+\), tenant \(tenant-pool: 1 ready\)/);
  });

  it('user clusters that are at rest, or gone, open theirs', async () => {
    await countNodes(lab.access, 'tenant', { readyNodes: 0, underMaintenanceNodes: 2 });
    await patch(lab.access, runningClaim, { metadata: { annotations: { 'quiesce.dev/withdraw-deletion': '' } } });
    await remove(lab.access, runningClaim);
    const { blockers } = await until('no user cluster to run', ({ gates = [] }) =>
      gates.some(({ name, open }) => name === 'user-clusters-down' && open),
    );
    expect(blockers).toBeUndefined();
  });

  it('workers are drained first, and turned off by one Job each, made once, when their pods are gone', async () => {
    await lab.shutdown({ action: 'Shutdown', powerHook });
    // The hook has no ServiceAccount yet: no Pod of it can be made, and its time runs out.
    const { blockers = [], phase } = await until('the hooks to fail', ({ blockers = [] }) => blockers.length === 2);
    expect(blockers.map(({ code }) => code)).toEqual(['power-hook-failed', 'power-hook-failed']);
    expect(phase).toBe('Error');
    for (const node of everyone) expect(await taintsOf(lab.access, node)).toContain(`${maintenanceKey}:NoExecute`);
    const first = Math.min(...jobsCreated().map(({ received }) => received));
    const gone = lab.audit().filter(({ user, verb, namespace, subresource }) => {
      return user !== sidecarUser && verb === 'delete' && namespace === 'shop' && !subresource;
    });
    expect(gone.length).toBeGreaterThanOrEqual(6);
    // Those that are made again find no node and are never bound.
    const left = await list<{ spec: { nodeName?: string } }>(lab.access, ['v1', 'Pod'], { namespace: 'shop' });
    expect(left.filter(({ spec }) => spec.nodeName !== undefined)).toEqual([]);
    expect(Math.max(...gone.map(({ answered }) => answered))).toBeLessThan(first);
    const jobs = await powerJobs(lab.access);
    expect(jobs.map((job) => environmentOf(job).QUIESCE_NODE).sort()).toEqual(['worker-1', 'worker-2']);
    expect(environmentOf(jobs[0] as never)).toMatchObject({ QUIESCE_CLUSTER: 'main', QUIESCE_POWER: 'off' });
  });

  it('a hook that failed is not run again by itself; when people have deleted its Job, it is', async () => {
    const before = jobsCreated().length;
    await sidecar.program.kill();
    sidecar.program.start();
    await until('the failure to be seen again', ({ phase, heartbeat }) => phase === 'Error' && heartbeat !== undefined);
    expect(jobsCreated()).toHaveLength(before);
    const account = {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'bmc', namespace: 'quiesce-system' },
    };
    await create(lab.access, account);
    for (const job of await powerJobs(lab.access)) {
      await remove(lab.access, id('batch/v1', 'Job', job.metadata.name, 'quiesce-system'), {
        propagationPolicy: 'Background',
      });
    }
    await waitFor('both workers to be off', { seconds: 60 }, () =>
      hooks.turned().length >= 2 ? { met: true } : { seen: hooks.turned().join() },
    );
    expect(hooks.turned().slice(0, 2).sort()).toEqual(['off worker-1', 'off worker-2']);
  });

  it.skipIf(address === undefined)(
    'then etcd, a follower first, as far as it keeps its majority; the rest is named, the leader last',
    async () => {
      const { powerOffOrder = [], blockers = [] } = await until('the end of what a hook may do', ({ blockers = [] }) =>
        blockers.some(({ code }) => code === 'etcd-quorum'),
      );
      expect(hooks.turned()).toEqual([expect.any(String), expect.any(String), 'off core-1']);
      expect(powerOffOrder.map(({ node, etcd, state }) => [node, etcd, state])).toEqual([
        ['worker-1', undefined, 'Off'],
        ['worker-2', undefined, 'Off'],
        ['core-1', 'Follower', 'Off'],
        ['core-3', 'Follower', 'Ready'],
        ['core-2', 'Leader', 'Ready'],
      ]);
      expect(blockers.map(({ object }) => object?.name).sort()).toEqual(['core-2', 'core-3']);
      expect(await quiesceStatus()).toMatch(/\n {4}5 {2}core-2 +10\.0\.0\.12 +control-plane +leader +Ready/);
    },
  );

  it('when nobody is heard of any more, it is off', async () => {
    for (const node of core) await turn(lab.access, node, 'off');
    await until('Off', ({ phase, nodesLeft }) => phase === 'Off' && nodesLeft === 0);
  });

  it('a restart goes backwards, killed after each act: control plane first, then a worker, then more', async () => {
    const before = hooks.turned().length;
    await lab.shutdown({ action: 'Restart', powerHook });
    await until('PoweringOn', ({ phase }) => phase === 'PoweringOn');
    // Nothing runs that a Job could run on: somebody presses a button.
    expect(hooks.turned()).toHaveLength(before);
    const actsSoFar = () =>
      lab.audit().filter(({ user, verb, resource }) => {
        return user === sidecarUser && /create|patch/.test(verb) && /jobs|nodes/.test(resource);
      }).length;
    let acts = actsSoFar();
    await turn(lab.access, 'core-2', 'on');
    const left: string[] = [];
    let kills = 0;
    await waitFor('Done', { seconds: 150, everyMs: 20 }, async () => {
      const known = actsSoFar();
      if (known > acts) {
        await sidecar.program.kill();
        sidecar.program.start();
        kills += 1;
      }
      acts = known;
      for (const node of everyone) {
        if (!left.includes(node) && (await notesOn(lab.access, node)).length === 0) left.push(node);
      }
      const { phase } = await statusNow();
      return phase === 'Done' ? { met: true } : { seen: JSON.stringify({ phase, left, turned: hooks.turned() }) };
    });
    // Jobs for core, core's nodes released, Jobs for workers, their release: acts of one moment share one kill.
    expect(kills).toBeGreaterThanOrEqual(3);
    const turned = hooks.turned().slice(before);
    expect([turned.slice(0, 2).sort(), turned.slice(2).sort()]).toEqual([
      ['on core-1', 'on core-3'],
      ['on worker-1', 'on worker-2'],
    ]);
    expect(left.slice(0, 3).sort()).toEqual(core);
    for (const node of everyone) {
      const taints = await taintsOf(lab.access, node);
      expect(taints.filter((taint) => taint.startsWith(maintenanceKey))).toEqual([]);
    }
    const created = jobsCreated().filter(({ status }) => status === 201).length;
    // Of those, two were deleted by people.
    expect(created).toBe(hooks.turned().length + 2);
    expect(brokenInvariants(lab.audit())).toEqual([]);
    // Those of the shutdown have ended, and were for an earlier order.
    expect((await powerJobs(lab.access)).map((job) => environmentOf(job).QUIESCE_POWER)).toEqual(
      turned.map(() => 'on'),
    );
  }, 200_000);

  it('each phase is one Event on the ClusterShutdown', async () => {
    const events = await list<{ regarding?: { kind: string }; reason?: string }>(lab.access, [
      'events.k8s.io/v1',
      'Event',
    ]);
    const reasons = events.flatMap(({ regarding, reason }) => (regarding?.kind === 'ClusterShutdown' ? reason : []));
    expect(reasons).toEqual(expect.arrayContaining(['ShutdownWaiting', 'ShutdownDraining', 'ShutdownOff']));
    const { phase } = await statusNow();
    expect(phase).toBe('Done');
  });
});
