import { at, type Finding } from '../validate/finding.ts';
import { shown } from '../validate/grammar/fault.ts';
import type { View } from './across.ts';

export function removedInstallationsWereUninstalled(view: View): Finding[] {
  const { installations, formerInstallations, records, isUnreadable } = view;
  const present = new Set(installations.map(({ facts }) => facts.name));
  return [...formerInstallations.values()].flatMap(({ facts: { name, state }, source }): Finding[] => {
    if (present.has(name) || isUnreadable(source)) return [];
    const isOrdered = state === 'Deleted';
    if (isOrdered && records.get(name)?.facts.uninstalled !== undefined) return [];
    return [
      {
        code: 'installation-vanished',
        at: { kind: 'file', file: source },
        message: isOrdered
          ? `The installation ${shown(name)} is gone from ${source} before its uninstall was completed.`
          : `The installation ${shown(name)} is gone from ${source}, but was never uninstalled.`,
        remedy: isOrdered
          ? `Restore the file; it may go once state/records/${name}.yaml tells of the completed uninstall.`
          : 'Restore the file; to uninstall, write "state: Deleted" into its spec.',
      },
    ];
  });
}

export function installationsStayInTheirCluster({ installations, formerInstallations }: View): Finding[] {
  return installations.flatMap(({ facts, origin }): Finding[] => {
    const former = formerInstallations.get(facts.name)?.facts;
    if (former === undefined || former.cluster === facts.cluster) return [];
    return [
      {
        code: 'installation-moved',
        at: at(origin, ['spec', 'cluster']),
        message: `${shown(facts.name)} is installed on ${shown(former.cluster)}; on ${shown(facts.cluster)} it would be a second one, and the first left behind.`,
        remedy: `Write "cluster: ${former.cluster}"; to move it, uninstall it first.`,
      },
    ];
  });
}

export function componentsStay({ installations, formerInstallations }: View): Finding[] {
  return installations.flatMap(({ facts, origin }): Finding[] => {
    const former = formerInstallations.get(facts.name)?.facts;
    const gone = former?.components.filter((name) => !facts.components.includes(name)) ?? [];
    return gone.map((name) => ({
      code: 'component-vanished',
      at: at(origin, ['spec', 'components'], 'key'),
      message: `The component ${shown(name)} is gone; what is protected from pruning stays on ${shown(former?.cluster)}.`,
      remedy: 'Remove by hand what it leaves behind, or restore it and uninstall the whole installation.',
    }));
  });
}
