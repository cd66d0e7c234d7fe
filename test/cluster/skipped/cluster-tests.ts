import { beforeAll, test } from 'vitest';
import { argocdTest, assets, clusterTest } from '../../support/cluster-test.ts';

clusterTest('a group that needs a cluster', () => {
  beforeAll(() => {
    assets();
  });

  test('is not run', () => {
    throw new Error('it is run');
  });
});

argocdTest('a group that needs Argo CD', () => {
  test('is not run either', () => {
    throw new Error('it is run');
  });
});
