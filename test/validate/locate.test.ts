import { describe, expect, it } from 'vitest';
import { at, type DataPath, type Finding, type Location } from '../../src/validate/finding.ts';
import { locate } from '../../src/validate/locate.ts';

const file = 'state/claims/ada.yaml';
const origin = { file, document: 0 };
const encoder = new TextEncoder();

const text = `# a claim
apiVersion: v1
metadata:
  name: ada
  labels: {team: x}
spec:
  owner:
  list:
    - sleep: a
      wake: b
    - plain
  flow: [1, {deep: 2}]
  text: |
    one
    two
  base: &base
    size: 1
  derived:
    <<: *base
    own: 2
  same: *base
`;

function finding(where: Location, extra: Partial<Finding> = {}): Finding {
  return { code: 'invalid-value', at: where, message: 'm', remedy: 'r', ...extra };
}

function placeOf(path: DataPath, on: 'key' | 'value', content = text): string {
  const [problem] = locate([finding(at(origin, path, on))], () => encoder.encode(content));
  const place = problem?.place;
  return place === undefined ? 'nowhere' : `${place.line}:${place.column}-${place.endLine}:${place.endColumn}`;
}

describe('where a finding is shown', () => {
  it.each<[string, DataPath, 'key' | 'value', string]>([
    ['a value', ['metadata', 'name'], 'value', '4:9-4:12'],
    ['a key', ['metadata', 'name'], 'key', '4:3-4:7'],
    ['a mapping over several lines, at its key', ['metadata'], 'value', '3:1-3:9'],
    ['a mapping in braces', ['metadata', 'labels'], 'value', '5:11-5:20'],
    ['a value in brackets', ['spec', 'flow', 1, 'deep'], 'value', '12:20-12:21'],
    ['an empty value, at its key', ['spec', 'owner'], 'value', '7:3-7:8'],
    ['a key missing in a mapping, at the key of that', ['metadata', 'nam'], 'key', '3:1-3:9'],
    ['a key missing in an empty value', ['spec', 'owner', 'email'], 'key', '7:3-7:8'],
    ['a key missing two levels deep', ['spec', 'a', 'b'], 'value', '6:1-6:5'],
    ['a key missing at the top, at the first key', ['kind'], 'key', '2:1-2:11'],
    ['the whole document', [], 'value', '2:1-2:11'],
    ['an item that is a text', ['spec', 'list', 1], 'value', '11:7-11:12'],
    ['an item that is a mapping, where it begins', ['spec', 'list', 0], 'value', '9:7-9:12'],
    ['a key missing in an item, where the item begins', ['spec', 'list', 0, 'timeZone'], 'key', '9:7-9:12'],
    ['an item that is not there', ['spec', 'list', 5], 'value', '8:3-8:7'],
    ['a text over several lines', ['spec', 'text'], 'value', '13:9-15:8'],
    ['a merged value, where it is written', ['spec', 'derived', 'size'], 'value', '17:11-17:12'],
    ['an alias', ['spec', 'same'], 'value', '21:9-21:14'],
    ['a value behind an alias, where it is written', ['spec', 'same', 'size'], 'value', '17:11-17:12'],
  ])('%s', (_, path, on, place) => expect(placeOf(path, on)).toBe(place));

  it('counts documents, and lines from the start of the file', () => {
    const content = 'a: 1\n---\n# second\nb: 2\n---\nc: 3\n';
    const problems = locate([finding(at({ file, document: 2 }, ['c']))], () => encoder.encode(content));
    expect(problems[0]?.place).toEqual({ file, line: 6, column: 4, endLine: 6, endColumn: 5, excerpt: 'c: 3' });
  });
  it('finds its way through a merge that contains itself', () => {
    expect(placeOf(['a', 'x'], 'value', 'a: &a\n  <<: *a\n  b: 1\n')).toBe('1:1-1:2');
  });
  it('shows a file that is gone or cannot be parsed at its start', () => {
    expect(locate([finding(at(origin, ['a']))], () => undefined)[0]?.place).toMatchObject({
      line: 1,
      column: 1,
      excerpt: '',
    });
    expect(placeOf(['a'], 'value', '['.repeat(500))).toBe('1:1-1:1');
  });
  it('leaves out the place of what is nowhere, and the line of what is a whole file', () => {
    const [nowhere, whole] = locate([finding({ kind: 'file', file }), finding({ kind: 'nowhere' })], () => undefined);
    expect(nowhere).toEqual({ code: 'invalid-value', severity: 'error', message: 'm', remedy: 'r', related: [] });
    expect(whole?.place).toEqual({ file, line: 1, column: 1, endLine: 1, endColumn: 1, excerpt: '' });
  });
});

describe('the order in which problems are shown', () => {
  const read = (): Uint8Array => encoder.encode('a: 1\nb: 2\nc: 3\n');
  const valueAt = (key: string, extra: Partial<Finding> = {}): Finding => finding(at(origin, [key]), extra);

  it('is by file, line, column, code and message, and each is there once', () => {
    const findings = [
      valueAt('b', { message: 'z' }),
      valueAt('b', { message: 'a' }),
      finding(at({ file: 'state/claims/Zoe.yaml', document: 0 }, ['c'])),
      valueAt('a', { code: 'wrong-type' }),
      valueAt('a'),
      valueAt('a'),
      finding({ kind: 'nowhere' }),
    ];
    const shown = locate(findings, read).map(
      ({ place, code, message }) => `${place?.file} ${place?.line} ${code} ${message}`,
    );
    expect(shown).toEqual([
      'undefined undefined invalid-value m',
      'state/claims/Zoe.yaml 3 invalid-value m',
      `${file} 1 invalid-value m`,
      `${file} 1 wrong-type m`,
      `${file} 2 invalid-value a`,
      `${file} 2 invalid-value z`,
    ]);
  });
  it('looks up what belongs to a finding too', () => {
    const related = [
      { message: 'the first', at: at(origin, ['a']) },
      { message: 'nowhere', at: { kind: 'nowhere' } as const },
    ];
    expect(locate([valueAt('b', { related })], read)[0]?.related).toEqual([
      { message: 'the first', place: { file, line: 1, column: 4, endLine: 1, endColumn: 5, excerpt: 'a: 1' } },
      { message: 'nowhere' },
    ]);
  });
  it('reads each file once', () => {
    let reads = 0;
    const counting = (): Uint8Array => {
      reads++;
      return read();
    };
    locate(
      ['a', 'b', 'c'].map((key) => valueAt(key)),
      counting,
    );
    expect(reads).toBe(1);
  });
});
