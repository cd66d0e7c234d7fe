import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { clusterShutdown } from './crds/cluster-shutdown.ts';
import { customResourceDefinition, type Definition } from './crds/definition.ts';
import { installation } from './crds/installation.ts';
import { maintenanceBlock } from './crds/maintenance-block.ts';
import { vclusterClaim } from './crds/vcluster-claim.ts';

export const definitions: readonly Definition[] = [clusterShutdown, installation, maintenanceBlock, vclusterClaim];

export function addCustomResourceDefinitions(scope: Construct): void {
  for (const definition of definitions) new ApiObject(scope, definition.plural, customResourceDefinition(definition));
}
