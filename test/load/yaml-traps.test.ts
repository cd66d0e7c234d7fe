import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { twoReadings } from '../../src/load/yaml-traps.ts';
import { loadText, problemsIn } from './problems-in.ts';

const claim = 'state/claims/ada.yaml';

describe('values that the versions of YAML read differently', () => {
  it.each([
    ['on', 'true', 'text'],
    ['Yes', 'true', 'text'],
    ['OFF', 'false', 'text'],
    ['n', 'false', 'text'],
    ['0755', 'the number 493', 'the number 755'],
    ['-017', 'the number -15', 'the number -17'],
    ['0o17', 'text', 'the number 15'],
    ['0189', 'text', 'the number 189'],
    ['1e3', 'text', 'the number 1000'],
    ['1.5e3', 'text', 'the number 1500'],
    ['12:30', 'the number 750', 'text'],
    ['1:30:00', 'the number 5400', 'text'],
    ['1_000', 'the number 1000', 'text'],
    ['0b101', 'the number 5', 'text'],
    ['-0x1F', 'the number -31', 'text'],
    ['2026-01-31', 'a date', 'text'],
    ['2026-01-31T10:00:00Z', 'a date', 'text'],
    ['=', 'a default-value mark', 'text'],
  ])('%s: %s or %s', (source, yaml11, yaml12) => expect(twoReadings(source)).toMatchObject({ yaml11, yaml12 }));

  it.each([
    '~',
    'true',
    'True',
    'null',
    '0',
    '00',
    '07',
    '7',
    '-7',
    '.5',
    '1.',
    '0x1F',
    '1.0e+3',
    '12:60',
    '8080:80',
    'v1',
    '10Gi',
    '200m',
    '1.27.0',
    'online',
    'nothing',
    '::',
    '2026',
    '10.0.0.1',
  ])('%s is the same in both', (source) => expect(twoReadings(source)).toBeUndefined());

  it.each(['on', 'no', '0755', '12:30', '1_000', '0b101', '0x1F', '1:30:00', '017', '-0x1F'])(
    'agrees with the library on %s',
    (source) => {
      const [older, newer] = (['1.1', '1.2'] as const).map((version) => parse(source, { version }) as unknown);
      const readings = twoReadings(source);
      expect(readings === undefined).toBe(older === newer);
      if (readings !== undefined && typeof older === 'number') expect(readings.yaml11).toBe(`the number ${older}`);
    },
  );

  it('is a warning at the value that names both readings and how to write it', () => {
    const [problem] = loadText(claim, 'spec:\n  mode: 0755 # rwx\n').problems;
    expect(problem).toMatchObject({
      severity: 'warning',
      message: '`0755` is the number 755 in YAML 1.2, as it is read here, but the number 493 in YAML 1.1.',
      remedy: 'Quote it (`"0755"`), or write `493` or `755`.',
      place: { line: 2, column: 9, endLine: 2, endColumn: 13, excerpt: '  mode: 0755 # rwx' },
    });
  });
  it('keys count, quotes and tags settle it', () => {
    expect(problemsIn(claim, 'on: 1\na: "on"\nb: \'0755\'\nc: !!str no\nd: |-\n  on\n')).toEqual([
      '1:1-1:3 yaml-version-trap: `on` is text in YAML 1.2, as it is read here, but true in YAML 1.1.',
    ]);
  });
  it('in cluster configs only what is read here matters', () => {
    const content =
      'a: 1\n---\nmetadata:\n  annotations: {x: on}\nspec:\n  enabled: yes\n  nodes:\n  - address: 1:2:3:4:5:6:7:8\n';
    const codes = problemsIn('state/clusters/north.yaml', content).map((line) => line.split(':').slice(0, 2).join(':'));
    expect(codes).toEqual(['4:20-4', '8:14-8']);
  });
});
