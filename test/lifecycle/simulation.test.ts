import { describe, expect, it } from 'vitest';
import { simulate } from './simulation/simulate.ts';

/** A selection of what `npm run soak` does at length: the same world, fewer claims. */
describe('years in which everything goes wrong', () => {
  it.each([1, 2, 3, 4, 5, 6])('break no promise (seed %i)', (seed) => {
    const { counts } = simulate({ seed, claims: 30, years: 3 });
    expect(counts.sleepWarning).toBeGreaterThan(0);
  });

  it('are years in which things happen', () => {
    const { counts } = simulate({ seed: 7, claims: 150, years: 3 });
    const happened = ['expired', 'deletionOrdered Expiry', 'deletionOrdered Kubectl', 'uninstalled', 'recordEnded'];
    for (const what of [
      ...happened,
      'press: renewed',
      'press: alreadyRenewed',
      'press: expired',
      'restored',
      'exempted',
    ])
      expect([what, (counts[what] ?? 0) > 0]).toEqual([what, true]);
  });
});
