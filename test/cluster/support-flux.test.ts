import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { assets, clusterTest } from '../support/cluster-test.ts';
import { type Flux, startFlux } from '../support/flux.ts';
import { type GitServer, startGitServer } from '../support/git-server.ts';
import { apply, id, patch, read } from '../support/objects.ts';
import { openWorkshop, type TempRepo, type Workshop } from '../support/temp-repo.ts';
import { waitUntilGone } from '../support/workload-waits.ts';

clusterTest('Flux with two clusters', () => {
  let home: Cluster;
  let away: Cluster;
  let flux: Flux;
  let server: GitServer;
  let workshop: Workshop;
  let repo: TempRepo;

  beforeAll(async () => {
    [home, away] = await Promise.all([
      startCluster({ assets: assets(), name: 'home', scheduler: false }),
      startCluster({ assets: assets(), name: 'away', scheduler: false }),
    ]);
    server = await startGitServer({ repos: ['desired'] });
    workshop = openWorkshop();
    repo = await workshop.clone(server.url('desired'), 'desired');
    await push({ 'README.md': 'What Flux applies\n' });
    const begun = performance.now();
    flux = await startFlux(home);
    console.info(`Flux was up in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
    await flux.addDestination('away-kubeconfig', away);
    await apply(home.access, {
      apiVersion: 'source.toolkit.fluxcd.io/v1',
      kind: 'GitRepository',
      metadata: { name: 'desired', namespace: 'flux-system' },
      spec: { url: server.url('desired'), ref: { branch: 'main' }, interval: '10m' },
    });
    await flux.waitForReady('GitRepository', 'desired');
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
  const kustomization = (name: string, more: Readonly<Record<string, unknown>> = {}) => ({
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name, namespace: 'flux-system' },
    spec: {
      sourceRef: { kind: 'GitRepository', name: 'desired' },
      path: `./${name}`,
      interval: '10m',
      prune: true,
      ...more,
    },
  });

  it('each Kustomization is applied to its own cluster', async () => {
    const revision = await push({
      'near/near.yaml': configMap('near', 'one'),
      'far/far.yaml': configMap('far', 'one'),
    });
    await apply(
      home.access,
      kustomization('near'),
      kustomization('far', { kubeConfig: { secretRef: { name: 'away-kubeconfig' } } }),
    );
    await flux.reconcile('near');
    await flux.reconcile('far');
    await Promise.all(['near', 'far'].map((name) => flux.waitForReady('Kustomization', name, { revision })));
    expect(await dataOf(home, 'near')).toBe('one');
    expect(await dataOf(away, 'far')).toBe('one');
    expect(await dataOf(home, 'far')).toBeUndefined();
    expect(await dataOf(away, 'near')).toBeUndefined();
  });

  it('a change on the cluster is undone by the next reconciliation', async () => {
    await push({ 'moving/moving.yaml': configMap('moving', 'one') });
    await apply(home.access, kustomization('moving'));
    await flux.reconcile('moving');
    await patch(home.access, mapId('moving'), { data: { value: 'changed by hand' } });
    await flux.reconcile('moving');
    expect(await dataOf(home, 'moving')).toBe('one');
  });

  it('what is protected survives the removal of its file', async () => {
    const protection = { 'kustomize.toolkit.fluxcd.io/prune': 'disabled' };
    await push({
      'guarded/plain.yaml': configMap('plain', 'one'),
      'guarded/kept.yaml': configMap('kept', 'one', protection),
      'guarded/other.yaml': configMap('other', 'one'),
    });
    await apply(home.access, kustomization('guarded'));
    await flux.reconcile('guarded');
    await flux.waitForReady('Kustomization', 'guarded');
    const revision = await push({ 'guarded/plain.yaml': null, 'guarded/kept.yaml': null });
    await flux.reconcile('guarded');
    await flux.waitForReady('Kustomization', 'guarded', { revision });
    await waitUntilGone(home.access, mapId('plain'));
    expect(await dataOf(home, 'kept')).toBe('one');
  });

  it('a wait that fails tells what Flux says', async () => {
    await push({ 'broken/bad.yaml': configMap('Bad_Name', 'one') });
    await apply(home.access, kustomization('broken'));
    await flux.reconcile('broken');
    const failure = await flux
      .waitForReady('Kustomization', 'broken', { seconds: 1 })
      .catch((error: unknown) => String(error));
    expect(failure).toContain('waited 1 s for Kustomization broken to be ready');
    expect(failure).toMatch(/^ {2}Kustomization broken: .*Ready=False ReconciliationFailed: .*Bad_Name/m);
    expect(failure).toMatch(/^ {2}GitRepository desired: Ready=True/m);
  });
});

function configMap(name: string, value: string, annotations: Readonly<Record<string, string>> = {}): string {
  const metadata = { name, namespace: 'default', annotations };
  return `${JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { value } })}\n`;
}
