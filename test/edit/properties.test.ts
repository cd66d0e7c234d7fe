import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { setClaimState } from '../../src/edit/claim.ts';
import { flowText, type PlainValue, scalarText } from '../../src/edit/plain-value.ts';
import { appendToList, editScalar } from '../../src/edit/scalar.ts';
import { runs } from '../support/runs.ts';

/** Values as they stand in a file: each scalar knows how it is written, each collection its style and comments. */
type Written =
  | {
      readonly kind: 'scalar';
      readonly value: string | number;
      readonly quote: '' | '"' | "'";
      readonly comment: string;
    }
  | { readonly kind: 'map'; readonly flow: boolean; readonly entries: readonly (readonly [string, Written])[] }
  | { readonly kind: 'list'; readonly flow: boolean; readonly items: readonly Written[] };

interface Layout {
  readonly step: number;
  readonly gap: string;
}

const word = fc.stringMatching(/^[a-z]{3,8}$/).filter((text) => !/^(null|true|false|yes|off)$/.test(text));
const comment = fc.constantFrom('', '', ' # why', '   # a: b', ' # "x"');
const scalar: fc.Arbitrary<Written> = fc.record({
  kind: fc.constant('scalar' as const),
  value: fc.oneof(word, fc.nat(999)),
  quote: fc.constantFrom('' as const, '"' as const, "'" as const),
  comment,
});
const { node: written } = fc.letrec<{ node: Written; map: Written }>((tie) => ({
  map: fc.record({
    kind: fc.constant('map' as const),
    flow: fc.boolean(),
    entries: fc.uniqueArray(fc.tuple(word, tie('node')), { minLength: 1, maxLength: 4, selector: ([key]) => key }),
  }),
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    tie('map'),
    fc.record({
      kind: fc.constant('list' as const),
      flow: fc.boolean(),
      items: fc.array(tie('node'), { minLength: 1, maxLength: 3 }),
    }),
  ),
}));
const document = written.filter((value) => value.kind === 'map' && !value.flow);
const layout = fc.record({
  step: fc.constantFrom(2, 3, 4),
  gap: fc.constantFrom('', '# between\n', '\n', '  # deep\n'),
});

function inline(value: Written): string {
  if (value.kind === 'scalar') return `${value.quote}${value.value}${value.quote}`;
  if (value.kind === 'list') return `[ ${value.items.map(inline).join(',')} ]`;
  return `{${value.entries.map(([key, item]) => `${key}: ${inline(item)}`).join(', ')}}`;
}

function block(value: Written, column: number, { step, gap }: Layout): string {
  const pad = ' '.repeat(column);
  const inner = (item: Written): string => {
    if (item.kind === 'scalar') return ` ${inline(item)}${item.comment}\n`;
    if (item.flow) return ` ${inline(item)}\n`;
    return `\n${block(item, column + step, { step, gap })}`;
  };
  if (value.kind === 'scalar') return `${pad}${inline(value)}\n`;
  if (value.kind === 'list') return value.items.map((item) => `${pad}-${inner(item)}${gap}`).join('');
  return value.entries.map(([key, item]) => `${pad}${key}:${inner(item)}${gap}`).join('');
}

interface Scalars {
  readonly path: readonly (string | number)[];
  readonly at: Written;
}
function all(value: Written, path: readonly (string | number)[] = []): readonly Scalars[] {
  if (value.kind === 'scalar') return [{ path, at: value }];
  const children = value.kind === 'map' ? value.entries : value.items.map((item, index) => [index, item] as const);
  return [{ path, at: value }, ...children.flatMap(([key, item]) => all(item, [...path, key]))];
}

function replaced(value: Written, path: readonly (string | number)[], by: string): Written {
  const [key, ...rest] = path;
  if (value.kind === 'scalar') return { ...value, value: by };
  if (value.kind === 'map')
    return {
      ...value,
      entries: value.entries.map(([name, item]) => [name, name === key ? replaced(item, rest, by) : item] as const),
    };
  return { ...value, items: value.items.map((item, index) => (index === key ? replaced(item, rest, by) : item)) };
}

const file = fc.record({
  documents: fc.array(document, { minLength: 1, maxLength: 3 }),
  layout,
  crlf: fc.boolean(),
  bom: fc.boolean(),
  cut: fc.boolean(),
  pick: fc.nat(),
});

function print(
  documents: readonly Written[],
  how: { readonly layout: Layout; readonly crlf: boolean; readonly bom: boolean; readonly cut: boolean },
): string {
  const text = `${how.bom ? '\ufeff' : ''}${documents.map((value) => block(value, 0, how.layout)).join('--- # next\n')}`;
  const whole = how.cut ? text.replace(/\n+$/, '') : text;
  return how.crlf ? whole.replaceAll('\n', '\r\n') : whole;
}

const js = (text: string): unknown[] => {
  const documents = parseAllDocuments(text);
  if (!Array.isArray(documents)) return [];
  expect(documents.flatMap((each) => each.errors)).toEqual([]);
  return documents.map((each) => each.toJS());
};

describe('for any file', () => {
  it('replacing a scalar gives what would have been written with the other value in the first place', () => {
    fc.assert(
      fc.property(file, word, ({ documents, pick, ...how }, value) => {
        const index = pick % documents.length;
        const scalars = all(documents[index] as Written).filter(({ at }) => at.kind === 'scalar');
        const target = scalars[pick % scalars.length] as Scalars;
        const text = print(documents, how);
        const edited = editScalar(text, index, target.path, value);
        const was = target.at.kind === 'scalar' ? target.at : undefined;
        const quote = was?.quote === "'" ? "'" : was?.quote;
        const expected = documents.map((each, at) => (at === index ? replaced(each, target.path, value) : each));
        expect(edited).toBe(print(expected, how));
        expect(editScalar(edited, index, target.path, value)).toBe(edited);
        // Back to the first value: numbers lose quotes they had, words do not.
        if (typeof was?.value === 'string' && quote !== undefined)
          expect(editScalar(edited, index, target.path, was.value)).toBe(text);
      }),
      { numRuns: runs(500) },
    );
  });

  it('adding a key or an item leaves every line that was there', () => {
    const value = fc.oneof(word, fc.constant([]), fc.constant({ a: ['b', { c: 'd', e: {} }] }), fc.string());
    fc.assert(
      fc.property(file, value, ({ documents, pick, ...how }, added) => {
        const index = pick % documents.length;
        const places = all(documents[index] as Written).filter(({ at }) => at.kind !== 'scalar');
        const { path, at } = places[pick % places.length] as Scalars;
        const text = print(documents, how);
        const edited =
          at.kind === 'list' ? appendToList(text, index, path, added) : editScalar(text, index, [...path, 'ZZ'], added);
        const before = text.split(/(?<=\n)/);
        const after = edited.split(/(?<=\n)/);
        const flow = (at.kind === 'map' || at.kind === 'list') && insideFlow(documents[index] as Written, path);
        if (!flow && !how.cut) for (const line of before) expect(after).toContain(line);
        expect(edited.replaceAll(/\s/g, '').length).toBeGreaterThan(text.replaceAll(/\s/g, '').length);
        const [read, now] = [js(text), js(edited)];
        expect(now.filter((_, other) => other !== index)).toEqual(read.filter((_, other) => other !== index));
        expect(valueAt(now[index], at.kind === 'list' ? [...path, at.items.length] : [...path, 'ZZ'])).toEqual(added);
        if (at.kind === 'map') expect(editScalar(edited, index, [...path, 'ZZ'], added)).toBe(edited);
      }),
      { numRuns: runs(500) },
    );
  });

  it('scalars of any content read back the same', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('plain' as const, 'single' as const, 'double' as const),
        (text, style) => {
          expect(js(`- ${scalarText(text, style)}\n- [ ${scalarText(text, style)} ]\n`)).toEqual([[text, [text]]]);
        },
      ),
      { numRuns: runs(2000) },
    );
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(js(`a: ${flowText(value as PlainValue)}\n`)).toEqual([{ a: value }]);
      }),
      { examples: [[-0], [1e21], [5e-324]] },
    );
  });
});

describe('for any claim', () => {
  it('sleep, sleep again, wake gives back the bytes', () => {
    const claims = fc.record({
      spec: document,
      at: fc.nat(),
      layout,
      crlf: fc.boolean(),
      bom: fc.boolean(),
      quote: fc.constantFrom('' as const, '"' as const, "'" as const),
      comment,
    });
    fc.assert(
      fc.property(claims, ({ spec, at, quote, comment: behind, ...how }) => {
        const entries = spec.kind === 'map' ? [...spec.entries] : [];
        entries.splice(at % (entries.length + 1), 0, [
          'state',
          { kind: 'scalar', value: 'Running', quote, comment: behind },
        ]);
        const plain = (value: string): Written => ({ kind: 'scalar', value, quote: '', comment: '' });
        const claim: Written = {
          kind: 'map',
          flow: false,
          entries: [
            ['apiVersion', plain('quiesce.dev/v1alpha1')],
            ['kind', plain('VClusterClaim')],
            ['metadata', { kind: 'map', flow: true, entries: [['name', plain('ada')]] }],
            ['spec', { kind: 'map', flow: false, entries }],
          ],
        };
        const text = print([claim], { ...how, cut: false });
        const asleep = setClaimState(text, 'ada', 'Sleeping');
        expect(asleep).toBe(text.replace(/(\bstate: ["']?)Running/, '$1Sleeping'));
        expect(setClaimState(asleep, 'ada', 'Sleeping')).toBe(asleep);
        expect(setClaimState(asleep, 'ada', 'Running')).toBe(text);
      }),
    );
  });
});

function insideFlow(root: Written, path: readonly (string | number)[]): boolean {
  if (root.kind === 'scalar' || root.flow) return true;
  const [key, ...rest] = path;
  if (key === undefined) return false;
  const child = root.kind === 'map' ? root.entries.find(([name]) => name === key)?.[1] : root.items[Number(key)];
  return child !== undefined && insideFlow(child, rest);
}

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<string | number, unknown>)[key], value);
}
