import type { PlannedChange } from '../plan/plan.ts';
import type { Need } from '../plan/policy.ts';

/** `needs approval: data-loss`, `approved: data-loss`. */
export function needText({ rule, approved }: Need): string {
  return `${approved ? 'approved' : 'needs approval'}: ${rule}`;
}

/** What to write to approve: a trailer unless only a label counts, and a label. */
export function approvalTexts({ rule, labelOnly }: Need): { readonly trailer?: string; readonly label: string } {
  return { ...(!labelOnly && { trailer: `Quiesce-Approve: ${rule}` }), label: `quiesce-approve/${rule}` };
}

/** A rule that meets some of the changes, with how many of them. */
export interface RuleMet extends Need {
  readonly changes: number;
}

/** Rules that want an approval which is not there first, then those that have it; each by name. */
export function rulesMet(changes: readonly PlannedChange[]): readonly RuleMet[] {
  const met = new Map<string, RuleMet>();
  for (const need of changes.flatMap(({ needs }) => needs)) {
    const key = `${need.approved ? 1 : 0} ${need.rule}`;
    met.set(key, { ...need, changes: (met.get(key)?.changes ?? 0) + 1 });
  }
  return [...met.keys()].sort().flatMap((key) => met.get(key) ?? []);
}
