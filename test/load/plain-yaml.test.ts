import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readPlainYaml } from '../../src/load/plain-yaml.ts';
import { textFindings } from '../../src/load/text-findings.ts';
import { parseYaml } from '../../src/load/yaml-syntax.ts';
import { readValue } from '../../src/load/yaml-value.ts';
import { runs } from '../support/runs.ts';

/** What the library and our checks make of the same text. */
function byTheLibrary(text: string): { readonly values: readonly unknown[]; readonly findings: number } {
  const syntax = parseYaml(text);
  if (syntax.kind !== 'documents') return { values: [], findings: 1 };
  const read = syntax.documents.map((document) => readValue('f', document, () => true));
  const errors = syntax.documents.flatMap((document) => [...document.errors, ...document.warnings]);
  const findings = errors.length + textFindings('f', text).length + read.flatMap((each) => each.findings).length;
  return { values: read.map((each) => each.value), findings };
}

function agrees(text: string): boolean {
  const plain = readPlainYaml(text);
  if (plain === undefined) return false;
  expect({ text, ...byTheLibrary(text) }).toEqual({ text, values: plain, findings: 0 });
  expect(plain).toEqual(parseAllDocuments(text).map((document) => document.toJS() as unknown));
  return true;
}

const usual = fc.constantFrom(
  ...[
    'a',
    'Running',
    '3',
    '10Gi',
    '"a b"',
    "'x'",
    'Zoë',
    '[a, b]',
    '{a: 1}',
    'true',
    '10.0.0.1',
    '0 22 * * 1-5',
    '--flag',
    '[a@b.c, --d]',
    'x # c',
    'a # "',
  ],
);
const odd = fc.constantFrom(
  ...[
    'a',
    'Running',
    'v0.27.0',
    '3',
    '0',
    '007',
    '10Gi',
    '1e3',
    '12:30',
    'on',
    'true',
    'True',
    'null',
    '~',
    '',
    'a: b',
    'a:',
    'x #y',
    'x#y',
  ],
  ...[
    '"q"',
    '"a b" # c',
    "'it''s'",
    "'x'",
    '"\\n"',
    '"open',
    '{}',
    '[]',
    '[a, b]',
    '{a: 1, b: x}',
    '{a: {b: [c]}}',
    '[a, ]',
    '{a:1}',
    '- x',
    '|',
    '>-',
    '&a x',
    '*a',
    '!t x',
  ],
  ...[
    'https://x.y/z',
    '10.0.0.1-10.0.0.9',
    '10.0.0.1',
    'Zoë',
    'Ada Lovelace',
    '-1',
    '.5',
    '?',
    '- ',
    '-',
    '#',
    'a\tb',
    '@x',
    '%x',
    'a, b',
    'a]',
    '0x1F',
    '1_0',
    'y',
    '2026-01-31',
    '---',
    '...',
  ],
);
const scalar = fc.oneof({ weight: 4, arbitrary: usual }, odd);
const key = fc.constantFrom('a', 'b', 'spec', 'name', 'x/y.z', 'on', 'true', '12', '"q"', '__proto__', '<<', 'a b', '');
const line = fc
  .tuple(
    fc.integer({ min: 0, max: 6 }),
    fc.constantFrom('', '', '', '- ', '- - ', '-  ', '? '),
    fc.option(key),
    scalar,
    fc.constantFrom('', '', '', ' ', '  # c', '\r'),
  )
  .map(
    ([indent, dash, name, value, end]) =>
      `${' '.repeat(indent)}${dash}${name === null ? value : `${name}: ${value}`.trimEnd()}${end}`,
  );
const anyLines = fc.array(
  fc.oneof({ weight: 12, arbitrary: line }, fc.constantFrom('', '---', '# c', '  # c', '...')),
  { maxLength: 7 },
);

/** Well-formed documents of the plain kind, so that the short way is really taken, with one character changed perhaps. */
const plainTree = fc.letrec<{ block: string[]; entry: string[]; item: string[] }>((tie) => ({
  block: fc.oneof(
    { depthSize: 'small' },
    fc.array(tie('entry'), { minLength: 1, maxLength: 3 }).map((all) => all.flat()),
    fc.array(tie('item'), { minLength: 1, maxLength: 3 }).map((all) => all.flat()),
  ),
  entry: fc
    .tuple(
      fc.constantFrom('a', 'b', 'c', 'spec', 'x.y/z'),
      fc.oneof(
        scalar.map((text) => [text]),
        tie('block'),
      ),
    )
    .map(([name, value]) =>
      value.length === 1 ? [`${name}: ${value[0]}`] : [`${name}:`, ...value.map((each) => `  ${each}`)],
    ),
  item: fc.oneof(
    scalar.map((text) => [`- ${text}`]),
    tie('entry').map(([first = '', ...more]) => [`- ${first}`, ...more.map((each) => `  ${each}`)]),
  ),
}));
const mutated = fc
  .tuple(
    plainTree.entry,
    plainTree.entry,
    fc.nat(),
    fc.option(fc.constantFrom(' ', '\n', ':', '-', '#', '"', 'x', '{', ']', ',')),
  )
  .map(([first, second, at, extra]) => {
    const text = [...first, ...second].join('\n');
    const place = at % (text.length + 1);
    return extra === null ? text : text.slice(0, place) + extra + text.slice(place);
  });

const claim = [
  '# yaml-language-server: $schema=../schemas/claim.schema.json',
  'apiVersion: quiesce.dev/v1alpha1',
  'spec:',
  '  owner: # who',
  '    name: Ada Lovelace',
  '  # three of them',
  '  replicas: 3 # HA',
  '  resources: { limits: { memory: 512Mi }, requests: {} }',
  '  sleepSchedules:',
  '  - sleep: "0 22 * * 1-5"',
  "    wake: '0 6 * * 1-5'",
  '  list:',
  '    - a',
  '    - [b, c]',
  '  nothing:',
  '',
].join('\n');

const numRuns = runs(2000);

describe('the short way of reading', () => {
  it('is taken by an ordinary claim', () => {
    expect(agrees(claim)).toBe(true);
    expect(agrees(`# secrets\na: 1\n---\n${claim}---\n${claim}`)).toBe(true);
    expect(agrees(`# comment\n---\n${claim}`)).toBe(true);
  });
  it('says the same as the library or nothing, for any lines', () => {
    fc.assert(
      fc.property(anyLines, (lines) => void agrees(lines.join('\n'))),
      { numRuns },
    );
  });
  it('says the same as the library or nothing, near what it reads', () => {
    let taken = 0;
    fc.assert(
      fc.property(mutated, (text) => {
        if (agrees(text)) taken++;
      }),
      { numRuns },
    );
    expect(taken).toBeGreaterThan(100);
  });
  it('says the same as the library or nothing, for any edit of a claim', () => {
    const edit = fc.tuple(fc.nat(claim.length), fc.nat(12), fc.stringMatching(/^[ -~\n]{0,3}$/));
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) => {
        const text = edits.reduce((all, [at, drop, insert]) => all.slice(0, at) + insert + all.slice(at + drop), claim);
        agrees(text);
      }),
      { numRuns },
    );
  });
});
