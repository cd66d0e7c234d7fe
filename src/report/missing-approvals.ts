import type { Plan, PlannedChange } from '../plan/plan.ts';
import type { Need } from '../plan/policy.ts';
import type { Problem } from '../validate/finding.ts';
import { approvalTexts } from './approval-words.ts';

export interface Approved {
  readonly plan: Plan;
  /** Rules that approvals name and the policy does not have. */
  readonly unknownApprovals: readonly string[];
  /** The clone lacks history, so that a trailer may have been missed. */
  readonly isShallow: boolean;
}

/** What keeps a change from being merged: a problem for each change and rule, at the line that asks for it. */
export function missingApprovals({ plan, unknownApprovals, isShallow }: Approved): readonly Problem[] {
  const missing = plan.changes.flatMap((change) =>
    change.needs.filter(({ approved }) => !approved).map((need) => missingProblem(change, need, isShallow)),
  );
  return [...missing, ...unknownApprovals.map(unknownProblem)];
}

function missingProblem({ text, place }: PlannedChange, need: Need, isShallow: boolean): Problem {
  const { trailer, label } = approvalTexts(need);
  const written = trailer === undefined ? '' : `write "${trailer}" at the end of a commit's message, or `;
  const shallow = isShallow ? ' This clone lacks history: fetch all commits, so that their trailers are seen.' : '';
  return {
    code: 'approval-missing',
    severity: 'error',
    message: `The rule "${need.rule}" of the policy wants an approval: ${text}`,
    remedy: `If it is meant, ${written}set the label "${label}".${shallow}`,
    ...(place !== undefined && { place }),
    related: [],
  };
}

function unknownProblem(rule: string): Problem {
  return {
    code: 'approval-unknown',
    severity: 'warning',
    message: `There is no rule "${rule}" in the policy, so its approval approves nothing.`,
    remedy: 'Name a rule of spec.policy in the settings, or take the approval away.',
    related: [],
  };
}
