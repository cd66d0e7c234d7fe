import { depths } from '../validate/dependencies.ts';
import { at } from '../validate/finding.ts';
import type { WrittenComponent } from '../validate/kinds/installation.ts';
import { isSystemNamespace } from '../validate/kinds/installation-rules.ts';
import type { WrittenInstallation } from '../validate/written.ts';
import { durationOr, helmSourceOf, jobOf } from './defaults.ts';
import { findHostCluster } from './host-cluster.ts';
import type { Component, ComponentDeletion, Installation, Settings } from './state.ts';
import type { Resolved } from './tools.ts';

export function resolveInstallation(written: WrittenInstallation, settings: Settings): Resolved<Installation> {
  const { origin, metadata, spec } = written;
  const host = findHostCluster(spec.cluster, settings, at(origin, ['spec', 'cluster']));
  if (host.value === undefined) return { findings: host.findings };
  const waves = depths(new Map(spec.components.map(({ name, dependsOn }) => [name, dependsOn ?? []])));
  const value: Installation = {
    origin,
    name: metadata.name,
    cluster: host.value.name,
    state: spec.state ?? 'Installed',
    deletion: {
      strategy: spec.deletion?.strategy ?? 'Ordered',
      timeout: durationOr(spec.deletion?.timeout, '1h'),
      confirm: spec.deletion?.confirm === metadata.name,
    },
    components: spec.components.map((component) =>
      resolveComponent(component, metadata.name, waves.get(component.name) ?? 0),
    ),
  };
  return { value, findings: [] };
}

function resolveComponent(written: WrittenComponent, installation: string, wave: number): Component {
  const { name, namespace, dependsOn, source, deletion } = written;
  const folder = `state/installations/${installation}/${source?.manifests ?? name}`;
  return {
    name,
    namespace,
    dependsOn: dependsOn ?? [],
    wave,
    source:
      source?.helm === undefined ? { kind: 'manifests', dir: folder } : { kind: 'helm', ...helmSourceOf(source.helm) },
    deletion: resolveDeletion(deletion, namespace),
  };
}

function resolveDeletion(written: WrittenComponent['deletion'], namespace: string): ComponentDeletion {
  return {
    preDelete: (written?.preDelete ?? []).map(jobOf),
    delete: (written?.delete ?? []).map(jobOf),
    postDelete: (written?.postDelete ?? []).map(jobOf),
    sweep: written?.sweep ?? [],
    persistentVolumeClaims: written?.persistentVolumeClaims ?? 'Retain',
    namespace: written?.namespace ?? (isSystemNamespace(namespace) ? 'Keep' : 'DeleteWhenEmpty'),
  };
}
