import type { Phase } from './maintenance/status.ts';
import type { Metrics } from './metrics.ts';
import type { NodesDecision } from './shutdown/together.ts';

const phases: readonly Phase[] = ['Pending', 'Draining', 'InMaintenance', 'Leaving'];

/** What the statuses say, as numbers. Blocks and shutdowns that are gone are not shown any more. */
export function showMaintenance({ maintenance, shutdowns }: NodesDecision, metrics: Metrics): void {
  const { nodes, podsLeft, blockers, machinesLeft } = metrics;
  for (const gauge of [nodes, podsLeft, blockers, machinesLeft]) gauge.reset();
  for (const { shutdown, status } of shutdowns) {
    machinesLeft.set({ shutdown, phase: status.phase ?? '' }, status.nodesLeft ?? 0);
  }
  for (const { block, status } of maintenance.statuses) {
    for (const phase of phases) nodes.set({ block, phase }, 0);
    podsLeft.set({ block }, 0);
    for (const node of status.nodes ?? []) {
      nodes.inc({ block, phase: node.phase });
      podsLeft.inc({ block }, node.podsLeft ?? 0);
      for (const { code } of node.blockers ?? []) blockers.inc({ block, code });
    }
  }
}
