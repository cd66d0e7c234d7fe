import type { LabelSelector } from './observation.ts';

type Labels = Readonly<Record<string, string>>;

/**
 * As policy/v1 has it: no selector matches nothing, an empty one everything. An operator that is not known matches
 * nothing, as in the API server, which passes over a budget whose selector it cannot read.
 */
export function matcher(selector: LabelSelector | undefined): (labels: Labels) => boolean {
  if (selector === undefined) return () => false;
  const equal = Object.entries(selector.matchLabels ?? {});
  const expressions = selector.matchExpressions ?? [];
  return (labels) =>
    equal.every(([key, value]) => labelOf(labels, key) === value) &&
    expressions.every(({ key, operator, values = [] }) => holds(labelOf(labels, key), operator, values));
}

function holds(value: string | undefined, operator: string, values: readonly string[]): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}

/** A label may be called `constructor`. */
function labelOf(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}
