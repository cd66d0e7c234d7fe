import { describe, expect, it } from 'vitest';
import { loadText, problemsIn } from './problems-in.ts';

const claim = 'state/claims/ada.yaml';

describe('mistakes in YAML', () => {
  it.each([
    ['a:\n\tb: 1\n', ['2:1-2:1 tab-indentation: Tabs are not allowed as indentation.']],
    ['a: "x\nb: 1\n', ['2:5-2:5 yaml-syntax: The closing " is missing.']],
    ['a: b: c\n', ['1:4-1:5 yaml-syntax: Nested mappings are not allowed in compact mappings.']],
    ['a: 1\nb\n', ['2:1-2:2 yaml-syntax: Implicit map keys need to be followed by map values.']],
    ['a: @x\n', ['1:4-1:5 yaml-syntax: Plain value cannot start with reserved character @.']],
    ['a: "\\q"\n', ['1:5-1:6 yaml-syntax: Invalid escape sequence \\q.']],
    [
      'a: {b: 1\nc: 2\n',
      ['2:1-2:2 yaml-syntax: Flow map in block collection must be sufficiently indented and end with a }.'],
    ],
    [
      'a: "\\q"\nb: @x\nc: [1\n',
      [
        '1:5-1:6 yaml-syntax: Invalid escape sequence \\q.',
        '2:4-2:5 yaml-syntax: Plain value cannot start with reserved character @.',
        '3:6-3:6 yaml-syntax: Flow sequence in block collection must be sufficiently indented and end with a ].',
      ],
    ],
    ['a: *b\nb: &b 1\n', ['1:4-1:6 anchor-unknown: `*b` has no `&b` before it.']],
    ['a: &a\n  b: *a\n', ['2:6-2:8 anchor-expansion: `*a` lies inside of what it stands for, so it would never end.']],
    ['a: &a 1\nb:\n  <<: *a\n', ['3:7-3:9 merge-source: `<<` merges mappings, not the number 1.']],
    ['a: !Ref x\n', ['1:4-1:8 yaml-tag: The tag `!Ref` is not known here.']],
    ['a: !!binary aGk=\n', ['1:4-1:12 yaml-tag: The tag `tag:yaml.org,2002:binary` is not known here.']],
    [
      '%YAML 1.1\n---\na: on\n',
      ['1:1-1:1 yaml-directive: The `%YAML 1.1` line asks for another version of YAML than 1.2.'],
    ],
    ['12: x\n', ['1:1-1:3 non-string-key: A key must be text, not the number 12.']],
    ['true: x\n', ['1:1-1:5 non-string-key: A key must be text, not `true`.']],
    ['? [a]\n: x\n', ['1:3-1:6 non-string-key: A key must be text, not a list.']],
    ['__proto__: {admin: true}\n', ['1:1-1:10 unsafe-key: The key `__proto__` is not allowed.']],
    ['a: .nan\n', ['1:4-1:8 number-not-exact: The number `.nan` cannot be kept exactly.']],
    ['a: -.inf\n', ['1:4-1:9 number-not-exact: The number `-.inf` cannot be kept exactly.']],
    ['a: 9007199254740993\n', ['1:4-1:20 number-not-exact: The number `9007199254740993` cannot be kept exactly.']],
    ['a: 0xFFFFFFFFFFFFFFFF\n', ['1:4-1:22 number-not-exact: The number `0xFFFFFFFFFFFFFFFF` cannot be kept exactly.']],
    ['a: {b: 1, b: 2}\n', ['1:11-1:12 duplicate-key: `b` is there twice.']],
  ])('%j', (content, problems) => expect(problemsIn(claim, content)).toEqual(problems));

  it('says where a quote was opened, and where the first of two keys is', () => {
    const related = (content: string) =>
      loadText(claim, content).problems.flatMap((problem) =>
        problem.related.map(({ message, place }) => `${place?.line}:${place?.column} ${message}`),
      );
    expect(related('x: 1\na: "x\nb: 1\n')).toEqual(['2:4 It is opened here.']);
    expect(related('a: [[1], 2\nb: 1\n')).toEqual(['1:4 It is opened here.']);
    expect(related('a: 1\nb: 2\na: 3\n')).toEqual(['1:1 The first one is here.']);
  });
  it('reports fifty mistakes and counts the others', () => {
    const problems = problemsIn(claim, 'a: @\n'.repeat(70));
    expect(problems).toHaveLength(51);
    expect(problems.filter((problem) => problem.includes('20 more mistakes follow'))).toHaveLength(1);
  });
});

describe('values', () => {
  it.each([
    ['a: {constructor: {prototype: {}}}\n', { a: { constructor: { prototype: {} } } }],
    ['a: !!str on\nb: ! 12\n', { a: 'on', b: '12' }],
    ['a: 1.0e+300\nb: 0x1F\nc: -7\nd: 1.5\n', { a: 1e300, b: 31, c: -7, d: 1.5 }],
    ['a: ~\nb:\nc: null\nd: Null\n', { a: null, b: null, c: null, d: null }],
    ['a: &a {x: 1, z: 2}\nb:\n  z: 3\n  <<: *a\n', { a: { x: 1, z: 2 }, b: { z: 3, x: 1 } }],
    ['a: &a {x: 1}\nb: &b {x: 2, z: 2}\nc:\n  <<: [*a, *b]\n', { a: { x: 1 }, b: { x: 2, z: 2 }, c: { x: 1, z: 2 } }],
    ['a: &x 1\nb: *x\nc: &x 2\nd: *x\n', { a: 1, b: 1, c: 2, d: 2 }],
    ['"<<": text\n', { '<<': 'text' }],
    ['a: |\n  x\n  y\nb: >-\n  x\n  y\n', { a: 'x\ny\n', b: 'x y' }],
  ])('%j', (content, value) => {
    const { file } = loadText(claim, content);
    expect(file.findings).toEqual([]);
    expect(file.documents[0]?.value).toEqual(value);
  });
  it('keeps `constructor` an ordinary key', () => {
    loadText(claim, 'constructor: {prototype: {polluted: 1}}\n__proto__: {polluted: 1}\n');
    expect(({} as { readonly polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('documents made to exhaust the reader', () => {
  const tenfold = (name: string, of: string) =>
    `${name}: &${name} [${Array.from({ length: 10 }, () => of).join(',')}]\n`;
  const names = 'abcdefgh'.split('');
  const laughs = names.map((name, index) => tenfold(name, index === 0 ? 'x' : `*${names[index - 1]}`)).join('');
  const merges = [
    `a0: &a0 {${Array.from({ length: 50 }, (_, index) => `k${index}: 1`).join(', ')}}\n`,
    ...Array.from(
      { length: 40 },
      (_, index) => `a${index + 1}: &a${index + 1}\n  <<: [${`*a${index}, `.repeat(9)}*a${index}]\n`,
    ),
  ].join('');

  it.each([
    ['billion laughs', laughs, ['anchor-expansion']],
    ['billion laughs by merge keys', merges, ['anchor-expansion']],
    [
      'many aliases of one value',
      `a: &a {x: 1}\n${Array.from({ length: 20_000 }, (_, index) => `k${index}: *a`).join('\n')}`,
      ['anchor-expansion'],
    ],
    ['50,000 brackets', '['.repeat(50_000), ['yaml-too-deep']],
    ['50,000 braces', '{a: '.repeat(50_000), ['yaml-too-deep']],
    ['25,000 dashes', '- '.repeat(25_000), ['yaml-too-deep']],
    [
      'many indented keys',
      Array.from({ length: 1000 }, (_, index) => `${' '.repeat(index)}a:`).join('\n'),
      ['yaml-too-deep'],
    ],
  ])('%s', (_, content, codes) => {
    const found = new Set(loadText(claim, content).problems.map(({ code }) => code));
    expect([...found]).toEqual(codes);
  });
  it('compares 30,000 keys in linear time', () => {
    const keys = Array.from({ length: 30_000 }, (_, index) => `k${index}: v`).join('\n');
    const { file } = loadText(claim, `a: "\\x41"\n${keys}\n`);
    expect(file.findings).toEqual([]);
    expect(Object.keys(file.documents[0]?.value as object)).toHaveLength(30_001);
  });
});
