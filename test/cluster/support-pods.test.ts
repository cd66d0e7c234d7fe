import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { podAnnotations } from '../support/behaviour.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { assets, clusterTest } from '../support/cluster-test.ts';
import { requestEviction } from '../support/eviction.ts';
import { startKwok } from '../support/kwok.ts';
import {
  addNodes,
  makeReady,
  makeUnreachable,
  makeUnready,
  type NodeObject,
  restartNode,
  setVolumesInUse,
} from '../support/nodes.ts';
import { annotate, apply, id, list, type ObjectId, patch, read, remove } from '../support/objects.ts';
import { stage } from '../support/stages.ts';
import { waitFor } from '../support/wait.ts';
import { type PodObject, waitForBudget, waitForJob, waitUntilGone, waitUntilUp } from '../support/workload-waits.ts';
import {
  daemonSet,
  deployment,
  job,
  namespace,
  pod,
  podDisruptionBudget,
  priorityClass,
  statefulSet,
} from '../support/workloads.ts';

clusterTest('nodes and Pods without a kubelet', () => {
  let cluster: Cluster;
  let space: string;
  let count = 0;

  beforeAll(async () => {
    cluster = await startCluster({ assets: assets() });
    await startKwok(cluster, { stages: [lateUnmount] });
    await addNodes(
      cluster.access,
      {
        name: 'node-1',
        internalIP: '10.0.0.1',
        labels: { 'quiesce.test/rack': 'a' },
        capacity: { cpu: '4', memory: '8Gi', pods: '50' },
      },
      { name: 'node-2', internalIP: '10.0.0.2' },
    );
  });

  afterAll(() => cluster?.stop());

  beforeEach(async () => {
    count += 1;
    space = `test-${count}`;
    await apply(cluster.access, namespace(space));
  });

  const up = async (...objects: Parameters<typeof apply> extends [unknown, ...infer Objects] ? Objects : never) => {
    await apply(cluster.access, ...objects);
    await waitUntilUp(cluster.access, ...objects);
  };
  const podId = (name: string) => id('v1', 'Pod', name, space);
  const uidOf = async (object: ObjectId) => (await read(cluster.access, object))?.metadata.uid ?? 'none';

  it('nodes keep the addresses, capacity and labels they were given', async () => {
    const node = await read<NodeObject>(cluster.access, id('v1', 'Node', 'node-1'));
    expect(node?.status?.addresses).toContainEqual({ type: 'InternalIP', address: '10.0.0.1' });
    expect(node?.status).toMatchObject({ capacity: { cpu: '4', memory: '8Gi', pods: '50' } });
    expect(node?.metadata.labels).toMatchObject({ 'quiesce.test/rack': 'a' });
    expect(node?.spec?.taints).toBeUndefined();
  });

  it('Deployment, StatefulSet with a volume and DaemonSet come up', async () => {
    const web = deployment({ name: 'web', namespace: space, replicas: 2 });
    const data = statefulSet({ name: 'db', namespace: space, replicas: 2, volume: '1Gi' });
    const agent = daemonSet({ name: 'agent', namespace: space });
    await up(web, data, agent);
    const pods = await list<PodObject>(cluster.access, ['v1', 'Pod'], { namespace: space });
    expect(pods.map(({ status }) => status?.phase)).toEqual(Array.from({ length: 6 }, () => 'Running'));
    const claims = await list(cluster.access, ['v1', 'PersistentVolumeClaim'], { namespace: space });
    expect(claims.map(({ metadata }) => metadata.name)).toEqual(['data-db-0', 'data-db-1']);
  });

  it('a deleted claim takes its volume along', async () => {
    await up(statefulSet({ name: 'db', namespace: space, volume: '1Gi' }));
    const claim = await read(cluster.access, id('v1', 'PersistentVolumeClaim', 'data-db-0', space));
    await remove(cluster.access, id('apps/v1', 'StatefulSet', 'db', space));
    await waitUntilGone(cluster.access, podId('db-0'));
    await remove(cluster.access, id('v1', 'PersistentVolumeClaim', 'data-db-0', space));
    await waitUntilGone(cluster.access, id('v1', 'PersistentVolume', `pvc-${claim?.metadata.uid}`));
  });

  it('a Pod that cannot come up is named with the reason by the wait', async () => {
    const lost = pod({ name: 'lost', namespace: space, pod: { spec: { nodeSelector: { nowhere: 'true' } } } });
    await apply(cluster.access, lost);
    const wait = waitFor('the scheduler to look at it', { seconds: 20 }, async () => {
      const { status } = (await read<PodObject>(cluster.access, lost)) ?? {};
      const said = status?.conditions?.find(({ type }) => type === 'PodScheduled')?.message;
      return said === undefined ? { seen: 'nothing' } : { met: said };
    });
    expect(await wait).toContain("0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector");
  });

  it('priorities are those of the class', async () => {
    await apply(cluster.access, priorityClass('important', 1000));
    await up(pod({ name: 'vip', namespace: space, pod: { spec: { priorityClassName: 'important' } } }));
    expect((await read<PodObject>(cluster.access, podId('vip')))?.spec.priority).toBe(1000);
  });

  it('a never-ready Pod runs and is not ready', async () => {
    await apply(cluster.access, pod({ name: 'ill', namespace: space, pod: { behaviour: 'never-ready' } }));
    await waitFor('the Pod to run', { seconds: 20 }, async () => {
      const status = (await read<PodObject>(cluster.access, podId('ill')))?.status;
      const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status;
      return status?.phase === 'Running' && ready === 'False'
        ? { met: true }
        : { seen: `${status?.phase}, Ready=${ready}` };
    });
  });

  it('a slow Pod takes its grace period, others are gone at once', async () => {
    await up(
      pod({ name: 'slow', namespace: space, pod: { behaviour: 'slow-shutdown', graceSeconds: 4 } }),
      pod({ name: 'quick', namespace: space, pod: { graceSeconds: 60 } }),
    );
    const gone = async (name: string) => {
      const begun = performance.now();
      await remove(cluster.access, podId(name));
      await waitUntilGone(cluster.access, podId(name));
      return (performance.now() - begun) / 1000;
    };
    const [slow, quick] = await Promise.all([gone('slow'), gone('quick')]);
    expect(slow).toBeGreaterThan(3);
    expect(slow).toBeLessThan(15);
    expect(quick).toBeLessThan(15);
  });

  it('a stuck Pod stays Terminating until it is let go, a restart of its node included', async () => {
    const stuck = { behaviour: 'stuck', graceSeconds: 1 } as const;
    await up(
      ...['a', 'b'].map((name) => pod({ name, namespace: space, pod: { ...stuck, spec: { nodeName: 'node-2' } } })),
    );
    await remove(cluster.access, podId('a'));
    await remove(cluster.access, podId('b'));
    await expect(waitUntilGone(cluster.access, podId('a'), 3)).rejects.toThrow(
      /^waited 3 s for Pod test-\d+\/a to be gone; last seen: a Running on node node-2, Terminating since/,
    );
    await annotate(cluster.access, podId('a'), { [podAnnotations.behaviour]: null });
    await waitUntilGone(cluster.access, podId('a'));
    expect(await read(cluster.access, podId('b'))).toBeDefined();
    await restartNode(cluster.access, 'node-2');
    await waitUntilGone(cluster.access, podId('b'));
  });

  it("a Stage of the test's own plays beside the others", async () => {
    const annotations = { 'quiesce.test/unmounts': 'late' };
    await up(pod({ name: 'late', namespace: space, pod: { behaviour: 'stuck', annotations, graceSeconds: 1 } }));
    await remove(cluster.access, podId('late'));
    await expect(waitUntilGone(cluster.access, podId('late'), 1.5)).rejects.toThrow('Terminating since');
    await waitUntilGone(cluster.access, podId('late'), 15);
  });

  it('a finalizer holds a Pod that its kubelet has let go', async () => {
    await up(pod({ name: 'held', namespace: space, pod: { finalizers: ['quiesce.test/hold'] } }));
    await remove(cluster.access, podId('held'));
    await expect(waitUntilGone(cluster.access, podId('held'), 2)).rejects.toThrow('finalizers quiesce.test/hold');
    await patch(cluster.access, podId('held'), { metadata: { finalizers: null } });
    await waitUntilGone(cluster.access, podId('held'));
  });

  it('Jobs succeed, fail and hang as their Pods are told', async () => {
    const jobs = [
      job({ name: 'good', namespace: space }),
      job({ name: 'bad', namespace: space, pod: { behaviour: 'fails' } }),
      job({ name: 'endless', namespace: space, pod: { behaviour: 'hangs' } }),
    ] as const;
    await apply(cluster.access, ...jobs);
    expect(await waitForJob(cluster.access, jobs[0])).toBe('Complete');
    expect(await waitForJob(cluster.access, jobs[1])).toBe('Failed');
    expect(await read(cluster.access, jobs[2])).toMatchObject({ status: { active: 1 } });
  });

  it('the Pods of an unreachable node are not confirmed as ended until the node is back', async () => {
    await up(pod({ name: 'far', namespace: space, pod: { graceSeconds: 1, spec: { nodeName: 'node-2' } } }));
    await makeUnreachable(cluster.access, 'node-2');
    const node = await read<NodeObject>(cluster.access, id('v1', 'Node', 'node-2'));
    expect(node?.status?.conditions?.find(({ type }) => type === 'Ready')?.status).toBe('Unknown');
    await remove(cluster.access, podId('far'));
    await expect(waitUntilGone(cluster.access, podId('far'), 4)).rejects.toThrow('Terminating since');
    await makeReady(cluster.access, 'node-2');
    await waitUntilGone(cluster.access, podId('far'));
  });

  it('an unwell node says so itself, and recovers', async () => {
    await makeUnready(cluster.access, 'node-2');
    await makeReady(cluster.access, 'node-2');
  });

  it('volumes in use are those a test sets', async () => {
    await setVolumesInUse(cluster.access, 'node-1', ['kubernetes.io/csi/quiesce.test^one']);
    const inUse = async () =>
      (await read<NodeObject>(cluster.access, id('v1', 'Node', 'node-1')))?.status?.volumesInUse;
    expect(await inUse()).toEqual(['kubernetes.io/csi/quiesce.test^one']);
    await setVolumesInUse(cluster.access, 'node-1', []);
    expect(await inUse()).toBeUndefined();
  });

  const evict = (name: string, uid?: string) => requestEviction(cluster.access, podId(name), uid);

  it('an eviction is answered as by any API server', async () => {
    const budget = podDisruptionBudget({ name: 'web', namespace: space, minAvailable: 2 });
    await up(statefulSet({ name: 'web', namespace: space, replicas: 2 }), pod({ name: 'free', namespace: space }));
    await apply(cluster.access, budget);
    await waitForBudget(cluster.access, budget);

    expect((await evict('nobody')).status).toBe(404);
    expect((await evict('free', 'another-uid')).status).toBe(409);
    expect((await evict('free', await uidOf(podId('free')))).status).toBe(201);
    await waitUntilGone(cluster.access, podId('free'));

    const refused = await evict('web-0', await uidOf(podId('web-0')));
    expect(refused.status).toBe(429);
    expect(JSON.parse(refused.body).details.causes).toEqual([
      { reason: 'DisruptionBudget', message: 'The disruption budget web needs 2 healthy pods and has 2 currently' },
    ]);

    await apply(
      cluster.access,
      podDisruptionBudget({ name: 'all', namespace: space, matchLabels: {}, maxUnavailable: 1 }),
    );
    const never = await evict('web-0');
    expect(never.status).toBe(500);
    expect(JSON.parse(never.body).message).toBe(
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  });
});

const lateUnmount = stage({
  name: 'late-unmount',
  kind: 'Pod',
  when: [
    ['.metadata.deletionTimestamp', 'Exists'],
    ['.metadata.annotations["quiesce.test/unmounts"]', 'In', 'late'],
  ],
  delay: { durationMilliseconds: 3000 },
  next: { delete: true },
});
