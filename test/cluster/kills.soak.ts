import { afterAll, beforeAll, expect, it } from 'vitest';
import { clusterTest } from '../support/cluster-test.ts';
import { addNodes } from '../support/nodes.ts';
import { apply, id, read } from '../support/objects.ts';
import { brokenPromises, brokenUninstall } from './claims/audit.ts';
import { type ClaimHost, claimHost, statusOf, syncedPod, usedClaim, waitForClaim } from './claims/host.ts';
import { killedAfterEachAct } from './sidecar/kills.ts';
import { type Lab, type Sidecar, startLab } from './sidecar/lab.ts';
import { brokenCourse } from './uninstall/invariants.ts';
import { stackOfEverything } from './uninstall/killed-stack.ts';

/** More than there are acts in any of these courses. */
const each = { kills: 60, seconds: 280 } as const;

clusterTest('killed after each of its acts, the sidecar comes to the same end', () => {
  let lab: Lab;
  let claims: ClaimHost;
  let sidecar: Sidecar;
  let before = 0;

  beforeAll(async () => {
    lab = await startLab();
    claims = claimHost(lab);
    await addNodes(lab.access, { name: 'worker-1', internalIP: '10.0.0.1' });
    sidecar = await lab.sidecar();
  });

  afterAll(() => lab?.stop());

  const since = () => lab.audit().slice(before);
  const isPhase = (name: string, phase: string) => async () => (await statusOf(lab.access, name)).phase === phase;

  it('with a claim that falls asleep', async () => {
    await claims.apply('ada', { replicas: 3 });
    await waitForClaim(lab.access, 'ada', { phase: 'Running' });
    for (let index = 0; index < 6; index += 1) await apply(lab.access, syncedPod('ada', `many-${index}`));
    before = lab.audit().length;
    await claims.apply('ada', { replicas: 3, state: 'Sleeping' });
    const kills = await killedAfterEachAct(lab, sidecar, { ...each, kills: 12, isOver: isPhase('ada', 'Asleep') });
    expect(kills).toBeGreaterThan(8);
    expect(brokenPromises(since())).toEqual([]);
  });

  it('with a claim that is deleted', async () => {
    await usedClaim(lab, claims, 'iris');
    before = lab.audit().length;
    await claims.apply('iris', { replicas: 3, state: 'Deleted' });
    const kills = await killedAfterEachAct(lab, sidecar, { ...each, kills: 30, isOver: isPhase('iris', 'Deleted') });
    expect(kills).toBeGreaterThan(10);
    expect(await read(lab.access, id('v1', 'Namespace', 'vcluster-iris'))).toBeUndefined();
    expect(brokenUninstall(since(), ['iris'])).toEqual([]);
  });

  it('with an installation that is uninstalled', async () => {
    const stack = await stackOfEverything(lab, 'killed');
    before = lab.audit().length;
    await stack.order();
    const isOver = async () => (await stack.status())?.phase === 'Deleted';
    const kills = await killedAfterEachAct(lab, sidecar, { ...each, kills: 40, isOver });
    expect(kills).toBeGreaterThan(10);
    expect((await stack.status())?.leftovers).toBeUndefined();
    expect(brokenCourse(since(), [])).toEqual([]);
  });
});
