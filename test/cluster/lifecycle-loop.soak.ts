import { afterAll, beforeAll, expect, it } from 'vitest';
import { clusterTest } from '../support/cluster-test.ts';
import { addNodes } from '../support/nodes.ts';
import { id, read, remove } from '../support/objects.ts';
import { waitFor } from '../support/wait.ts';
import { claimId, waitForClaim } from './claims/host.ts';
import { ownedBy, recordOf } from './lifecycle/claims.ts';
import { type Lab, startLab } from './lifecycle/lab.ts';
import { startLab as startHost } from './sidecar/lab.ts';

const owner = 'accept-ada@example.edu';

/** People, git, compiler, applier, sidecar, lifecycle runner and mail: each of them real, but for CI and the applier. */
clusterTest('the whole loop', () => {
  let lab: Lab;
  beforeAll(async () => {
    const host = await startHost();
    await addNodes(host.access, { name: 'worker-1', internalIP: '10.0.0.1' });
    await host.sidecar();
    const warnings = [{ about: 'Sleep' as const, delivered: -8, to: owner }];
    lab = await startLab({
      cluster: host.cluster,
      files: {
        'state/claims/tired.yaml': ownedBy('tired', owner),
        'state/records/tired.yaml': recordOf('tired', { firstSeen: -91, sleep: -0.1, delete: 65, warnings }),
        'state/claims/ada.yaml': ownedBy('ada', owner),
      },
    });
  });
  afterAll(() => lab?.stop());

  const commit = async () => JSON.parse((await lab.run({ args: ['--json'] })).stdout).commit;
  const replicasOf = async (name: string) => {
    const found = await read<{ spec: { replicas: number } } & object>(
      lab.access,
      id('apps/v1', 'StatefulSet', name, `vcluster-${name}`),
    );
    return found?.spec.replicas;
  };
  const gone = async (object: Parameters<typeof read>[1]) =>
    waitFor(`${object.kind} ${object.metadata.name} to be gone`, { seconds: 120 }, async () => {
      const found = await read(lab.access, object);
      return found === undefined ? { met: true } : { seen: JSON.stringify(found.status ?? found.metadata) };
    });
  const subjectsOfMails = () => lab.smtp.mails.map(({ raw }) => /^subject: *(.*)$/im.exec(raw)?.[1] ?? '').join('\n');

  it('a claim expires, sleeps in the cluster, and that it sleeps comes back to git', { timeout: 180_000 }, async () => {
    await waitForClaim(lab.access, 'tired', { phase: 'Running' });
    expect(await replicasOf('tired')).toBe(1);
    expect((await commit()).subject).toMatch(/^Put to sleep tired/);
    await lab.applyTip();
    expect(await replicasOf('tired')).toBe(0);
    await waitForClaim(lab.access, 'tired', { phase: 'Asleep' });
    await commit();
    expect(await lab.file('state/records/tired.yaml')).toMatch(/observed:\n {4}phase: Asleep/);
    expect(subjectsOfMails()).toMatch(/tired/);
  });

  it('"kubectl delete vcc" becomes an order in git, is carried out, and leaves the name free', async () => {
    await waitForClaim(lab.access, 'ada', { phase: 'Running' });
    await lab.cluster.kubectl('delete', 'vcc', 'ada', '--wait=false');
    await waitForClaim(lab.access, 'ada', { phase: 'DeletePending', reason: 'NotInGit' });
    expect((await commit()).subject).toMatch(/^Order deletion of ada/);
    expect(await lab.file('state/claims/ada.yaml')).toContain('state: Deleted   # as agreed');
    await lab.applyTip();
    await gone(id('v1', 'Namespace', 'vcluster-ada'));
    await gone(claimId('ada'));
    // It is still rendered, so an applier makes it again; this one is not to be deleted, and says how it ended.
    await lab.applyTip();
    await waitForClaim(lab.access, 'ada', { phase: 'Deleted' }, 120);
    const ends = [await commit(), await commit()].map(({ subject }) => subject ?? '');
    expect(subjectsOfMails()).toMatch(/ada/);
    expect(ends.join('\n')).toMatch(/record uninstall of ada/i);
    expect(await lab.file('state/claims/ada.yaml')).toBeUndefined();
    expect(await lab.file('state/records/ada.yaml')).toMatch(/uninstalled:\n {4}at: ".*"\n {4}data: Deleted/);
    // The applier prunes what is not rendered any more, and the sidecar lets go of it.
    expect((await lab.commitOutput()).status).toBe(0);
    await remove(lab.access, claimId('ada'));
    expect((await commit()).subject).toBe('Forget ada');
    expect(await lab.file('state/records/ada.yaml')).toBeUndefined();
  });
});
