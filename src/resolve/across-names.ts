import type { Facts } from '../plan/facts.ts';
import type { ProblemCode } from '../validate/codes.ts';
import { at, type DataPath, type Finding } from '../validate/finding.ts';
import { shown } from '../validate/grammar/fault.ts';
import type { Item, View } from './across.ts';

const namePath: DataPath = ['metadata', 'name'];

export function claimNamesDiffer({ claims }: View): Finding[] {
  return repeated(
    'claim-repeated',
    claims,
    ({ name }) => name,
    'There is a claim',
    'Rename one of them, or remove the copy.',
  );
}

export function hostsDiffer({ claims, claimByName }: View): Finding[] {
  // Two claims of one name have one host as well; once said is enough.
  const exposed = claims.filter((claim) => claimByName.get(claim.facts.name) === claim);
  return repeated(
    'host-repeated',
    exposed,
    ({ host }) => host,
    'There is a claim served at',
    'Rename one of them, or write "expose: false" for one.',
  );
}

export function configNamesDiffer({ configs }: View): Finding[] {
  return repeated('config-repeated', configs, ({ name }) => name, 'There is a cluster config', 'Rename one of them.');
}

export function installationNamesDiffer({ installations }: View): Finding[] {
  return repeated(
    'installation-repeated',
    installations,
    ({ name }) => name,
    'There is an installation',
    'Rename one of them.',
  );
}

export function kindsShareNoName({ claimByName, installations }: View): Finding[] {
  return installations.flatMap(({ facts, origin }): Finding[] => {
    const claim = claimByName.get(facts.name);
    if (claim === undefined) return [];
    return [
      {
        code: 'name-of-two-kinds',
        at: at(origin, namePath),
        message: `There is a claim ${shown(facts.name)}; an installation of the same name would share its record.`,
        remedy: 'Rename the one that is not there yet.',
        related: [{ message: 'the claim', at: at(claim.origin, namePath) }],
      },
    ];
  });
}

export function namespacesAreNoClaims({ claimByName, components, installations }: View): Finding[] {
  const order = new Map(installations.map(({ facts }) => [facts.name, facts.components]));
  return components.flatMap(({ facts, origin }): Finding[] => {
    const claim = claimByName.get(claimOfNamespace(facts.namespace) ?? '');
    if (claim === undefined || claim.facts.cluster !== facts.cluster) return [];
    const index = order.get(facts.installation)?.indexOf(facts.name) ?? 0;
    return [
      {
        code: 'namespace-of-claim',
        at: at(origin, ['spec', 'components', index, 'namespace']),
        message: `${shown(facts.namespace)} is the namespace of the claim ${shown(claim.facts.name)}, and goes with it.`,
        remedy: 'Choose another namespace.',
        related: [{ message: 'the claim', at: at(claim.origin, namePath) }],
      },
    ];
  });
}

function claimOfNamespace(namespace: string): string | undefined {
  return /^vcluster-(.*)$/s.exec(namespace)?.[1];
}

function repeated<F extends Facts>(
  code: ProblemCode,
  items: readonly Item<F>[],
  keyOf: (facts: F) => string | undefined,
  what: string,
  remedy: string,
): Finding[] {
  const first = new Map<string, Item<F>>();
  const findings: Finding[] = [];
  for (const item of items) {
    const key = keyOf(item.facts);
    if (key === undefined) continue;
    const before = first.get(key);
    if (before === undefined) first.set(key, item);
    else
      findings.push({
        code,
        at: at(item.origin, namePath),
        message: `${what} ${shown(key)} already.`,
        remedy,
        related: [{ message: 'the first one', at: at(before.origin, namePath) }],
      });
  }
  return findings;
}
