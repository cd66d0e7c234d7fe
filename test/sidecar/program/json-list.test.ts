import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readList } from '../../../src/sidecar/kube/json-list.ts';
import { runs } from '../../support/runs.ts';

function read(text: string, cuts: readonly number[]): { readonly items: unknown[]; readonly envelope: unknown } {
  const bytes = Buffer.from(text);
  const items: unknown[] = [];
  const reader = readList((item) => items.push(JSON.parse(item)));
  const places = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  let from = 0;
  for (const to of places) {
    reader.push(bytes.subarray(from, to));
    from = to;
  }
  return { items, envelope: JSON.parse(reader.end()) };
}

const item = fc
  .dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 3 }))
  .map((value): unknown => JSON.parse(JSON.stringify(value)));
const cuts = fc.array(fc.nat(), { maxLength: 12 });
const space = fc.constantFrom(undefined, 1, '\t');

it('a list gives its items and its envelope, wherever the answer is cut', () => {
  fc.assert(
    fc.property(fc.array(item), cuts, space, fc.boolean(), (items, cuts, space, isLast) => {
      const metadata = { resourceVersion: '7', remainingItemCount: 3, items: [{ not: 'these' }], note: '"items":[{"' };
      const list = isLast ? { items, kind: 'PodList', metadata } : { kind: 'PodList', metadata, items };
      const found = read(JSON.stringify(list, undefined, space), cuts);
      expect(found.items).toEqual(items);
      expect(found.envelope).toEqual({ ...list, items: [] });
    }),
    { numRuns: runs(400) },
  );
});

it.each([
  ['no items at all', '{"kind":"PodList","metadata":{}}', [], { kind: 'PodList', metadata: {} }],
  ['null for items', '{"items":null,"metadata":{}}', [], { items: null, metadata: {} }],
  [
    'quotes and backslashes',
    '{"items":[{"a":"\\\\\\"}{"},{"b":"\\\\"}]}',
    [{ a: '\\"}{' }, { b: '\\' }],
    { items: [] },
  ],
])('a list with %s', (_, text, items, envelope) => {
  for (let cut = 0; cut <= text.length; cut += 1) expect(read(text, [cut])).toEqual({ items, envelope });
});
