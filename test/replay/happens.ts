import { beforeAll, expect, it } from 'vitest';
import { assets, clusterTest } from '../support/cluster-test.ts';
import { run } from './run.ts';
import { differences, type Tally } from './tally.ts';

/** Replays these clusters of seed 1, which are known to be about these kinds of items. */
export function happensAsSaid(clusters: readonly number[], told: readonly string[]): void {
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

    it(`is about ${told.join(', ')}`, () => {
      const kinds = new Set(tally.items.map(({ kind }) => kind));
      expect([...kinds]).toEqual(expect.arrayContaining([...told]));
      expect(new Set(tally.items.map(({ cluster }) => cluster))).toEqual(new Set(clusters));
    });
  });
}
