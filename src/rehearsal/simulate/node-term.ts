import { matcher } from '../../sidecar/maintenance/label-selector.ts';
import type { NodeRequirement, NodeTerm } from '../snapshot.ts';

interface Labelled {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Any of the terms; none at all matches nothing, and an empty one neither, as the scheduler has it. */
export function matchesAnyTerm(terms: readonly NodeTerm[], node: Labelled): boolean {
  return terms.some((term) => matchesTerm(term, node));
}

function matchesTerm({ labels = [], names = [] }: NodeTerm, node: Labelled): boolean {
  if (labels.length + names.length === 0) return false;
  return (
    labels.every((requirement) => holds(requirement, node.labels)) &&
    names.every((requirement) => holds(requirement, { [requirement.key]: node.name }))
  );
}

function holds(requirement: NodeRequirement, labels: Labelled['labels']): boolean {
  const { key, operator, values = [] } = requirement;
  if (operator !== 'Gt' && operator !== 'Lt') return matcher({ matchExpressions: [requirement] })(labels);
  const [has, limit] = [Number(Object.hasOwn(labels, key) ? labels[key] : Number.NaN), Number(values[0])];
  return operator === 'Gt' ? has > limit : has < limit;
}
