import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FieldDiff, objectDiffs } from '../../src/plan/object-diff.ts';
import type { Json } from '../../src/render/yaml.ts';

const fieldsOf = (before: Json, after: Json): readonly FieldDiff[] =>
  objectDiffs([{ id: '/X//x', value: { v: before } }], [{ id: '/X//x', value: { v: after } }]).flatMap(
    ({ fields }) => fields,
  );

const cases: readonly (readonly [what: string, before: Json, after: Json, diffs: readonly FieldDiff[]])[] = [
  ['a value', { replicas: 3 }, { replicas: 1 }, [{ path: 'v.replicas', before: 3, after: 1 }]],
  ['a key that comes', {}, { a: 'x' }, [{ path: 'v.a', after: 'x' }]],
  ['a key that goes', { a: { b: 1 } }, {}, [{ path: 'v.a', before: { b: 1 } }]],
  ['a key that is no word', { 'loft.sh/paused': 'true' }, {}, [{ path: 'v["loft.sh/paused"]', before: 'true' }]],
  ['another order of keys', { a: 1, b: 2 }, { b: 2, a: 1 }, []],
  [
    'entries with names, whatever their order',
    [{ name: 'a', image: 'x:1' }, { name: 'b' }],
    [{ name: 'b' }, { name: 'a', image: 'x:2' }],
    [{ path: 'v[name=a].image', before: 'x:1', after: 'x:2' }],
  ],
  [
    'an entry with a name comes',
    [{ name: 'a' }],
    [{ name: 'a' }, { name: 'b' }],
    [{ path: 'v[name=b]', after: { name: 'b' } }],
  ],
  [
    'members',
    ['get', 'list'],
    ['list', 'watch'],
    [
      { path: 'v[]', before: 'get' },
      { path: 'v[]', after: 'watch' },
    ],
  ],
  ['members in another order', ['get', 'list'], ['list', 'get'], []],
  ['a member more of the same', ['a'], ['a', 'a'], [{ path: 'v[]', after: 'a' }]],
  [
    'words of a command belong together',
    { command: ['a', 'b'] },
    { command: ['b', 'a'] },
    [{ path: 'v.command', before: ['a', 'b'], after: ['b', 'a'] }],
  ],
  [
    'one entry without a name that changes',
    [{ apiGroups: [''], verbs: ['get'] }],
    [{ apiGroups: [''], verbs: ['get', 'list'] }],
    [{ path: 'v[0].verbs[]', after: 'list' }],
  ],
  ['another type', { a: '1' }, { a: 1 }, [{ path: 'v.a', before: '1', after: 1 }]],
  ['nothing in place of a map', { a: {} }, { a: null }, [{ path: 'v.a', before: {}, after: null }]],
  ['a key that is called like a method', {}, { constructor: 1 }, [{ path: 'v.constructor', after: 1 }]],
];

describe('objectDiffs', () => {
  it.each(cases)('%s', (_, before, after, diffs) => {
    expect(fieldsOf(before, after)).toEqual(diffs);
  });

  it('names objects that come and go, in their order', () => {
    const object = (id: string) => ({ id, value: {} });
    expect(objectDiffs([object('b'), object('c')], [object('d'), object('a'), object('c')])).toEqual([
      { id: 'a', action: 'added', fields: [] },
      { id: 'b', action: 'removed', fields: [] },
      { id: 'd', action: 'added', fields: [] },
    ]);
  });

  const anyJson = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;

  it('says nothing of what is the same, and something of what is not', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(fieldsOf(value, JSON.parse(JSON.stringify(value)) as Json)).toEqual([]);
        expect(fieldsOf({ a: value }, {})).toEqual([{ path: 'v.a', before: value }]);
      }),
    );
  });

  it('says the same backwards', () => {
    fc.assert(
      fc.property(anyJson, anyJson, (a, b) => {
        const sides = (list: readonly FieldDiff[]) =>
          list.map(({ before, after }) => JSON.stringify([before, after])).sort();
        const turned = fieldsOf(b, a).map(({ path, before, after }) => ({
          path,
          ...(after !== undefined && { before: after }),
          ...(before !== undefined && { after: before }),
        }));
        expect(sides(turned)).toEqual(sides(fieldsOf(a, b)));
      }),
    );
  });
});
