import { at, type Finding, type Origin } from '../finding.ts';
import { shown } from '../grammar/fault.ts';
import type { Rule } from '../rule.ts';
import { closest } from '../suggest.ts';
import type { SettingsDocument } from './settings.ts';

export const policyRules: readonly Rule<SettingsDocument>[] = [ruleNamesDiffer, clustersOfRulesExist];

/** An approval names a rule: it has to be clear which. */
function ruleNamesDiffer({ spec }: SettingsDocument, origin: Origin): Finding[] {
  const first = new Map<string, number>();
  return (spec.policy?.rules ?? []).flatMap(({ name }, index): Finding[] => {
    const before = first.get(name);
    if (before === undefined) {
      first.set(name, index);
      return [];
    }
    return [
      {
        code: 'policy-rule-repeated',
        at: at(origin, ['spec', 'policy', 'rules', index, 'name']),
        message: `There is a rule ${shown(name)} already.`,
        remedy: 'Rename one of them.',
        related: [{ message: 'the first one', at: at(origin, ['spec', 'policy', 'rules', before, 'name']) }],
      },
    ];
  });
}

function clustersOfRulesExist({ spec }: SettingsDocument, origin: Origin): Finding[] {
  const known = spec.clusters.map(({ name }) => name);
  return (spec.policy?.rules ?? []).flatMap(({ clusters = [] }, rule) =>
    clusters.flatMap((cluster, index): Finding[] => {
      if (known.includes(cluster)) return [];
      const similar = closest(cluster, known);
      return [
        {
          code: 'host-cluster-unknown',
          at: at(origin, ['spec', 'policy', 'rules', rule, 'clusters', index]),
          message: `There is no host cluster ${shown(cluster)}.`,
          remedy: similar === undefined ? 'Name one of spec.clusters.' : `Did you mean ${shown(similar)}?`,
        },
      ];
    }),
  );
}
