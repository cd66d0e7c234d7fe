import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clusterTest } from '../support/cluster-test.ts';
import { type FaultProxy, startFaultProxy } from '../support/faults.ts';
import { addNodes } from '../support/nodes.ts';
import { apply, id, patch, read } from '../support/objects.ts';
import { namespace } from '../support/workloads.ts';
import { brokenUninstall } from './claims/audit.ts';
import { type ClaimHost, claimHost, statusOf, syncedPod, usedClaim, waitForClaim } from './claims/host.ts';
import { type AuditLine, sidecarUser } from './sidecar/audit.ts';
import { type Lab, startLab } from './sidecar/lab.ts';
import { brokenInvariants } from './uninstall/invariants.ts';
import { configMap, deployment, placed, statefulSet } from './uninstall/objects.ts';
import { type Stack, stackIn } from './uninstall/stack.ts';
import { deletionsSince, illnesses, infect } from './unwell/ground.ts';

/** Of each illness. */
const illSeconds = 75;
const mostSilentSeconds = 31;

clusterTest('an API server that is unwell for minutes', () => {
  let lab: Lab;
  let claims: ClaimHost;
  let proxy: FaultProxy;
  let stack: Stack;

  beforeAll(async () => {
    lab = await startLab();
    claims = claimHost(lab);
    proxy = await startFaultProxy(lab.cluster);
    await addNodes(lab.access, { name: 'worker-1', internalIP: '10.0.0.1' });
    await lab.sidecar({ access: proxy.access });
    const names = Array.from({ length: 8 }, (_, index) => `part-${index}`);
    stack = stackIn(lab.access, {
      name: 'shop',
      spec: {
        deletion: { confirm: 'shop', timeout: '1h' },
        components: names.map((name, index) => ({
          name,
          namespace: 'shop',
          dependsOn: index === 0 ? [] : [`part-${index - 1}`],
          deletion: { persistentVolumeClaims: 'Delete' },
        })),
      },
      manifests: Object.fromEntries(
        names.map((name) => [
          name,
          [deployment(name), statefulSet(`db-${name}`), configMap(name, { finalizers: ['example.edu/hold'] })],
        ]),
      ),
    });
    await stack.install();
    await stack.waitFor('Installed');
    await claims.apply('ada', { replicas: 3 });
    await usedClaim(lab, claims, 'bob');
    await waitForClaim(lab.access, 'ada', { phase: 'Running' });
    for (let index = 0; index < 8; index += 1) await apply(lab.access, syncedPod('ada', `web-${index}`));
    await apply(lab.access, namespace('elsewhere'), placed(configMap('customers-own'), 'elsewhere'));
  });

  afterAll(() => lab?.stop());

  const heartbeat = async () => (await stack.status())?.heartbeat;
  /** The longest time without a sign of life of the uninstall, in seconds. */
  const watched = async (seconds: number): Promise<number> => {
    const end = Date.now() + seconds * 1000;
    let [seen, since, longest] = [await heartbeat(), Date.now(), 0];
    while (Date.now() < end) {
      await sleep(500);
      const now = await heartbeat();
      longest = Math.max(longest, Date.now() - since);
      if (now !== seen) [seen, since] = [now, Date.now()];
    }
    return longest / 1000;
  };
  /** Somebody releases what holds the components that have come so far. */
  const release = async () => {
    for (let index = 0; index < 8; index += 1) {
      const held = id('v1', 'ConfigMap', `part-${index}`, 'shop');
      const found = await read(lab.access, held);
      if (found?.metadata.deletionTimestamp !== undefined)
        await patch(lab.access, held, { metadata: { finalizers: null } });
    }
  };

  it('is not asked in a flood, nothing is done blindly, and each of the three says so and ends', async () => {
    await stack.order();
    await claims.apply('ada', { replicas: 3, state: 'Sleeping' });
    await claims.apply('bob', { replicas: 3, state: 'Deleted' });
    const silent: number[] = [];
    for (const what of ['lists', 'deletions'] as const) {
      for (const illness of illnesses) {
        const heal = infect(proxy, illness, what, ...(what === 'lists' ? (['watches'] as const) : []));
        if (what === 'lists') proxy.dropWatches();
        await sleep(1000); // What was on its way has arrived.
        const [lines, asked] = [lab.audit().length, proxy.requests.length];
        silent.push(await watched(illSeconds / 2));
        expect([what, illness.status, deletionsSince(lab.audit(), lines)]).toEqual([what, illness.status, []]);
        const perSecond = (proxy.requests.length - asked) / (illSeconds / 2);
        console.info(`${illness.status} of ${what}: ${perSecond.toFixed(1)} requests a second`);
        expect(perSecond).toBeLessThan(30);
        heal();
        await release();
        await sleep(3000);
      }
    }
    expect(Math.max(...silent)).toBeLessThan(mostSilentSeconds);
    const releasing = setInterval(() => void release().catch(() => undefined), 1000);
    try {
      await stack.waitFor('Deleted', 180);
      await waitForClaim(lab.access, 'bob', { phase: 'Deleted' }, 120);
      await waitForClaim(lab.access, 'ada', { phase: 'Asleep' }, 120);
    } finally {
      clearInterval(releasing);
    }
  }, 900_000);

  it('has seen nothing but what each of them may do', async () => {
    expect(brokenInvariants(lab.audit(), ['customers-own'])).toEqual([]);
    const ofClaims = (line: AuditLine) => line.namespace?.startsWith('vcluster-') || line.name?.includes('bob');
    const granted = lab.audit().filter((line) => line.user === sidecarUser && ofClaims(line) === true);
    expect(brokenUninstall(granted, ['bob', 'ada'])).toEqual([]);
    const ofAda = granted.filter(
      ({ verb, namespace: space, status }) => verb === 'delete' && space === 'vcluster-ada' && status < 300,
    );
    expect(new Set(ofAda.map(({ resource }) => resource))).toEqual(new Set(['pods']));
    expect((await statusOf(lab.access, 'bob')).leftovers).toBeUndefined();
  });
});
