import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { assets, clusterTest } from '../support/cluster-test.ts';
import { createDefinitions } from '../support/definitions.ts';
import { apply, type KubeObject, nameOf, tryToApply } from '../support/objects.ts';
import { namespace } from '../support/workloads.ts';
import { goldenOutputs, lost, renderedIn, shipped } from './line/rendered.ts';

const goldens = goldenOutputs();

clusterTest('the API server takes what is rendered as it is', () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await startCluster({ assets: assets(), scheduler: false });
    const { argocdCrds, fluxCrds } = cluster.assets;
    await createDefinitions(cluster.access, [argocdCrds, ...fluxCrds]);
    const all = [shipped.out, ...goldens.map(([, folder]) => folder)].flatMap(renderedIn);
    await apply(cluster.access, ...definitionsIn(all));
    await apply(cluster.access, ...namespacesOf(all).map((name) => namespace(name)), ...nodesAmong(all));
    await cluster.kubectl('wait', '--for=condition=Established', 'crd', '--all', '--timeout=30s');
  });

  afterAll(() => cluster?.stop());

  describe('every object of a golden directory is accepted, and comes back with every field that was sent', () => {
    it.each(goldens)('%s', async (_, folder) => {
      const rendered = renderedIn(folder);
      expect(lostAmong(rendered, await tryToApply(cluster.access, rendered))).toEqual([]);
    });
  });

  it.each(['atlas', 'borealis'])(
    'every object of the shipped output for %s is stored with every field',
    async (name) => {
      const folder = `${shipped.out}/${name}`;
      // As both appliers do, with every unknown or repeated field an error.
      const strict = ['apply', '--server-side', '--force-conflicts', '--validate=strict'];
      await cluster.kubectl(...strict, '-R', '-f', folder);
      const stored = itemsIn(await cluster.kubectl('get', '-R', '-f', folder, '-o', 'json'));
      expect(lostAmong(renderedIn(folder), stored)).toEqual([]);
    },
  );
});

function definitionsIn(objects: readonly KubeObject[]): readonly KubeObject[] {
  return objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
}

function namespacesOf(objects: readonly KubeObject[]): readonly string[] {
  return [...new Set(objects.flatMap(({ metadata }) => metadata.namespace ?? []))];
}

/** A node is always there before anything is applied to it. */
function nodesAmong(objects: readonly KubeObject[]): readonly KubeObject[] {
  const nodes = objects.filter(({ kind }) => kind === 'Node');
  return nodes.map(({ apiVersion, kind, metadata: { name } }) => ({ apiVersion, kind, metadata: { name } }));
}

/** kubectl gives a list, and a single object as it is. */
function itemsIn(json: string): readonly KubeObject[] {
  const answer = JSON.parse(json) as KubeObject & { readonly items?: readonly KubeObject[] };
  return answer.items ?? [answer];
}

function lostAmong(sent: readonly KubeObject[], found: readonly KubeObject[]): readonly string[] {
  const [before, after] = [byName(sent), byName(found)];
  expect(after.map(nameOf)).toEqual(before.map(nameOf));
  return before.flatMap((object, index) => lost(object, after[index]).map((field) => `${nameOf(object)} ${field}`));
}

/** What two clusters have under one name keeps its order. */
function byName(objects: readonly KubeObject[]): readonly KubeObject[] {
  return [...objects].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : Number(nameOf(a) > nameOf(b))));
}
