import {
  claimFacts,
  componentFacts,
  configFacts,
  installationFacts,
  recordFacts,
  settingsFacts,
  shutdownFacts,
} from '../resolve/facts.ts';
import type {
  Claim,
  ClusterConfig,
  Component,
  HostCluster,
  Installation,
  LifecycleRecord,
  Settings,
  Shutdown,
} from '../resolve/state.ts';
import type { ResolvedDocument } from '../resolve/written.ts';
import type { Facts } from './facts.ts';
import type { SystemPart, Unit } from './unit.ts';

/** What is written where: the one place that knows the paths of `out/`. */

/** A short hash of what a component is made from. */
export type DigestOf = (component: Component) => string;

/** All units of one state document. */
export function unitsOf(resolved: ResolvedDocument, settings: Settings, digestOf: DigestOf): Unit[] {
  switch (resolved.kind) {
    case 'claim':
      return claimUnits(resolved.value);
    case 'cluster':
      return configUnits(resolved.value, settings);
    case 'installation':
      return installationUnits(resolved.value, digestOf);
    case 'shutdown':
      return shutdownUnits(resolved.value);
    case 'record':
      return recordUnits(resolved.value);
  }
}

function claimUnits(claim: Claim): Unit[] {
  return [
    {
      id: `claim/${claim.name}`,
      path: `${claim.cluster}/claims/${claim.name}/claim.k8s.yaml`,
      origin: claim.origin,
      facts: claimFacts(claim),
      content: { kind: 'claim', claim },
    },
  ];
}

function configUnits(config: ClusterConfig, settings: Settings): Unit[] {
  const block: Unit = {
    id: `maintenance/${config.name}`,
    path: `${config.cluster}/maintenance/${config.name}.k8s.yaml`,
    origin: config.origin,
    facts: configFacts(config),
    content: { kind: 'maintenance', config },
  };
  if (settings.maintenance.taints === 'sidecar') return [block];
  const nodes: Unit = {
    ...block,
    id: `nodes/${config.name}`,
    path: `${config.cluster}/maintenance/${config.name}-nodes.k8s.yaml`,
    facts: { kind: 'system', cluster: config.cluster, name: `nodes of ${config.name}` },
    content: { kind: 'nodes', config },
  };
  return [block, nodes];
}

/** A deleted installation renders its own resource only: that it arrives is the order to uninstall. */
function installationUnits(installation: Installation, digestOf: DigestOf): Unit[] {
  const base = `${installation.cluster}/installations/${installation.name}`;
  const self: Unit = {
    id: `installation/${installation.name}`,
    path: `${base}/_installation/installation.k8s.yaml`,
    origin: installation.origin,
    facts: installationFacts(installation),
    content: { kind: 'installation', installation },
  };
  if (installation.state === 'Deleted') return [self];
  const components = installation.components.map(
    (component): Unit => ({
      id: `component/${installation.name}/${component.name}`,
      path: `${base}/${component.name}/component.k8s.yaml`,
      origin: installation.origin,
      facts: componentFacts(installation, component, digestOf(component)),
      content: { kind: 'component', installation, component },
    }),
  );
  return [self, ...components];
}

function shutdownUnits(shutdown: Shutdown): Unit[] {
  return [
    {
      id: `shutdown/${shutdown.cluster}`,
      path: `${shutdown.cluster}/system/shutdown.k8s.yaml`,
      origin: shutdown.origin,
      facts: shutdownFacts(shutdown),
      content: { kind: 'shutdown', shutdown, nodes: [] },
    },
  ];
}

/** A shutdown lists the nodes that other files declare. `units` has those of every cluster config. */
export function withDeclaredNodes(unit: Unit, units: readonly Unit[]): Unit {
  const { content } = unit;
  if (content?.kind !== 'shutdown') return unit;
  const nodes = units.flatMap((other) =>
    other.content?.kind === 'maintenance' && other.content.config.cluster === content.shutdown.cluster
      ? other.content.config.declared
      : [],
  );
  return { ...unit, content: { ...content, nodes } };
}

/** Records render nothing, but what they say is remembered. */
function recordUnits(record: LifecycleRecord): Unit[] {
  return [{ id: `record/${record.name}`, origin: record.origin, facts: recordFacts(record) }];
}

/** Units that follow from the settings and from what else there is, once for each host cluster. */
export function derivedUnits(settings: Settings, facts: readonly Facts[]): Unit[] {
  const self: Unit = { id: 'settings', origin: settings.origin, facts: settingsFacts(settings) };
  const parts = settings.clusters.flatMap((cluster) => [
    ...systemParts(settings, cluster).map((part) => systemUnit(settings, cluster, part)),
    bootstrapUnit(settings, cluster, facts),
  ]);
  return [self, ...parts];
}

function systemParts(settings: Settings, cluster: HostCluster): SystemPart[] {
  const parts: SystemPart[] = ['crds', 'sidecar'];
  if (settings.deletion.groups !== 'anyone') parts.push('policy');
  if (cluster.home) parts.push('lifecycle');
  if (cluster.home && settings.keepalive !== undefined) parts.push('keepalive');
  return parts;
}

function systemUnit(settings: Settings, cluster: HostCluster, part: SystemPart): Unit {
  return {
    id: `system/${cluster.name}/${part}`,
    path: `${cluster.name}/system/${part}.k8s.yaml`,
    origin: settings.origin,
    facts: { kind: 'system', cluster: cluster.name, name: part },
    content: { kind: 'system', part, cluster },
  };
}

function bootstrapUnit(settings: Settings, cluster: HostCluster, facts: readonly Facts[]): Unit {
  const claims: string[] = [];
  const configs: string[] = [];
  const installations = new Map<string, { name: string; dependsOn: readonly string[] }[]>();
  for (const fact of facts) {
    if (!('cluster' in fact) || fact.cluster !== cluster.name) continue;
    if (fact.kind === 'claim') claims.push(fact.name);
    if (fact.kind === 'maintenance') configs.push(fact.name);
    if (fact.kind === 'installation') installations.set(fact.name, installations.get(fact.name) ?? []);
    if (fact.kind === 'component') {
      const components = installations.get(fact.installation) ?? [];
      components.push({ name: fact.name, dependsOn: fact.dependsOn });
      installations.set(fact.installation, components);
    }
  }
  return {
    id: `bootstrap/${cluster.name}`,
    path: `${cluster.name}/bootstrap/${cluster.applier}.k8s.yaml`,
    origin: settings.origin,
    facts: { kind: 'system', cluster: cluster.name, name: `bootstrap for ${cluster.applier}` },
    content: {
      kind: 'bootstrap',
      cluster,
      // Argo CD finds the claims' folders by itself: its bootstrap stays the same when a claim comes or goes.
      claims: cluster.applier === 'flux' ? claims.sort() : [],
      configs: cluster.applier === 'flux' ? configs.sort() : [],
      installations: [...installations]
        .map(([name, components]) => ({ name, components: components.sort(byName) }))
        .sort(byName),
    },
  };
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
