import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Json, toYaml } from '../../src/render/yaml.ts';
import { runs } from '../support/runs.ts';

/** Strings that some reader takes for something else when they stand unquoted. */
const traps = [
  '',
  ' ',
  'y',
  'Y',
  'n',
  'N',
  'yes',
  'No',
  'on',
  'OFF',
  'true',
  'False',
  'null',
  'Null',
  '~',
  '=',
  '<<',
  '-',
  '--',
  '---',
  '...',
  '?',
  ':',
  '0',
  '-0',
  '1',
  '+1',
  '0o17',
  '0O17',
  '0X1F',
  '0x1f',
  '0B11',
  '0b11',
  '-0o17',
  '017',
  '0755',
  '1e3',
  '1E3',
  '1.',
  '.5',
  '+.5',
  '1_000',
  '.inf',
  '-.INF',
  '.nan',
  '12:30',
  '12:30:45',
  '190:20:30',
  '2024-01-01',
  '2024-01-01T00:00:00Z',
  '2001-12-14 21:59:43.10 -5',
  'a: b',
  'a #b',
  '#a',
  'a:',
  '&a',
  '*a',
  '!a',
  '!!str a',
  '|',
  '>',
  '%a',
  '@a',
  '`a',
  '"a"',
  "'a'",
  '{a}',
  '[a]',
  'a, b',
  ' a',
  'a ',
  'a\tb',
  '\t',
  'a\n',
  'a\nb',
  'a\n\nb\n',
  '\na',
  'a\n\n',
  'a \nb',
  'a\r\nb',
  'a\n b\n',
  ' a\nb',
  '- a\n- b',
  'a\n# b',
  '\u0085',
  'a\u2028b',
  '\ufeffa',
  '\u0000',
  '\u007f',
  '\u009f',
  'ä',
  '日本',
  '😀',
  '\ud800',
  'Infinity',
  'NaN',
  'e1',
  '/',
  'a/b',
  'a:b',
  'a::b',
  'a b',
  'a  b',
  'x=',
  '=x',
  'None',
  'undefined',
  '__proto__',
  '\\',
  '\\n',
  'a\\',
  "it's",
  '0 7 * * 1-5',
];

describe('toYaml', () => {
  it.each(traps.map((text) => [JSON.stringify(text), text]))(
    'writes the string %s so that YAML 1.1 and 1.2 read it back',
    (_, text) => {
      for (const value of [text, [text], { key: text }, { [text]: 1 }, [[text], { a: { b: text } }]]) {
        for (const version of ['1.1', '1.2'] as const) {
          expect(parse(toYaml(value as Json), { version, merge: false })).toEqual(value);
        }
      }
    },
  );

  it('reads back as it was, whatever the data', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(...traps),
      fc.stringMatching(/^[ a-z:#\n-]{0,12}$/),
    );
    const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(
          text.filter((key) => key !== '__proto__'),
          tie('tree'),
          { maxKeys: 4 },
        ),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        const written = toYaml(value);
        const plain: unknown = JSON.parse(JSON.stringify(value));
        expect(parse(written, { version: '1.2' })).toEqual(plain);
        expect(parse(written, { version: '1.1', merge: false })).toEqual(plain);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('lays objects out as people know them', () => {
    const text = toYaml({
      apiVersion: 'v1',
      metadata: { labels: {}, annotations: { 'a/b': 'true' } },
      spec: {
        args: ['run', '--port=8080'],
        ports: [{ name: 'https', port: 443, nested: [[1, 2], []] }],
        script: 'set -e\necho hi\n',
        none: null,
      },
    });
    expect(text).toBe(`apiVersion: v1
metadata:
  labels: {}
  annotations:
    a/b: "true"
spec:
  args:
  - run
  - "--port=8080"
  ports:
  - name: https
    port: 443
    nested:
    - - 1
      - 2
    - []
  script: |
    set -e
    echo hi
  none: null
`);
  });

  it('refuses numbers that JSON does not have', () => {
    expect(() => toYaml({ a: Number.NaN })).toThrow('NaN cannot be written as YAML or JSON');
  });

  it('writes keys longer than 1,000 characters so that they can be read', () => {
    const key = 'k'.repeat(1500);
    expect(parse(toYaml({ [key]: { a: 1 } }))).toEqual({ [key]: { a: 1 } });
  });
});
