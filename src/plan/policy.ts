import type { Change, ChangeKind } from './change.ts';
import type { DangerKind } from './danger.ts';

/** One rule of `policy` in the settings: what somebody has to approve by name before it is merged. */
export interface PolicyRule {
  readonly name: string;
  /** It meets changes with one of these dangers, and changes of one of these kinds; with neither, every danger. */
  readonly dangers: readonly DangerKind[];
  readonly changes: readonly ChangeKind[];
  /** Only there; empty for everywhere. */
  readonly clusters: readonly string[];
  /** A trailer does not do: whoever proposes a change can write one, a label needs rights on most forges. */
  readonly labelOnly: boolean;
}

/** That somebody approved what a rule meets. */
export interface Approval {
  readonly rule: string;
  /** Of claims and other subjects; empty for all. */
  readonly names: readonly string[];
  readonly by: 'trailer' | 'label';
}

/** What a change needs before it may be merged. */
export interface Need {
  readonly rule: string;
  readonly approved: boolean;
  /** A trailer does not do. */
  readonly labelOnly: boolean;
}

/**
 * Rules of both states hold, so that a change cannot lift the rule that it would need an approval by. Of two rules with
 * one name both are looked at; one approval does for both.
 */
export function needsOf(change: Change, rules: readonly PolicyRule[], approvals: readonly Approval[]): readonly Need[] {
  const met = rules.filter((rule) => meets(rule, change));
  return [...new Set(met.map(({ name }) => name))].sort().map((name) => {
    const labelOnly = met.some((rule) => rule.name === name && rule.labelOnly);
    const approved = approvals.some(
      (approval) => approval.rule === name && (approval.by === 'label' || !labelOnly) && isAbout(approval, change),
    );
    return { rule: name, approved, labelOnly };
  });
}

/** What belongs to no cluster belongs to all of them. */
function meets({ dangers, changes, clusters }: PolicyRule, change: Change): boolean {
  const { cluster } = change.subject;
  if (clusters.length > 0 && cluster !== '' && !clusters.includes(cluster)) return false;
  if (dangers.length === 0 && changes.length === 0) return change.dangers.length > 0;
  return changes.includes(change.kind) || change.dangers.some(({ kind }) => dangers.includes(kind));
}

/** By the name of its subject, or of the claim or component whose objects change. */
function isAbout({ names }: Approval, { subject, unit }: Change): boolean {
  return names.length === 0 || names.includes(subject.name) || names.includes(unit.slice(unit.indexOf('/') + 1));
}

/** Names in approvals that no rule has, each once. */
export function unknownRules(approvals: readonly Approval[], rules: readonly PolicyRule[]): readonly string[] {
  const known = new Set(rules.map(({ name }) => name));
  return [...new Set(approvals.map(({ rule }) => rule))].filter((rule) => !known.has(rule)).sort();
}

/** Values of `Quiesce-Approve:` trailers: `<rule>` for everything that the rule meets, `<rule> <name>…` for these. */
export function approvalsIn(trailers: readonly string[], labels: readonly string[]): readonly Approval[] {
  const written = trailers.flatMap((value) => approval(value, 'trailer'));
  // GitLab's scoped labels have two colons.
  const set = labels.flatMap((label) =>
    approval(/^quiesce-approve(?:\/|::|:\s*)(\S+)$/.exec(label.trim())?.[1] ?? '', 'label'),
  );
  return [...written, ...set];
}

function approval(text: string, by: Approval['by']): Approval[] {
  const [rule, ...names] = text.split(/[\s,]+/).filter((word) => word !== '');
  return rule === undefined ? [] : [{ rule, names, by }];
}
