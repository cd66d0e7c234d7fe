import type { Finding, Location } from '../validate/finding.ts';
import { shown } from '../validate/grammar/fault.ts';
import { closest } from '../validate/suggest.ts';
import type { HostCluster, Settings } from './state.ts';
import type { Resolved } from './tools.ts';

export function findHostCluster(name: string, settings: Settings, at: Location): Resolved<HostCluster> {
  const value = settings.clusters.find((cluster) => cluster.name === name);
  if (value !== undefined) return { value, findings: [] };
  const names = settings.clusters.map((cluster) => cluster.name);
  const meant = closest(name, names);
  const finding: Finding = {
    code: 'host-cluster-unknown',
    at,
    message: `There is no host cluster ${shown(name)} in the settings.`,
    remedy:
      meant === undefined
        ? `Use one of ${names.join(', ')}, or add it to the settings.`
        : `Did you mean ${shown(meant)}?`,
  };
  return { findings: [finding] };
}
