import { describe, expect, it } from 'vitest';
import { githubAnnotations } from '../../src/report/github.ts';
import type { Problem } from '../../src/validate/finding.ts';

function problem(more: Partial<Problem> = {}, line = 3): Problem {
  const place = {
    file: 'state/claims/ada.yaml',
    line,
    column: 3,
    endLine: line,
    endColumn: 10,
    excerpt: '  replica: 3',
  };
  return { code: 'unknown-key', severity: 'error', message: 'No.', remedy: 'Yes.', place, related: [], ...more };
}

function lines(...problems: readonly Problem[]): string[] {
  return githubAnnotations(problems).split('\n').slice(0, -1);
}

describe('annotations for GitHub', () => {
  it('carry place, code, message and remedy', () => {
    expect(lines(problem())).toEqual([
      '::error file=state/claims/ada.yaml,line=3,endLine=3,col=3,endColumn=9,title=unknown-key::No.%0AYes.',
      '::notice title=Quiesce::1 problem: 1 error',
    ]);
  });
  it('have no columns over several lines, and no place where there is none', () => {
    const place = { file: 'f.yaml', line: 3, column: 3, endLine: 5, endColumn: 1, excerpt: 'x' };
    expect(lines(problem({ place }))[0]).toBe('::error file=f.yaml,line=3,endLine=5,title=unknown-key::No.%0AYes.');
    const { place: _, ...nowhere } = problem({ severity: 'warning' });
    expect(lines(nowhere)[0]).toBe('::warning title=unknown-key::No.%0AYes.');
  });
  it('name the other places', () => {
    const related = [
      { message: 'The first.', place: { ...problem().place, file: 'b.yaml' } as NonNullable<Problem['place']> },
    ];
    expect(lines(problem({ related }))[0]).toMatch(/::No\.%0Ab\.yaml:3: The first\.%0AYes\.$/);
  });
  it('cannot be made to start another command', () => {
    const place = { file: 'a,b:c%\n::error::d.yaml', line: 1, column: 1, endLine: 1, endColumn: 1, excerpt: '' };
    const shown = lines(problem({ message: '100%\r\n::set-output name=x::y', place }));
    expect(shown).toHaveLength(2);
    expect(shown[0]).toBe(
      '::error file=a%2Cb%3Ac%25%0A%3A%3Aerror%3A%3Ad.yaml,line=1,endLine=1,col=1,endColumn=1,title=unknown-key::100%25\\u{d}\\u{a}::set-output name=x::y%0AYes.',
    );
  });
  it('keep within the limits, and say how many more there are', () => {
    const many = [
      ...Array.from({ length: 25 }, (_, line) => problem({}, line + 1)),
      ...Array.from({ length: 11 }, () => problem({ severity: 'warning' })),
    ];
    const shown = lines(...many);
    expect(shown.filter((line) => line.startsWith('::error '))).toHaveLength(10);
    expect(shown.filter((line) => line.startsWith('::warning '))).toHaveLength(10);
    expect(shown.at(-1)).toBe(
      '::notice title=Quiesce::36 problems: 25 errors, 11 warnings. GitHub shows ten of each: 15 errors and 1 warning more in the log.',
    );
    expect(lines(problem({ message: 'x'.repeat(100_000) }))[0]?.length).toBeLessThan(5000);
    expect(githubAnnotations([])).toBe('');
  });
});
