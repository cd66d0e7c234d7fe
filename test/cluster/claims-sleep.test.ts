import { afterAll, beforeAll, expect, it } from 'vitest';
import { clusterTest } from '../support/cluster-test.ts';
import { addNodes } from '../support/nodes.ts';
import { apply, id, type KubeObject, list, patch, read } from '../support/objects.ts';
import { waitFor } from '../support/wait.ts';
import { namespace, pod } from '../support/workloads.ts';
import { brokenPromises } from './claims/audit.ts';
import {
  type ClaimHost,
  claimHost,
  claimId,
  copiedNamespace,
  syncedLabels,
  syncedObjects,
  syncedPod,
  waitForClaim,
} from './claims/host.ts';
import { type Lab, startLab } from './sidecar/lab.ts';

const place = 'vcluster-ada';
const workload = id('apps/v1', 'StatefulSet', 'ada', place);

/** With a sidecar that is killed meanwhile: kills.soak.ts. */
clusterTest('a claim that sleeps and wakes', () => {
  let lab: Lab;
  let claims: ClaimHost;

  beforeAll(async () => {
    lab = await startLab();
    claims = claimHost(lab);
    await addNodes(lab.access, { name: 'worker-1', internalIP: '10.0.0.1' });
    await lab.sidecar();
  });

  afterAll(() => lab?.stop());

  const podsIn = async (where: string) => (await list(lab.access, ['v1', 'Pod'], { namespace: where })).map(nameOf);
  const nameOf = ({ metadata }: KubeObject) => metadata.name;
  const gone = (where: string, name: string) =>
    waitFor(`pod ${name} to be gone`, { seconds: 20 }, async () => {
      const left = await podsIn(where);
      return left.includes(name) ? { seen: left.join() } : { met: true };
    });

  it('is shown as running once its control plane is ready at its full count', async () => {
    await claims.apply('ada', { replicas: 3 });
    const status = await waitForClaim(lab.access, 'ada', { phase: 'Running' });
    expect(status).toMatchObject({ reason: 'Ready', replicas: { desired: 3, observed: 3, ready: 3 } });
    const found = await read(lab.access, claimId('ada'));
    expect(found?.metadata.finalizers).toEqual(['quiesce.dev/uninstall']);
    const [header, row] = (await lab.cluster.kubectl('get', 'vcc')).split('\n');
    expect(header?.split(/ {2,}/)).toEqual(['NAME', 'STATE', 'PHASE', 'SINCE', 'EXPIRES', 'OWNER', 'BLOCKER']);
    expect(row).toMatch(/^ada +Running +Running +\d+s +ada@example.edu/);
  });

  it('asleep, none of its pods is left, and everything else is', async () => {
    const others = [
      pod({ name: 'customers-own', namespace: place }),
      pod({ name: 'same-label', namespace: 'elsewhere', pod: { labels: syncedLabels('ada') } }),
    ];
    await apply(lab.access, namespace('elsewhere'), ...others, ...(await syncedObjects(lab.access, 'ada')));
    await apply(
      lab.access,
      syncedPod('ada', 'web'),
      syncedPod('ada', 'slow', { behaviour: 'slow-shutdown', graceSeconds: 3 }),
    );
    const copied = pod({ name: 'copied', namespace: 'copy-of-ada', pod: { labels: syncedLabels('ada') } });
    await apply(lab.access, copiedNamespace('ada', 'copy-of-ada'), copied);
    await apply(lab.access, syncedPod('ada', 'done', { behaviour: 'succeeds' }));
    await claims.apply('ada', { replicas: 3, state: 'Sleeping' });
    const watching = await waitForClaim(lab.access, 'ada', { phase: 'Sleeping', reason: 'WatchingForReturn' });
    expect(await podsIn(place)).toEqual(['customers-own']);
    expect(watching.heartbeat).toBeDefined();
    const asleep = await waitForClaim(lab.access, 'ada', { phase: 'Asleep' });
    expect(asleep).toMatchObject({ reason: 'AtRest', replicas: { desired: 0, observed: 0, ready: 0 } });
    expect(await podsIn('copy-of-ada')).toEqual([]);
    expect(await podsIn('elsewhere')).toEqual(['same-label']);
    for (const object of await syncedObjects(lab.access, 'ada')) expect(await read(lab.access, object)).toBeDefined();
    const volumes = await list(lab.access, ['v1', 'PersistentVolumeClaim'], { namespace: place });
    expect(volumes.map(nameOf)).toEqual(['data-ada-0', 'data-ada-1', 'data-ada-2', 'files-x-default-x-ada']);
    expect(brokenPromises(lab.audit())).toEqual([]);
  });

  it('a control plane that comes back late and makes pods again is noticed', async () => {
    await apply(lab.access, syncedPod('ada', 'late'));
    await gone(place, 'late-x-default-x-ada');
    const status = await waitForClaim(lab.access, 'ada', { phase: 'Sleeping' });
    // That it falls asleep after that is at the end of the next one: it takes a quiet period.
    expect(status.reason).toBe('WatchingForReturn');
  });

  it('somebody scales it by hand: reported, and git wins', async () => {
    await lab.cluster.kubectl('-n', place, 'scale', 'statefulset/ada', '--replicas=1');
    const status = await waitForClaim(lab.access, 'ada', { phase: 'Sleeping', reason: 'ScaledByHand' });
    expect(status.blockers?.[0]).toMatchObject({ code: 'scaled-by-hand', who: 'applier' });
    expect(status.blockers?.[0]?.message).toContain('by "kubectl');
    await apply(lab.access, syncedPod('ada', 'awake'));
    await claims.apply('ada', { replicas: 3, state: 'Sleeping' });
    await waitForClaim(lab.access, 'ada', { phase: 'Asleep' });
    expect(await podsIn(place)).toEqual(['customers-own']);
    expect(brokenPromises(lab.audit())).toEqual([]);
  });

  it('vcluster resume is told from other scaling', async () => {
    const annotations = { 'loft.sh/paused': null, 'loft.sh/paused-replicas': null };
    await patch(lab.access, workload, { metadata: { annotations }, spec: { replicas: 3 } });
    await waitForClaim(lab.access, 'ada', { phase: 'Sleeping', reason: 'ResumedByHand' });
  });

  it('awake, it has the count from before: 3, not 1', async () => {
    await claims.apply('ada', { replicas: 3 });
    const status = await waitForClaim(lab.access, 'ada', { phase: 'Running' });
    expect(status.replicas).toEqual({ desired: 3, observed: 3, ready: 3 });
    const events = await lab.cluster.kubectl('get', 'events', '-o', 'jsonpath={.items[*].reason}');
    for (const reason of ['Asleep', 'Running', 'ScaledByHand', 'ResumedByHand']) expect(events).toContain(reason);
  });
});
