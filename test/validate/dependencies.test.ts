import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cycles, depths } from '../../src/validate/dependencies.ts';

const names = ['a', 'b', 'c', 'd', 'e', 'f'];
const graph = fc
  .array(fc.uniqueArray(fc.constantFrom(...names)), { minLength: names.length, maxLength: names.length })
  .map((needs) => new Map(names.map((name, index) => [name, needs[index] ?? []])));

describe('dependencies', () => {
  it('have depths: the longest chain below', () => {
    const needs = new Map([
      ['a', []],
      ['b', ['a']],
      ['c', ['a', 'b', 'elsewhere']],
      ['d', ['a', 'a']],
    ]);
    expect(Object.fromEntries(depths(needs))).toEqual({ a: 0, b: 1, c: 2, d: 1 });
  });

  it('put everything after what it needs, or have a cycle that says why not', () => {
    fc.assert(
      fc.property(graph, (needs) => {
        const depth = depths(needs);
        for (const [name, own] of depth) {
          for (const need of needs.get(name) ?? []) expect(depth.get(need)).toBeLessThan(own);
        }
        expect(cycles(needs).length > 0).toBe(depth.size < needs.size);
      }),
    );
  });

  it('go round in every cycle, and no name is in two of them', () => {
    fc.assert(
      fc.property(graph, (needs) => {
        const found = cycles(needs);
        for (const cycle of found) {
          for (const [index, name] of cycle.entries()) {
            expect(needs.get(name)).toContain(cycle[(index + 1) % cycle.length]);
          }
        }
        expect(new Set(found.flat()).size).toBe(found.flat().length);
      }),
    );
  });

  it('may be a chain as long as a file', () => {
    const chain = new Map(Array.from({ length: 20_000 }, (_, index) => [`n${index}`, [`n${index - 1}`]]));
    expect(depths(chain).get('n19999')).toBe(19_999);
  });
});
