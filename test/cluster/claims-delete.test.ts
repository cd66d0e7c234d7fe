import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clusterTest } from '../support/cluster-test.ts';
import { addNodes } from '../support/nodes.ts';
import { apply, id, type KubeObject, list, patch, read, remove } from '../support/objects.ts';
import { waitFor } from '../support/wait.ts';
import { namespace, pod } from '../support/workloads.ts';
import { brokenUninstall } from './claims/audit.ts';
import {
  type ClaimHost,
  claimHost,
  claimId,
  copiedNamespace,
  statusOf,
  syncedLabels,
  syncedPod,
  usedClaim,
  waitForClaim,
} from './claims/host.ts';
import { sidecarUser } from './sidecar/audit.ts';
import { killedAfterEachAct } from './sidecar/kills.ts';
import { type Lab, type Sidecar, startLab } from './sidecar/lab.ts';

const everyClaim = ['ada', 'bob', 'cleo', 'dana', 'erin', 'finn', 'gaia', 'hugo', 'iris', 'jane', 'kai'];

interface Volume extends KubeObject {
  readonly spec?: { readonly claimRef?: { readonly namespace: string } };
}

clusterTest('a claim that is deleted', () => {
  let lab: Lab;
  let claims: ClaimHost;
  let sidecar: Sidecar;

  beforeAll(async () => {
    lab = await startLab();
    claims = claimHost(lab);
    await addNodes(lab.access, { name: 'worker-1', internalIP: '10.0.0.1' });
    await apply(lab.access, namespace('elsewhere'), ...copies);
    sidecar = await lab.sidecar();
  });

  afterAll(() => lab?.stop());

  /** Of other people, with our labels: somebody has copied a manifest. */
  const copies: readonly KubeObject[] = [
    { labels: { 'quiesce.dev/claim': 'ada', app: 'vcluster', release: 'ada' }, name: 'copied' },
    { labels: syncedLabels('ada'), name: 'synced-by-another' },
  ].map(({ labels, name }) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'elsewhere', labels },
  }));

  const gone = async (object: Parameters<typeof read>[1], seconds = 60) =>
    waitFor(`${object.kind} ${object.metadata.name} to be gone`, { seconds }, async () => {
      const found = await read(lab.access, object);
      return found === undefined ? { met: true } : { seen: JSON.stringify(found.status ?? found.metadata) };
    });
  const there = async (name: string): Promise<boolean> =>
    (await read(lab.access, id('v1', 'Namespace', `vcluster-${name}`))) !== undefined;
  const podsOf = async (name: string) => {
    const pods = await list(lab.access, ['v1', 'Pod'], { namespace: `vcluster-${name}` });
    return pods.map(({ metadata }) => metadata.name).sort();
  };

  const used = (name: string) => usedClaim(lab, claims, name);

  /** But for what is of other claims, which come and go meanwhile. */
  const clusterScoped = async (claim: string): Promise<string[]> => {
    const kinds = [
      ['v1', 'Namespace'],
      ['v1', 'PersistentVolume'],
      ['scheduling.k8s.io/v1', 'PriorityClass'],
      ['rbac.authorization.k8s.io/v1', 'ClusterRole'],
      ['rbac.authorization.k8s.io/v1', 'ClusterRoleBinding'],
    ] as const;
    const all = await Promise.all(kinds.map(async (kind) => ({ kind, objects: await list<Volume>(lab.access, kind) })));
    const names = all.flatMap(({ kind, objects }) =>
      objects.map(({ metadata, spec }) => `${kind[1]} ${spec?.claimRef?.namespace ?? ''} ${metadata.name}`),
    );
    const others = everyClaim.filter((name) => name !== claim);
    return names
      .filter((name) => !others.some((other) => new RegExp(`vcluster-${other}|-(x|of)-${other}$`).test(name)))
      .sort();
  };

  it.concurrent('in git: nothing of it is left, nothing else is touched, and its name can be used again', async () => {
    const before = await clusterScoped('ada');
    await used('ada');
    await claims.apply('ada', { replicas: 3, state: 'Deleted' });
    const status = await waitForClaim(lab.access, 'ada', { phase: 'Deleted' });
    expect(status.leftovers).toBeUndefined();
    expect(status.conditions?.find(({ type }) => type === 'Ready')?.status).toBe('True');
    expect(await there('ada')).toBe(false);
    for (const copy of copies) expect(await read(lab.access, copy)).toBeDefined();
    await waitFor('the volumes to be gone', { seconds: 20 }, async () => {
      const after = await clusterScoped('ada');
      const differ = [...before, ...after].filter((name) => before.includes(name) !== after.includes(name));
      return differ.length === 0 ? { met: true } : { seen: differ.join() };
    });
    // The record is written, the file goes, and the applier prunes the resource.
    await remove(lab.access, claimId('ada'));
    await gone(claimId('ada'));
    await claims.apply('ada', { replicas: 1 });
    await waitForClaim(lab.access, 'ada', { phase: 'Running' });
    const volumes = await list(lab.access, ['v1', 'PersistentVolumeClaim'], { namespace: 'vcluster-ada' });
    expect(volumes.map(({ metadata }) => metadata.name)).toEqual(['data-ada-0']);
  });

  describe.concurrent('with kubectl', () => {
    it('waits for git, and says so; then it is the same', async () => {
      await used('bob');
      await lab.cluster.kubectl('delete', 'vcc', 'bob', '--wait=false');
      const status = await waitForClaim(lab.access, 'bob', { phase: 'DeletePending', reason: 'NotInGit' });
      expect(status.blockers?.[0]).toMatchObject({ code: 'not-in-git', who: 'lifecycle' });
      expect(await podsOf('bob')).toEqual(['bob-0', 'bob-1', 'bob-2', 'web-x-default-x-bob']);
      await claims.apply('bob', { replicas: 3, state: 'Deleted' });
      await gone(claimId('bob'));
      expect(await there('bob')).toBe(false);
      // The file is still there, so the applier makes the resource again.
      await claims.apply('bob', { replicas: 3, state: 'Deleted' });
      await waitForClaim(lab.access, 'bob', { phase: 'Deleted' });
      await remove(lab.access, claimId('bob'));
      await gone(claimId('bob'));
    });

    it('taken back before git says so: nothing is uninstalled', async () => {
      await used('cleo');
      await lab.cluster.kubectl('delete', 'vcc', 'cleo', '--wait=false');
      await waitForClaim(lab.access, 'cleo', { phase: 'DeletePending' });
      await lab.cluster.kubectl('annotate', 'vcc', 'cleo', 'quiesce.dev/withdraw-deletion=');
      await gone(claimId('cleo'));
      await claims.apply('cleo', { replicas: 3 });
      await waitForClaim(lab.access, 'cleo', { phase: 'Running' });
      expect(await podsOf('cleo')).toEqual(['cleo-0', 'cleo-1', 'cleo-2', 'web-x-default-x-cleo']);
      const touched = lab.audit().filter(({ user, verb, namespace: where }) => {
        return user === sidecarUser && verb.startsWith('delete') && where === 'vcluster-cleo';
      });
      expect(touched).toEqual([]);
    });

    it('taken back in git in the middle: it stops, the resource is let go, and the applier makes the rest again', async () => {
      await claims.apply('dana', { replicas: 1 });
      await waitForClaim(lab.access, 'dana', { phase: 'Running' });
      const stuck = syncedPod('dana', 'stuck', { finalizers: ['example.com/hold'] });
      await apply(lab.access, stuck);
      await lab.cluster.kubectl('delete', 'vcc', 'dana', '--wait=false');
      await claims.apply('dana', { replicas: 1, state: 'Deleted' });
      await waitFor('the pod to be told', { seconds: 40 }, async () => {
        const found = await read(lab.access, stuck);
        return found?.metadata.deletionTimestamp === undefined ? { seen: 'it is not' } : { met: true };
      });
      await claims.apply('dana', { replicas: 1 });
      await gone(claimId('dana'));
      await claims.apply('dana', { replicas: 1 });
      await patch(lab.access, stuck, { metadata: { finalizers: null } });
      await waitForClaim(lab.access, 'dana', { phase: 'Running' });
      const volumes = await list(lab.access, ['v1', 'PersistentVolumeClaim'], { namespace: 'vcluster-dana' });
      expect(volumes.map(({ metadata }) => metadata.name)).toEqual(['data-dana-0']);
    });
  });

  it.concurrent('restored in git in the middle: it stops and says so', async () => {
    await claims.apply('erin', { replicas: 1 });
    await waitForClaim(lab.access, 'erin', { phase: 'Running' });
    const stuck = syncedPod('erin', 'stuck', { finalizers: ['example.com/hold'] });
    await apply(lab.access, stuck);
    await claims.apply('erin', { replicas: 1, state: 'Deleted' });
    await waitForClaim(lab.access, 'erin', { phase: 'Deleting' });
    await gone(id('apps/v1', 'StatefulSet', 'erin', 'vcluster-erin'));
    await claims.apply('erin', { replicas: 1 });
    await waitForClaim(lab.access, 'erin', { phase: 'Running' });
    const its = '--field-selector=involvedObject.name=erin';
    expect(await lab.cluster.kubectl('get', 'events', its)).toContain('UninstallStopped');
    await patch(lab.access, stuck, { metadata: { finalizers: null } });
    expect(await there('erin')).toBe(true);
  });

  it.concurrent('with its namespace already terminating', async () => {
    await used('gaia');
    await lab.cluster.kubectl('delete', 'namespace', 'vcluster-gaia', '--wait=false');
    await claims.apply('gaia', { replicas: 3, state: 'Deleted' }).catch(() => undefined);
    await waitForClaim(lab.access, 'gaia', { phase: 'Deleted' });
    expect(await there('gaia')).toBe(false);
  });

  it.concurrent('while it wakes', async () => {
    await claims.apply('kai', { replicas: 3 });
    await waitForClaim(lab.access, 'kai', { phase: 'Waking' });
    await claims.apply('kai', { replicas: 3, state: 'Deleted' });
    await waitForClaim(lab.access, 'kai', { phase: 'Deleted' });
    expect(await there('kai')).toBe(false);
  });

  it.concurrent('somebody else has put something into its namespace: that stays, and is listed', async () => {
    await used('hugo');
    const theirs = pod({ name: 'theirs', namespace: 'vcluster-hugo' });
    await apply(lab.access, theirs);
    await claims.apply('hugo', { replicas: 3, state: 'Deleted' });
    const status = await waitForClaim(lab.access, 'hugo', { phase: 'Deleted' });
    expect(status.leftovers).toEqual([{ apiVersion: 'v1', kind: 'Namespace', name: 'vcluster-hugo' }]);
    expect(await podsOf('hugo')).toEqual(['theirs']);
  });

  it.concurrent('with the namespaces that it has copied to the host, but not with what others have in one, nor with one that it imported', async () => {
    await used('jane');
    const imported = copiedNamespace('jane', 'imported-of-jane', { 'vcluster.loft.sh/imported': 'true' });
    await apply(
      lab.access,
      copiedNamespace('jane', 'copy-of-jane'),
      copiedNamespace('jane', 'shared-of-jane'),
      imported,
    );
    const synced = (space: string) => pod({ name: 'web', namespace: space, pod: { labels: syncedLabels('jane') } });
    const theirs = pod({ name: 'theirs', namespace: 'shared-of-jane' });
    await apply(lab.access, synced('copy-of-jane'), synced('shared-of-jane'), theirs);
    await claims.apply('jane', { replicas: 3, state: 'Deleted' });
    const status = await waitForClaim(lab.access, 'jane', { phase: 'Deleted' });
    expect(status.leftovers).toEqual([{ apiVersion: 'v1', kind: 'Namespace', name: 'shared-of-jane' }]);
    const left = [];
    for (const name of ['vcluster-jane', 'copy-of-jane', 'shared-of-jane', 'imported-of-jane'])
      if ((await read(lab.access, id('v1', 'Namespace', name))) !== undefined) left.push(name);
    expect(left).toEqual(['shared-of-jane', 'imported-of-jane']);
    expect(await read(lab.access, synced('shared-of-jane'))).toBeUndefined();
    expect(await read(lab.access, theirs)).toBeDefined();
  });

  it('while asleep, half installed, and with the sidecar down meanwhile', async () => {
    await claims.apply('finn', { replicas: 1 });
    await waitForClaim(lab.access, 'finn', { phase: 'Running' });
    await claims.apply('finn', { replicas: 1, state: 'Sleeping' });
    await waitForClaim(lab.access, 'finn', { phase: 'Sleeping' });
    await sidecar.program.kill();
    await remove(lab.access, id('v1', 'Service', 'finn-headless', 'vcluster-finn'));
    await remove(lab.access, id('v1', 'Secret', 'vc-config-finn', 'vcluster-finn'));
    await claims.apply('finn', { replicas: 1, state: 'Deleted' });
    await lab.cluster.kubectl('delete', 'vcc', 'finn', '--wait=false');
    sidecar.program.start();
    await gone(claimId('finn'), 90);
    expect(await there('finn')).toBe(false);
  });

  it('killed after some of its acts, it comes to the same end', async () => {
    await used('iris');
    await claims.apply('iris', { replicas: 3, state: 'Deleted' });
    const isOver = async () => (await statusOf(lab.access, 'iris')).phase === 'Deleted';
    expect(await killedAfterEachAct(lab, sidecar, { kills: 5, seconds: 90, isOver })).toBe(5);
    expect(await there('iris')).toBe(false);
  });

  it('of everything that was deleted, each was known by its UID and belonged to a claim that git says is Deleted', () => {
    expect(brokenUninstall(lab.audit(), everyClaim)).toEqual([]);
  });
});
