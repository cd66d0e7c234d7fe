import { beforeAll, expect, it } from 'vitest';
import { run } from '../replay/run.ts';
import { differences, type Tally } from '../replay/tally.ts';
import { assets, clusterTest } from '../support/cluster-test.ts';

/** Of seed 1: nodes that enter maintenance, an installation that goes, and claims. `npm run replay` has the other ones. */
const clusters = [13, 10, 15];

clusterTest('what a rehearsal says', () => {
  let tally: Tally;

  beforeAll(async () => {
    tally = await run({ assets: assets(), seed: 1, clusters, lanes: 1, onReplayed: () => {} });
  });

  it('happens, on random clusters, in ninety-nine of a hundred items', () => {
    expect(tally.failed).toEqual([]);
    const wrong = tally.items.filter(({ agrees }) => !agrees);
    expect(wrong.length, differences(tally).join('\n')).toBeLessThanOrEqual(Math.ceil(tally.items.length / 100));
  });

  it('is about pods that go, what blocks them, and what is deleted, kept and put to sleep', () => {
    const kinds = new Set(tally.items.map(({ kind }) => kind));
    const told = ['evicted', 'removed', 'order', 'blocked', 'reached', 'deleted', 'kept', 'slept', 'ends'];
    expect([...kinds]).toEqual(expect.arrayContaining(told));
    expect(new Set(tally.items.map(({ cluster }) => cluster))).toEqual(new Set(clusters));
  });
});
