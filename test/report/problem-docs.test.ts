import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { problemDocs } from '../../src/report/problem-docs.ts';
import { problemCodes } from '../../src/validate/codes.ts';

describe('docs/problems.md', () => {
  it('is what the table of codes says (else run `npm run docs`)', () => {
    expect(readFileSync('docs/problems.md', 'utf8')).toBe(problemDocs());
  });
  it('has a section for each code, which the table at its beginning links to', () => {
    const headings = problemDocs()
      .match(/^## .*$/gm)
      ?.map((heading) => heading.slice(3));
    expect(headings).toEqual(Object.keys(problemCodes).sort());
    for (const code of headings ?? []) expect(problemDocs()).toContain(`](#${code})`);
  });
});
