import { expect, it } from 'vitest';
import { openTogether } from '../../../src/sidecar/uninstall/together.ts';

const names = (count: number) => Array.from({ length: count }, (_, index) => `claim-${index}`);

it('few look when it is their turn', () => {
  const together = openTogether();
  expect(names(7).map((name, index) => together.beginsAt(name, 100 + index, false))).toEqual([
    100, 101, 102, 103, 104, 105, 106,
  ]);
});

it('many look at common instants, at everything more rarely than at what goes', () => {
  const together = openTogether();
  for (const name of names(8)) together.beginsAt(name, 0, false);
  for (const name of names(8)) together.begun(name);
  expect(names(3).map((name, index) => together.beginsAt(name, 10_001 + index, false))).toEqual([
    20_000, 20_000, 20_000,
  ]);
  expect(together.beginsAt('claim-5', 10_001, true)).toBe(12_000);
});

it('an instant that was named stays, until it looks', () => {
  const together = openTogether();
  for (const name of names(8)) together.beginsAt(name, 0, false);
  together.begun('claim-0');
  expect([5000, 10_100, 11_000].map((now) => together.beginsAt('claim-0', now, false))).toEqual([
    10_000, 10_000, 10_000,
  ]);
  together.begun('claim-0');
  expect(together.beginsAt('claim-0', 11_001, false)).toBe(20_000);
});

it('whoever is done does not count', () => {
  const together = openTogether();
  for (const name of names(8)) together.beginsAt(name, 0, false);
  together.over('claim-7');
  together.begun('claim-0');
  expect(together.beginsAt('claim-0', 100, false)).toBe(100);
});
