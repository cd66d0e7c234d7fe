import type { ObservedNode, Taint } from '../../sidecar/maintenance/observation.ts';
import { tolerates } from '../../sidecar/maintenance/taints.ts';
import type { NowhereReason } from '../rehearsal.ts';
import type { PodTemplate, SimulatedNode } from './cluster.ts';
import { matchesAnyTerm } from './node-term.ts';
import { lacking, type Usage } from './usage.ts';

export interface Misfit {
  readonly reason: NowhereReason;
  readonly detail?: string;
}

/** Why a node does not take a pod, as far as the node itself tells; in the order of `NowhereReason`. */
export function misfit(template: PodTemplate, node: SimulatedNode, usage: Usage): Misfit | undefined {
  if (node.ready?.status !== 'True') return { reason: 'not-ready' };
  if (node.unschedulable) return { reason: 'cordoned' };
  const taint = repelling(template, node);
  if (taint !== undefined) return { reason: 'taints', detail: taint.key };
  if (!isMeant(template, node)) return { reason: 'affinity' };
  if (!template.reach.every((terms) => matchesAnyTerm(terms, node))) return { reason: 'volume' };
  if ((template.placement.hostPorts ?? []).some((port) => (usage.hostPorts.get(port) ?? 0) > 0)) {
    return { reason: 'ports' };
  }
  const lack = lacking(template.placement.requests, node, usage);
  return lack === undefined ? undefined : { reason: 'capacity', detail: lack };
}

/** The DaemonSet controller looks at taints and at what the template asks of a node; it does not mind a cordon. */
export function mayRunDaemon(template: PodTemplate, node: SimulatedNode): boolean {
  return repelling(template, node) === undefined && isMeant(template, node);
}

function isMeant({ placement: { nodeSelector = {}, nodeAffinity } }: PodTemplate, node: SimulatedNode): boolean {
  const isSelected = Object.entries(nodeSelector).every(
    ([key, value]) => Object.hasOwn(node.labels, key) && node.labels[key] === value,
  );
  return isSelected && (nodeAffinity === undefined || matchesAnyTerm(nodeAffinity, node));
}

function repelling({ tolerations }: PodTemplate, { taints }: ObservedNode): Taint | undefined {
  return taints.find((taint) => taint.effect !== 'PreferNoSchedule' && !tolerates(tolerations, taint));
}
