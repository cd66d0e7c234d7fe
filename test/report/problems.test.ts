import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { problemsSummary, problemText } from '../../src/report/problems.ts';
import { problemsJson } from '../../src/report/problems-json.ts';
import { plainStyle, type Style } from '../../src/report/style.ts';
import type { Place, Problem } from '../../src/validate/finding.ts';
import { runs } from '../support/runs.ts';

function place(excerpt: string, column: number, endColumn: number, more: Partial<Place> = {}): Place {
  return { file: 'state/claims/ada.yaml', line: 7, column, endLine: 7, endColumn, excerpt, ...more };
}

function problem(where?: Place, more: Partial<Problem> = {}): Problem {
  const base = {
    code: 'unknown-key',
    severity: 'error',
    message: '`replica` is not known in `spec`.',
    remedy: 'Did you mean `replicas`?',
  } as const;
  return { ...base, related: [], ...(where && { place: where }), ...more };
}

function text(...problems: readonly Problem[]): string[] {
  return problemText(problems, plainStyle, 60).split('\n');
}

/** The source line and the carets, without the gutter. */
function caret(where: Place, width = 60): string[] {
  return problemText([problem(where)], plainStyle, width)
    .split('\n')
    .filter((line) => / \| /.test(line))
    .map((line) => line.slice(line.indexOf('| ') + 2));
}

describe('problems as text', () => {
  it('shows place, code, line, caret and what to do, and ends with the counts', () => {
    const warning = problem(undefined, { code: 'stray-file', severity: 'warning', message: 'm', remedy: 'r' });
    expect(text(problem(place('  replica: 3', 3, 10)), warning)).toEqual([
      'state/claims/ada.yaml:7:3',
      '  error unknown-key  `replica` is not known in `spec`.',
      '  7 |   replica: 3',
      '    |   ^^^^^^^',
      '  → Did you mean `replicas`?',
      '',
      'warning stray-file  m',
      '  → r',
      '',
      '2 problems: 1 error, 1 warning',
      '',
    ]);
  });
  it('shows what another program said line by line, where no CI system takes it for an order', () => {
    expect(text(problem(undefined, { message: 'Refused:\n::error::no\n\u001b[31mred' })).slice(0, 4)).toEqual([
      'error unknown-key  Refused:',
      '  | ::error::no',
      '  | \\u{1b}[31mred',
      '  → Did you mean `replicas`?',
    ]);
  });
  it('names other places, and only the file of what is a whole file', () => {
    const whole = place('', 1, 1, { line: 1, endLine: 1 });
    const related = [
      { message: 'The first one is here.', place: place('x', 1, 2, { line: 3, endLine: 3 }) },
      { message: 'Nowhere.' },
    ];
    expect(text(problem(whole, { related })).slice(0, 5)).toEqual([
      'state/claims/ada.yaml',
      '  error unknown-key  `replica` is not known in `spec`.',
      '  state/claims/ada.yaml:3:1: The first one is here.',
      '  Nowhere.',
      '  → Did you mean `replicas`?',
    ]);
  });
  it.each([
    [[], 'no problems'],
    [[problem()], '1 problem: 1 error'],
    [[problem(), problem(), problem(undefined, { severity: 'warning' })], '3 problems: 2 errors, 1 warning'],
    [[problem(undefined, { severity: 'warning' })], '1 problem: 1 warning'],
  ])('summary %#', (problems, summary) => expect(problemsSummary(problems)).toBe(summary));

  it('sets severity and caret off in colour, and nothing of the source', () => {
    const style: Style = { ...plainStyle, red: (part) => `<r>${part}</r>`, cyan: (part) => `<c>${part}</c>` };
    const coloured = problemText([problem(place('a: 1', 1, 2))], style);
    expect(coloured).toContain('<c>state/claims/ada.yaml:7:1</c>\n  <r>error unknown-key</r>  ');
    expect(coloured).toContain('  7 | a: 1\n    | <r>^</r>\n');
  });
});

describe('the caret', () => {
  it.each<[string, Place, string[]]>([
    ['tabs', place('\ta:\tx', 5, 6), ['  a:  x', '      ^']],
    ['wide characters', place('名前: 値x', 5, 6), ['名前: 値x', '      ^^']],
    ['emoji', place('a: 😀 b', 7, 8), ['a: 😀 b', '      ^']],
    ['combining characters', place('e\u0301: x', 5, 6), ['e\u0301: x', '   ^']],
    ['control characters, spelt out', place('a: \u001b[31mx', 4, 5), ['a: \\u{1b}[31mx', '   ^^^^^^']],
    ['marks that turn the direction of writing', place('a: \u202ex', 5, 6), ['a: \\u{202e}x', '           ^']],
    ['a place behind the line', place('a:', 3, 3), ['a:', '  ^']],
    ['a place that goes on over more lines', place('a: |  ', 4, 2, { endLine: 9 }), ['a: |  ', '   ^^^']],
    ['half of a surrogate pair', place('a: \ud83d', 4, 5), ['a: \\u{d83d}', '   ^^^^^^^^']],
  ])('stands under %s', (_, where, lines) => expect(caret(where)).toEqual(lines));

  it('long lines are cut around it', () => {
    const long = `${'a'.repeat(100)}HERE${'b'.repeat(100)}`;
    expect(caret(place(long, 101, 105), 40)).toEqual(['…aaaaaaaaaaaHEREbbbbbbbbbbbbbbbbb…', '            ^^^^']);
    expect(caret(place(long, 1, 3), 40)).toEqual([`${'a'.repeat(32)}…`, '^^']);
    expect(caret(place(long, 205, 205), 40)).toEqual(['…bbbbbbbbbbb', '            ^']);
    expect(caret(place(long, 1, 205), 40)).toEqual([`${'a'.repeat(32)}…`, '^'.repeat(32)]);
  });
  it('takes no time on a line of a million characters', () => {
    expect(caret(place('x'.repeat(1_000_000), 500_000, 900_000)).map((line) => line.length)).toEqual([54, 53]);
  });
  it('stays within the width, on one line, without control characters, for any line and place', () => {
    const any = fc.record({
      excerpt: fc.string({ unit: 'binary', maxLength: 200 }),
      column: fc.integer({ min: 1, max: 220 }),
      length: fc.nat(50),
    });
    fc.assert(
      fc.property(any, fc.integer({ min: 30, max: 120 }), ({ excerpt, column, length }, width) => {
        const lines = problemText([problem(place(excerpt, column, column + length))], plainStyle, width).split('\n');
        const shown = lines.filter((line) => / \| /.test(line));
        for (const line of shown) expect([...line].length).toBeLessThanOrEqual(width + 12);
        expect(shown.join('')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
        if (excerpt.trim() !== '') expect(shown[1]).toContain('^');
      }),
      { numRuns: runs(1000) },
    );
  });
  it('messages, remedies and paths cannot reach the terminal either', () => {
    const evil = '\u001b]0;x\u0007\n::error::';
    const shown = problemText(
      [problem(place('a', 1, 2, { file: evil }), { message: evil, remedy: evil, related: [{ message: evil }] })],
      plainStyle,
    );
    expect(shown.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(shown.split('\n')).toHaveLength(10);
    expect(shown).not.toMatch(/^\s*::/m);
  });
});

describe('problems as JSON', () => {
  it('are as they are, with their counts', () => {
    const problems = [problem(place('a', 1, 2)), problem(undefined, { severity: 'warning' })];
    expect(JSON.parse(problemsJson(problems))).toEqual({ errors: 1, warnings: 1, problems });
    expect(problemsJson([]).endsWith('\n')).toBe(true);
  });
});
