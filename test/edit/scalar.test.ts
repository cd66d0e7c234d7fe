import { describe, expect, it } from 'vitest';
import { EditRefused } from '../../src/edit/refused.ts';
import { appendToList, editScalar } from '../../src/edit/scalar.ts';

const state = ['spec', 'state'];

describe('editScalar replaces the word and nothing else', () => {
  const cases: readonly (readonly [what: string, before: string, after: string])[] = [
    ['plain', 'spec:\n  state: Running\n', 'spec:\n  state: Sleeping\n'],
    ['comment behind it', 'spec:\n  state:   Running   # why\n', 'spec:\n  state:   Sleeping   # why\n'],
    ['double quotes', 'spec:\n  state: "Running"\n', 'spec:\n  state: "Sleeping"\n'],
    ['single quotes', "spec:\n  state: 'Running'\n", "spec:\n  state: 'Sleeping'\n"],
    ['CRLF', 'spec:\r\n  state: Running\r\n  x: 1\r\n', 'spec:\r\n  state: Sleeping\r\n  x: 1\r\n'],
    ['byte order mark', '\ufeffspec:\n  state: Running\n', '\ufeffspec:\n  state: Sleeping\n'],
    ['flow style', 'spec: {owner: a,state: Running}\n', 'spec: {owner: a,state: Sleeping}\n'],
    ['JSON', '{"spec": {"state": "Running", "a": [1]}}', '{"spec": {"state": "Sleeping", "a": [1]}}'],
    ['anchor without alias', 'spec:\n  state: &s Running\n', 'spec:\n  state: &s Sleeping\n'],
    ['tag', 'spec:\n  state: !!str Running\n', 'spec:\n  state: !!str Sleeping\n'],
    ['alias', 'a: &s Running\nspec:\n  state: *s # c\n', 'a: &s Running\nspec:\n  state: Sleeping # c\n'],
    ['quoted key', 'spec:\n  "state": Running\n', 'spec:\n  "state": Sleeping\n'],
    ['explicit key', 'spec:\n  ? state\n  : Running\n', 'spec:\n  ? state\n  : Sleeping\n'],
    ['value on the next line', 'spec:\n  state:\n    Running\n', 'spec:\n  state:\n    Sleeping\n'],
    ['block scalar', 'spec:\n  state: >- # c\n    Running\n\n  x: 1\n', 'spec:\n  state: Sleeping # c\n\n  x: 1\n'],
    ['no line break at the end', 'spec:\n  state: Running', 'spec:\n  state: Sleeping'],
    ['empty value', 'spec:\n  state:  # none\n  x: 1\n', 'spec:\n  state: Sleeping  # none\n  x: 1\n'],
    ['empty value at the end of the file', 'spec:\n  state:', 'spec:\n  state: Sleeping'],
    ['null', 'spec:\n  state: ~ # c\n', 'spec:\n  state: Sleeping # c\n'],
    ['bare key in a flow map', 'spec: {state, x: 1}\n', 'spec: {state: Sleeping, x: 1}\n'],
    [
      'directive and document end',
      '%YAML 1.2\n---\nspec:\n  state: Running\n...\n# end\n',
      '%YAML 1.2\n---\nspec:\n  state: Sleeping\n...\n# end\n',
    ],
    ['the same already', 'spec:\n  state:   "Sleeping"\n', 'spec:\n  state:   "Sleeping"\n'],
  ];
  it.each(cases)('%s', (_, before, after) => {
    expect(editScalar(before, 0, state, 'Sleeping')).toBe(after);
  });

  it('edits the document it is told to', () => {
    const text =
      '# first\nspec: {state: Running}\n---\n# second\nspec:\n  state: Running\n---\nspec: {state: Running}\n';
    expect(editScalar(text, 1, state, 'Sleeping')).toBe(
      '# first\nspec: {state: Running}\n---\n# second\nspec:\n  state: Sleeping\n---\nspec: {state: Running}\n',
    );
  });

  it('edits an item of a list', () => {
    expect(editScalar('a:\n- x: 1 # one\n- x: 2\n', 0, ['a', 1, 'x'], 3)).toBe('a:\n- x: 1 # one\n- x: 3\n');
  });

  it.each([
    ['2026-03-01T00:00:00Z', 'a: "2026-03-01T00:00:00Z"\n'],
    ['on', 'a: "on"\n'],
    ['0o17', 'a: "0o17"\n'],
    ['a: b # c', 'a: "a: b # c"\n'],
    ['two\nlines', 'a: "two\\nlines"\n'],
    ['', 'a: ""\n'],
    ['\u0085\u2028', 'a: "\\u0085\\u2028"\n'],
    [true, 'a: true\n'],
    [12, 'a: 12\n'],
    [null, 'a: null\n'],
  ])('writes %j so that every reader reads it back', (value, after) => {
    expect(editScalar('a: x\n', 0, ['a'], value)).toBe(after);
  });
});

describe('editScalar adds what is missing', () => {
  const cases: readonly (readonly [what: string, before: string, after: string])[] = [
    ['behind the owner', 'spec:\n  owner: a\n  x: 1\n', 'spec:\n  owner: a\n  state: Sleeping\n  x: 1\n'],
    [
      'behind a nested owner and its comment',
      'spec:\n    owner:\n        name: a # who\n        # email: later\n    # about x\n    x: 1\n',
      'spec:\n    owner:\n        name: a # who\n        # email: later\n    state: Sleeping\n    # about x\n    x: 1\n',
    ],
    ['last without an owner', 'spec:\n  x: 1\nz: 2\n', 'spec:\n  x: 1\n  state: Sleeping\nz: 2\n'],
    ['at the end of the file', 'spec:\n  x: 1', 'spec:\n  x: 1\n  state: Sleeping'],
    ['with CRLF', 'spec:\r\n  x: 1\r\nz: 2\r\n', 'spec:\r\n  x: 1\r\n  state: Sleeping\r\nz: 2\r\n'],
    [
      'behind a block scalar',
      'spec:\n  owner: |\n    a\n    b\n\n  x: 1\n',
      'spec:\n  owner: |\n    a\n    b\n  state: Sleeping\n\n  x: 1\n',
    ],
    [
      'behind an empty value',
      'spec:\n  owner: # none\n  x: 1\n',
      'spec:\n  owner: # none\n  state: Sleeping\n  x: 1\n',
    ],
    ['in a flow map', 'spec: { owner: a, x: 1 }\n', 'spec: { owner: a, state: Sleeping, x: 1 }\n'],
    ['in an empty flow map', 'spec: {}\n', 'spec: {state: Sleeping}\n'],
    [
      'in a flow map over several lines',
      'spec: {\n  owner: a, # c\n}\n',
      'spec: {\n  owner: a, state: Sleeping, # c\n}\n',
    ],
    ['below an empty key', 'kind: X\nspec: # nothing\n', 'kind: X\nspec: # nothing\n  state: Sleeping\n'],
    ['in place of null', 'spec: null\n', 'spec: { state: Sleeping }\n'],
    ['with its parent', 'kind: X\n', 'kind: X\nspec:\n  state: Sleeping\n'],
    ['before the next document', 'spec:\n  x: 1\n---\na: 1\n', 'spec:\n  x: 1\n  state: Sleeping\n---\na: 1\n'],
    ['before a document end', 'spec:\n  x: 1\n...\n', 'spec:\n  x: 1\n  state: Sleeping\n...\n'],
    [
      'over a merge',
      'b: &b\n  state: Running\nspec:\n  <<: *b\n',
      'b: &b\n  state: Running\nspec:\n  <<: *b\n  state: Sleeping\n',
    ],
  ];
  it.each(cases)('%s', (_, before, after) => {
    expect(editScalar(before, 0, state, 'Sleeping', { after: ['owner'] })).toBe(after);
  });

  it('in a map that is a list item', () => {
    expect(editScalar('a:\n  - x: 1\n  - x: 2\n', 0, ['a', 0, 'z'], 3)).toBe('a:\n  - x: 1\n    z: 3\n  - x: 2\n');
  });

  it('adds lists and maps in the style of the file', () => {
    expect(editScalar('a:\n    x: 1\n', 0, ['a', 'z'], { list: [1, { k: 'v', l: [] }], none: null })).toBe(
      'a:\n    x: 1\n    z:\n        list:\n            - 1\n            - k: v\n              l: []\n        none: null\n',
    );
  });
});

describe('appendToList', () => {
  const cases: readonly (readonly [what: string, before: string, after: string])[] = [
    ['block list', 'a:\n  - x # one\n  # last\nb: 1\n', 'a:\n  - x # one\n  - new\n  # last\nb: 1\n'],
    ["list at its key's column", 'a:\n- x\nb: 1\n', 'a:\n- x\n- new\nb: 1\n'],
    ['flow list', 'a: [x, z]\n', 'a: [x, z, new]\n'],
    ['empty flow list', 'a: []\n', 'a: [new]\n'],
    ['empty key', 'a:\nb: 1\n', 'a:\n  - new\nb: 1\n'],
    ['missing key', 'b: 1\n', 'b: 1\na:\n  - new\n'],
    ['no line break at the end', 'a:\n- x', 'a:\n- x\n- new'],
    ['CRLF', 'a:\r\n- x\r\n', 'a:\r\n- x\r\n- new\r\n'],
  ];
  it.each(cases)('%s', (_, before, after) => {
    expect(appendToList(before, 0, ['a'], 'new')).toBe(after);
  });

  it('appends maps', () => {
    expect(appendToList('a:\n  - k: 1\n    l: 2\n', 0, ['a'], { k: 3, l: 'x' })).toBe(
      'a:\n  - k: 1\n    l: 2\n  - k: 3\n    l: x\n',
    );
  });
});

describe('what cannot be edited faithfully is refused', () => {
  const cases: readonly (readonly [what: string, text: string, message: RegExp])[] = [
    ['a value that aliases share', 'spec:\n  state: &s Running\nother: *s\n', /shared/],
    ['a map that is an alias', 'b: &b {state: Running}\nspec: *b\n', /`spec` is an alias of &b/],
    ['a map that aliases share', 'spec: &b {state: Running}\nc: *b\n', /shared/],
    ['broken YAML', 'spec:\n  state: [\n', /not valid YAML/],
    ['duplicate keys', 'spec:\n  state: a\n  state: b\n', /shared or written/],
    ['an empty file', '', /no document number 1/],
    ['an empty document', '---\n', /empty/],
    ['nested too deeply', `spec: ${'['.repeat(100_000)}`, /nested too deeply/],
    ['a list where the map should be', 'spec: [a]\n', /`spec` does not hold/],
    ['a map in place of the word', 'spec: {state: {a: 1}}\n', /a list or a map/],
    [
      'too many aliases',
      `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [${'*a,'.repeat(9)}]\nc: &c [${'*b,'.repeat(9)}]\nd: &d [${'*c,'.repeat(9)}]\ne: [${'*d,'.repeat(9)}]\nspec: {state: Running}\n`,
      /cannot be read/,
    ],
  ];
  it.each(cases)('%s', (_, text, message) => {
    expect(() => editScalar(text, 0, state, 'Sleeping')).toThrow(EditRefused);
    expect(() => editScalar(text, 0, state, 'Sleeping')).toThrow(message);
  });
});
