import { describe, expect, it } from 'vitest';
import { formatMessage, subjectOf } from '../../src/commit/message.ts';

const trailers = [
  { key: 'Quiesce-Source', value: 'abc' },
  { key: 'Quiesce-Version', value: '1.0.0' },
];

describe('subjectOf', () => {
  it.each([
    [['Sleep ada-dev', 'wake bob'], 'Sleep ada-dev; wake bob'],
    [[], ''],
    [['  Sleep\nada  ', ''], 'Sleep ada'],
    [
      Array.from({ length: 20 }, (_, index) => `sleep claim-${index}`),
      'sleep claim-0; sleep claim-1; sleep claim-2; sleep claim-3; 16 more',
    ],
    [['x'.repeat(100), 'y'], `${'x'.repeat(100)}; 1 more`],
  ])('%j', (clauses, subject) => {
    expect(subjectOf(clauses)).toBe(subject);
  });
});

describe('formatMessage', () => {
  it('puts subject, body and trailers into paragraphs', () => {
    expect(
      formatMessage({ subject: 'Sleep ada-dev', body: ['- ada-dev sleeps', '', 'Nothing is deleted.'], trailers }),
    ).toBe('Sleep ada-dev\n\n- ada-dev sleeps\n\nNothing is deleted.\n\nQuiesce-Source: abc\nQuiesce-Version: 1.0.0\n');
  });

  it('leaves an empty body out', () => {
    expect(formatMessage({ subject: 'Sleep ada-dev', body: [], trailers: [] })).toBe('Sleep ada-dev\n');
  });

  it('cuts a long subject at a word and repeats it in full', () => {
    const subject = 'Sleep the quite remarkably long name of a claim that nobody would give to a claim';
    const [first, , second, third] = formatMessage({ subject, body: [], trailers }).split('\n');
    expect(first).toBe('Sleep the quite remarkably long name of a claim that nobody would give…');
    expect(`${second} ${third}`).toBe(subject);
  });

  it('wraps list items below themselves and never breaks a word', () => {
    const message = formatMessage({
      subject: 'x',
      body: [`- ${'word '.repeat(20)}end`, 'u'.repeat(100)],
      trailers: [],
    });
    const lines = message.split('\n').slice(2);
    expect(lines[1]).toMatch(/^ {2}word/);
    expect(lines).toContain('u'.repeat(100));
    expect(lines.filter((line) => line.length > 72)).toHaveLength(1);
  });

  it('lets nothing in a value become a line of its own', () => {
    const message = formatMessage({
      subject: 'a\nQuiesce-Source: forged',
      body: ['b\r\nc'],
      trailers: [{ key: 'Quiesce-Source', value: 'd\nX: y' }],
    });
    expect(message).toBe('a Quiesce-Source: forged\n\nb c\n\nQuiesce-Source: d X: y\n');
  });

  it('keeps the body of a change of everything readable', () => {
    const message = formatMessage({
      subject: 'x',
      body: Array.from({ length: 10_000 }, (_, index) => `- claim-${index} sleeps`),
      trailers,
    });
    expect(message.split('\n').length).toBeLessThan(110);
    expect(message).toContain('… and 9900 more lines');
  });
});
