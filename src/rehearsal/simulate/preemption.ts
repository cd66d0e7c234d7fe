import type { ObservedPod } from '../../sidecar/maintenance/observation.ts';
import { misfit } from './fit.ts';
import type { RunningPod, SimulatedState } from './state.ts';
import { addUsage, takesUp, type Usage } from './usage.ts';

/**
 * One has found no room. Where there would be some without the pods of less priority, each of those may have to go: which
 * ones is the scheduler's choice, and hangs on where everybody else is.
 */
export function threaten(state: SimulatedState, { template }: RunningPod): void {
  const { priority = 0 } = template;
  for (const node of state.nodes.values()) {
    const usage = state.usage(node.name);
    const reason = misfit(template, node, usage)?.reason;
    if (reason !== 'capacity' && reason !== 'ports') continue;
    const lower = [...state.on(node.name).values()].filter(({ pod }) => isLower(pod, priority));
    if (lower.length === 0 || misfit(template, node, without(usage, lower)) !== undefined) continue;
    for (const { pod } of lower) state.threatened.set(pod.uid, pod);
  }
}

function isLower(pod: ObservedPod, priority: number): boolean {
  return (pod.priority ?? 0) < priority && pod.deletionAt === undefined && takesUp(pod);
}

function without(usage: Usage, pods: readonly RunningPod[]): Usage {
  const rest = { pods: usage.pods, amounts: new Map(usage.amounts), hostPorts: new Map(usage.hostPorts) };
  for (const { template } of pods) addUsage(rest, template, -1);
  return rest;
}
