import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Content, RenderContext, SystemPart } from '../src/plan/unit.ts';
import type { HostCluster, Settings } from '../src/resolve/state.ts';
import { addArgoCdBootstrap } from './bootstrap-argocd.ts';
import { addFluxBootstrap } from './bootstrap-flux.ts';
import { componentObjects } from './component.ts';
import { addCustomResourceDefinitions } from './crds.ts';
import { addInstallation, type LoadedComponents } from './installation.ts';
import { addKeepalive } from './keepalive.ts';
import { addLifecycle } from './lifecycle.ts';
import { addMaintenanceBlock } from './maintenance-block.ts';
import { addNodes } from './nodes.ts';
import type { PlainData, PlainObject } from './plain-object.ts';
import { addClaimDeletionPolicy } from './policy.ts';
import { addClusterShutdown } from './shutdown.ts';
import { addSidecar } from './sidecar.ts';

export type OtherContent = Exclude<Content, { readonly kind: 'claim' }>;

/**
 * The objects of any unit but a claim. `scope` is a chart without a namespace: cdk8s would put it on cluster-scoped
 * kinds too. `loaded` is what a component's manifests or chart gave; `components` the same for each component of an
 * installation, which then lists what is rendered for it.
 */
export function contentObjects(
  scope: Construct,
  content: OtherContent,
  context: RenderContext,
  loaded: readonly PlainData[],
  components: LoadedComponents = new Map(),
): void {
  const { settings } = context;
  switch (content.kind) {
    case 'maintenance':
      addMaintenanceBlock(scope, content.config, settings.maintenance);
      break;
    case 'nodes':
      addNodes(scope, content.config);
      break;
    case 'installation':
      addInstallation(scope, content.installation, components);
      break;
    case 'component':
      addPlain(scope, componentObjects(content.installation, content.component, loaded as readonly PlainObject[]));
      break;
    case 'shutdown':
      addClusterShutdown(scope, content);
      break;
    case 'system':
      addSystemPart(scope, content.part, settings, content.cluster);
      break;
    case 'bootstrap':
      if (content.cluster.applier === 'argocd') addArgoCdBootstrap(scope, settings, content.cluster);
      else addFluxBootstrap(scope, settings, content);
      break;
  }
}

function addSystemPart(scope: Construct, part: SystemPart, settings: Settings, cluster: HostCluster): void {
  const { deletion, keepalive } = settings;
  switch (part) {
    case 'crds':
      addCustomResourceDefinitions(scope);
      break;
    case 'sidecar':
      addSidecar(scope, settings, cluster);
      break;
    case 'lifecycle':
      addLifecycle(scope, settings, cluster);
      break;
    case 'keepalive':
      if (keepalive !== undefined) addKeepalive(scope, settings, keepalive);
      break;
    case 'policy':
      if (deletion.groups !== 'anyone') addClaimDeletionPolicy(scope, deletion.groups);
      break;
  }
}

/** Two of a component's objects may have the same kind and name in different namespaces, so ids are numbers. */
function addPlain(scope: Construct, objects: readonly PlainObject[]): void {
  objects.forEach((object, index) => {
    new ApiObject(scope, `${index}`, object);
  });
}
