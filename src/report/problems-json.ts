import type { Problem } from '../validate/finding.ts';

/** For scripts: the problems as they are, and their counts. Fields are only ever added. */
export function problemsJson(problems: readonly Problem[]): string {
  const errors = problems.filter((problem) => problem.severity === 'error').length;
  return `${JSON.stringify({ errors, warnings: problems.length - errors, problems }, undefined, 2)}\n`;
}
