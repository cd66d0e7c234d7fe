import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { ClusterConfig, MaintenanceSettings, SelectedNode, Taint } from '../src/resolve/state.ts';
import { apiVersion } from './api-group.ts';
import { keptOnCascade } from './kept-on-cascade.ts';

/**
 * Every selected address with its node pool and taints, so that a pull request shows which node gets which taint.
 * It is there for each cluster config, also when nothing is selected: the way out of maintenance is an empty list, and
 * a folder that has nothing in it any more would not be pruned by either applier.
 */
export function addMaintenanceBlock(scope: Construct, config: ClusterConfig, settings: MaintenanceSettings): void {
  new ApiObject(scope, 'maintenance-block', {
    apiVersion,
    kind: 'MaintenanceBlock',
    metadata: { name: config.name, annotations: { ...keptOnCascade } },
    spec: {
      config: config.name,
      blocks: [...config.blocks],
      nodes: config.nodes.map(selected),
      unmatched: [...config.unmatched],
      deadlineSeconds: config.deadlineSeconds,
      ignorePdb: config.ignorePdb,
      profile: config.profile,
      maxConcurrent: settings.maxConcurrent,
      cordon: settings.cordon,
      csiPodNames: [...settings.csiPodNames],
      taintedBy: settings.taints,
    },
  });
}

function selected({ address, pool, role, maintenanceTaints }: SelectedNode) {
  return { address, pool, role, taints: maintenanceTaints.map(plainTaint) };
}

/** In the order in which Kubernetes' own types have the fields; a taint without a value has none, not an empty one. */
export function plainTaint({ key, value, effect }: Taint) {
  return { key, ...(value !== undefined && { value }), effect };
}
