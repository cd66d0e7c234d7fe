import type { $ZodIssue } from 'zod/v4/core';
import type { Expectation } from './zod-words.ts';

/** What to say of a value that fits no option: the issues of the option that was meant, or what it could be at all. */
export type FlatUnion =
  | { readonly kind: 'issues'; readonly issues: readonly $ZodIssue[] }
  | ({ readonly kind: 'expected' } & Expectation);

type UnionIssue = Extract<$ZodIssue, { code: 'invalid_union' }>;

/**
 * A mapping is compared with the options that are mappings, and so on; among those the one counts that has the fewest
 * contradictions, then the fewest issues. Paths of the issues begin at the union.
 */
export function flattenUnion(issue: UnionIssue): FlatUnion {
  const discriminants = 'options' in issue ? issue.options : undefined;
  if (discriminants !== undefined) return { kind: 'expected', values: discriminants, expected: '' };
  const options: readonly (readonly $ZodIssue[])[] = issue.errors;
  const sameForm = options.filter((issues) => !issues.some(isAboutTheWhole));
  const [best] = [...sameForm].sort((a, b) => contradictions(a) - contradictions(b) || a.length - b.length);
  if (best !== undefined) return { kind: 'issues', issues: best };
  const whole = options.flat().flatMap(wholeIssues);
  const values = new Set(whole.flatMap((each) => (each.code === 'invalid_value' ? each.values : [])));
  const types = new Set(whole.flatMap((each) => (each.code === 'invalid_type' ? [each.expected] : [])));
  return { kind: 'expected', values: [...values], expected: [...types].join(' ') };
}

function isAboutTheWhole(issue: $ZodIssue): boolean {
  if (issue.path.length > 0) return false;
  return issue.code === 'invalid_type' || issue.code === 'invalid_value' || issue.code === 'invalid_union';
}

/** Another fixed value (`kind: …`) than the option has, and keys that it does not know. */
function contradictions(issues: readonly $ZodIssue[]): number {
  const counts = issues.map((issue) => {
    if (issue.code === 'unrecognized_keys' && issue.path.length === 0) return issue.keys.length;
    return issue.code === 'invalid_value' && issue.path.length === 1 && issue.values.length === 1 ? 1 : 0;
  });
  return counts.reduce((sum: number, count) => sum + count, 0);
}

/** The issue, or those of the options of a union within the union. */
function wholeIssues(issue: $ZodIssue): readonly $ZodIssue[] {
  return issue.code === 'invalid_union' ? issue.errors.flat().flatMap(wholeIssues) : [issue];
}
