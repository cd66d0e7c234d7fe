import { afterAll, beforeAll, describe } from 'vitest';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { assets, clusterTest } from '../support/cluster-test.ts';
import { apply } from '../support/objects.ts';
import { renderedIn, shipped } from './line/rendered.ts';
import { kindsHold } from './truth/kinds.ts';
import { policyHolds } from './truth/policy.ts';
import { yamlReadsBack } from './truth/yaml.ts';

clusterTest('on an API server that has the kinds that Quiesce defines', () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await startCluster({ assets: assets(), scheduler: false });
    const system = renderedIn(`${shipped.out}/atlas/system`);
    await apply(cluster.access, ...system.filter(({ kind }) => kind === 'CustomResourceDefinition'));
    await cluster.kubectl('wait', '--for=condition=Established', 'crd', '--all', '--timeout=30s');
  });

  afterAll(() => cluster?.stop());

  describe('they', () => kindsHold(() => cluster));
  describe('who may delete a claim with kubectl:', () => policyHolds(() => cluster));
  describe("what is written reads back the same under Go's rules:", () => yamlReadsBack(() => cluster));
});
