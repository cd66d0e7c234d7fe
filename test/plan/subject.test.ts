import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changes } from '../../src/plan/changes.ts';
import { commitWords } from '../../src/plan/subject.ts';
import { claim, maintenance, node } from './facts.ts';

const asleep = { state: 'Sleeping' } as const;

describe('the subject of a commit', () => {
  it('names everybody while that fits', () => {
    const before = ['ada', 'bob', 'eve'].map((name) => claim(name));
    const after = [claim('ada', asleep), claim('bob', asleep), claim('eve', { state: 'Deleted' })];
    expect(commitWords(changes(before, after)).subject).toBe('Delete eve; sleep ada, bob');
  });

  it('counts where names do not fit', () => {
    const names = Array.from({ length: 30 }, (_, index) => `course-${String(index).padStart(2, '0')}`);
    const list = changes(
      [...names.map((name) => claim(name)), claim('eve')],
      [...names.map((name) => claim(name, asleep)), claim('eve', { replicas: 1 })],
    );
    expect(commitWords(list).subject).toBe('Sleep 30; scale eve');
  });

  it('tells the gravest first and counts the rest', () => {
    const names = ['a', 'b', 'c'].map((letter) => letter.repeat(30));
    const [first = '', second = '', third = ''] = names;
    const before = [...names.map((name) => claim(name)), maintenance()];
    const after = [
      claim(first, { state: 'Deleted' }),
      claim(second, asleep),
      claim(third, { version: '0.31.0' }),
      maintenance({ nodes: [node('10.0.0.1')] }),
    ];
    expect(commitWords(changes(before, after)).subject).toBe(`Delete ${first}; maintain 10.0.0.1; 2 more changes`);
  });

  it('says so when only bytes change', () => {
    expect(commitWords([])).toEqual({ subject: 'Render manifests again: the state says the same', body: [] });
  });

  it('fits in 72 characters and one line, whatever the names', () => {
    const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 80 }), { maxLength: 12 });
    fc.assert(
      fc.property(names, names, (before, after) => {
        const { subject, body } = commitWords(
          changes(
            before.map((name) => claim(name)),
            after.map((name) => claim(name, asleep)),
          ),
        );
        expect(subject.length).toBeLessThanOrEqual(72);
        for (const line of [subject, ...body]) expect(line).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});

describe('the body of a commit', () => {
  it('is one line for each change, dangers included', () => {
    const list = changes([claim('ada'), claim('bob')], [claim('ada', asleep), claim('bob', { replicas: 1 })]);
    expect(commitWords(list).body).toEqual([
      '- Virtual cluster ada on west goes to sleep: 3 control-plane replicas and every pod in it stop, data stays.',
      '- Virtual cluster bob on west has 1 control-plane replica in place of 3. (!) HA reduced: fewer replicas survive the loss of a node',
    ]);
  });

  it('mentions nobody, closes no issue and obeys no escape', () => {
    const [line = ''] = commitWords(
      changes([], [claim('ada', { owners: ['@everybody fixes #12 \u001b[31m\nSigned-off-by: x <ada@example.edu>'] })]),
    ).body;
    expect(line).toContain('owned by @\u2060everybody fixes #\u206012 [31m Signed-off-by: x <ada@example.edu>.');
  });
});
