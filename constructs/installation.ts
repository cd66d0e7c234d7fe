import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Component, ComponentDeletion, Installation } from '../src/resolve/state.ts';
import { apiVersion } from './api-group.ts';
import { componentObjects, objectIdOf } from './component.ts';
import { hookJob } from './hook-job.ts';
import { uninstallOrder } from './object-ids.ts';
import { installationLabel } from './ownership.ts';
import type { PlainObject } from './plain-object.ts';
import { protectedAnnotations } from './protection.ts';
import { installationWave } from './sync-wave.ts';

/** What the components' manifests and charts gave, by component; without an entry, it is not known. */
export type LoadedComponents = ReadonlyMap<string, readonly PlainObject[]>;

/**
 * The installation as the sidecar and people see it. Protected until git says Deleted: a deletion that an applier
 * started could not be taken back. That it arrives without protection, with this state, is the proof that the applier
 * has stopped rendering the components; it still says all that is needed to remove them.
 */
export function addInstallation(scope: Construct, installation: Installation, loaded: LoadedComponents): void {
  const { name, cluster, state, deletion } = installation;
  new ApiObject(scope, 'installation', {
    apiVersion,
    kind: 'Installation',
    metadata: {
      name,
      labels: { [installationLabel]: name },
      annotations: { ...(state === 'Deleted' ? {} : protectedAnnotations), ...installationWave },
    },
    spec: {
      cluster,
      state,
      deletion: { strategy: deletion.strategy, timeoutSeconds: deletion.timeout, confirm: deletion.confirm },
      components: installation.components.map((component) => plainComponent(installation, component, loaded)),
    },
  });
}

function plainComponent(installation: Installation, component: Component, loaded: LoadedComponents) {
  const { name, namespace, dependsOn, wave, source } = component;
  const objects = loaded.get(name);
  return {
    name,
    namespace,
    dependsOn: [...dependsOn],
    wave,
    deletion: plainDeletion(component.deletion),
    ...(source.kind === 'helm' && { helm: plainChart(name, source) }),
    ...(objects !== undefined && { objects: listed(componentObjects(installation, component, objects)) }),
  };
}

function plainDeletion(deletion: ComponentDeletion) {
  return {
    preDelete: deletion.preDelete.map(hookJob),
    delete: deletion.delete.map(hookJob),
    postDelete: deletion.postDelete.map(hookJob),
    sweep: deletion.sweep.map(({ apiGroups, kinds, selector }) => ({
      apiGroups: [...apiGroups],
      kinds: [...kinds],
      selector,
    })),
    persistentVolumeClaims: deletion.persistentVolumeClaims,
    namespace: deletion.namespace,
  };
}

function plainChart(release: string, source: Extract<Component['source'], { readonly kind: 'helm' }>) {
  const { chart, repository, version } = source;
  return {
    release,
    chart,
    ...(repository !== undefined && { repository }),
    ...(version !== undefined && { version }),
  };
}

/** First to go first; a total key keeps the bytes the same whatever order the files came in. */
function listed(objects: readonly PlainObject[]) {
  return objects
    .map(objectIdOf)
    .map((id) => ({ id, key: `${id.kind}/${id.apiVersion}/${id.namespace ?? ''}/${id.name}` }))
    .sort((a, b) => uninstallOrder(a.id.kind) - uninstallOrder(b.id.kind) || (a.key < b.key ? -1 : 1))
    .map(({ id }) => ({ ...id }));
}
