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
  expect(names(3).map((name, index) => together.beginsAt(name, 8001 + index, false))).toEqual([16_000, 16_000, 16_000]);
  expect(together.beginsAt('claim-5', 8001, true)).toBe(9000);
});

it('an instant that was named stays, until it looks', () => {
  const together = openTogether();
  for (const name of names(8)) together.beginsAt(name, 0, false);
  together.begun('claim-0');
  expect([5000, 8100, 9000].map((now) => together.beginsAt('claim-0', now, false))).toEqual([8000, 8000, 8000]);
  together.begun('claim-0');
  expect(together.beginsAt('claim-0', 9001, false)).toBe(16_000);
});

it('whoever is done does not count', () => {
  const together = openTogether();
  for (const name of names(8)) together.beginsAt(name, 0, false);
  together.over('claim-7');
  together.begun('claim-0');
  expect(together.beginsAt('claim-0', 100, false)).toBe(100);
});
