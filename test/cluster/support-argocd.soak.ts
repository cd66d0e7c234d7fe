import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ArgoCd, startArgoCd } from '../support/argocd.ts';
import { repositorySecret } from '../support/argocd-objects.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { argocdTest, assets, redisCommand } from '../support/cluster-test.ts';
import { type GitServer, startGitServer } from '../support/git-server.ts';
import { apply, id, patch, read } from '../support/objects.ts';
import { openWorkshop, type TempRepo, type Workshop } from '../support/temp-repo.ts';
import { waitFor } from '../support/wait.ts';
import { waitUntilGone } from '../support/workload-waits.ts';

const credentials = { username: 'argo', password: 'a password' };

argocdTest('Argo CD with two clusters and a git server that asks for a password', () => {
  let home: Cluster;
  let away: Cluster;
  let argo: ArgoCd;
  let server: GitServer;
  let workshop: Workshop;
  let repo: TempRepo;

  beforeAll(async () => {
    [home, away] = await Promise.all([
      startCluster({ assets: assets(), name: 'home', scheduler: false }),
      startCluster({ assets: assets(), name: 'away', scheduler: false }),
    ]);
    server = await startGitServer({ repos: ['desired'], credentials });
    workshop = openWorkshop();
    repo = await workshop.clone(server.url('desired', credentials), 'desired');
    const begun = performance.now();
    argo = await startArgoCd(home, { redis: redisCommand(), destinations: [away] });
    console.info(`Argo CD was up in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
    await apply(home.access, repositorySecret('desired', { url: server.url('desired'), ...credentials }));
  });

  afterAll(async () => {
    await home?.stop();
    await away?.stop();
    await server?.close();
    workshop?.close();
  });

  const push = async (files: Readonly<Record<string, string | null>>): Promise<string> => {
    const commit = await repo.commit('Change', files);
    await repo.git('push', '--quiet', 'origin', 'HEAD:main');
    return commit;
  };
  const mapId = (name: string) => id('v1', 'ConfigMap', name, 'default');
  const dataOf = async (cluster: Cluster, name: string) =>
    (await read<{ data?: { value?: string } }>(cluster.access, mapId(name)))?.data?.value;

  /** Applies the folder of its own name. */
  const application = (name: string, cluster: Cluster, syncPolicy?: unknown) => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: 'argocd' },
    spec: {
      project: 'default',
      source: { repoURL: server.url('desired'), path: name, targetRevision: 'main' },
      destination: { server: cluster.access.url, namespace: 'default' },
      ...(syncPolicy !== undefined && { syncPolicy }),
    },
  });
  const automated = { automated: { prune: true, selfHeal: true } };

  it('each Application is applied to its own cluster', async () => {
    await push({ 'near/near.yaml': configMap('near', 'one'), 'far/far.yaml': configMap('far', 'one') });
    await apply(home.access, application('near', home, automated), application('far', away, automated));
    await Promise.all([argo.waitFor('near'), argo.waitFor('far')]);
    expect(await dataOf(home, 'near')).toBe('one');
    expect(await dataOf(away, 'far')).toBe('one');
    expect(await dataOf(home, 'far')).toBeUndefined();
    expect(await dataOf(away, 'near')).toBeUndefined();
  });

  it('a commit arrives when a refresh is asked for, and a change on the cluster is healed', async () => {
    await push({ 'moving/moving.yaml': configMap('moving', 'one') });
    await apply(home.access, application('moving', home, automated));
    await argo.waitFor('moving');
    const revision = await push({ 'moving/moving.yaml': configMap('moving', 'two') });
    await argo.refresh('moving');
    await argo.waitFor('moving', { sync: 'Synced', revision });
    expect(await dataOf(home, 'moving')).toBe('two');
    await patch(home.access, mapId('moving'), { data: { value: 'changed by hand' } });
    await waitFor('the change to be healed', { seconds: 60 }, async () => {
      const value = await dataOf(home, 'moving');
      return value === 'two' ? { met: true } : { seen: `${value}` };
    });
  });

  it('what is protected survives the removal of its file, and that is told', async () => {
    const protection = { 'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false' };
    await push({
      'guarded/plain.yaml': configMap('plain', 'one'),
      'guarded/kept.yaml': configMap('kept', 'one', protection),
      'guarded/other.yaml': configMap('other', 'one'),
    });
    await apply(home.access, application('guarded', home, automated));
    await argo.waitFor('guarded');
    const revision = await push({ 'guarded/plain.yaml': null, 'guarded/kept.yaml': null });
    await argo.refresh('guarded');
    await argo.waitFor('guarded', { revision, operation: 'Succeeded' });
    await waitUntilGone(home.access, mapId('plain'));
    expect(await dataOf(home, 'kept')).toBe('one');
    await argo.refresh('guarded');
    expect(await argo.explain('guarded')).toBe(
      [
        `  Application guarded: OutOfSync, Healthy, compared with ${revision}`,
        '  last sync: Succeeded: successfully synced (all tasks run)',
        '  ConfigMap default/kept: OutOfSync, is no longer in git, sync result PruneSkipped: ignored (no prune)',
      ].join('\n'),
    );
    await home.kubectl('delete', 'configmap', 'kept', '-n', 'default');
    await argo.waitFor('guarded');
  });

  it('a wait that fails tells the reason and every difference', async () => {
    await push({ 'broken/good.yaml': configMap('good', 'one'), 'broken/bad.yaml': configMap('Bad_Name', 'one') });
    await apply(home.access, application('broken', home));
    await argo.refresh('broken');
    await argo.sync('broken');
    await argo.waitFor('broken', { operation: 'Failed' });
    const failure = await argo
      .waitFor('broken', { sync: 'Synced', seconds: 1 })
      .catch((error: unknown) => String(error));
    expect(failure).toContain('waited 1 s for Application broken to be Synced; last seen: OutOfSync');
    expect(failure).toMatch(/last sync: Failed: .*one or more objects failed to apply/);
    expect(failure).toMatch(/ConfigMap default\/Bad_Name: OutOfSync, .*a lowercase RFC 1123 subdomain/);

    await push({ 'broken/bad.yaml': null, 'broken/good.yaml': configMap('good', 'two') });
    await argo.refresh('broken');
    const difference = await argo.explain('broken');
    expect(difference).toContain('ConfigMap default/good differs:\n    --- there\n    +++ after a sync\n');
    expect(difference).toContain('\n    -  value: one\n    +  value: two\n');
    await argo.sync('broken');
    await argo.waitFor('broken');
  });

  it('an ApplicationSet makes one Application for each folder', async () => {
    const { spec } = application('{{.path.path}}', home, automated);
    const generator = {
      git: { repoURL: server.url('desired'), revision: 'main', directories: [{ path: 'claims/*' }] },
    };
    await push({ 'claims/a/a.yaml': configMap('claim-a', 'one'), 'claims/b/b.yaml': configMap('claim-b', 'one') });
    await apply(home.access, {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      metadata: { name: 'claims', namespace: 'argocd' },
      spec: {
        goTemplate: true,
        generators: [generator],
        template: { metadata: { name: 'claim-{{.path.basename}}' }, spec },
      },
    });
    // It may just have asked which commit the branch is at, and asks again in three minutes.
    await argo.refreshSet('claims');
    await Promise.all(['claim-a', 'claim-b'].map((name) => argo.waitFor(name)));
    const absent = await argo
      .waitFor('claim-c', { sync: 'Synced', seconds: 1 })
      .catch((error: unknown) => String(error));
    expect(absent).toContain('there is no Application claim-c\n  ApplicationSet claims: ');
    await push({ 'claims/c/c.yaml': configMap('claim-c', 'one') });
    await argo.refreshSet('claims');
    await argo.waitFor('claim-c');
    expect(await dataOf(home, 'claim-c')).toBe('one');
  });
});

function configMap(name: string, value: string, annotations: Readonly<Record<string, string>> = {}): string {
  const metadata = { name, namespace: 'default', annotations };
  return `${JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { value } })}\n`;
}
