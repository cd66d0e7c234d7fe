import type { Refused } from './forms.ts';

/** Why there is no plan, in a sentence. */
export function refusalText({ at, problems }: Refused): string {
  if (problems.some(({ code }) => code === 'snapshot-refused')) return 'There is nothing to rehearse the change on.';
  const where = at === 'worktree' ? 'in the work tree' : `at ${at}`;
  return `The state ${where} has problems, so there is nothing to compare.`;
}
