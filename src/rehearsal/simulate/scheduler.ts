import { compareText } from '../../sidecar/maintenance/order.ts';
import type { PodTemplate, SimulatedNode } from './cluster.ts';
import { type Misfit, misfit } from './fit.ts';
import { threaten } from './preemption.ts';
import type { RunningPod, SimulatedState } from './state.ts';
import { amongPods } from './topology.ts';
import { fullness } from './usage.ts';

/** Pods that wait get a node, in the order in which they came; false when none did. */
export function schedule(state: SimulatedState): boolean {
  if (!state.hasRoomChanged) return false;
  state.hasRoomChanged = false;
  const inVain = new Set<PodTemplate>();
  let isBusy = false;
  for (const running of [...state.queue.values()]) {
    const { pod, template } = running;
    if (pod.deletionAt !== undefined || inVain.has(template)) continue;
    const node = roomiest(state, running);
    if (node === undefined) {
      inVain.add(template);
      threaten(state, running);
    } else {
      const readyAt = state.now + template.startSeconds * 1000;
      state.put({ ...running, pod: { ...pod, node: node.name }, readyAt });
      isBusy = true;
    }
  }
  return isBusy;
}

/** In a large cluster the scheduler does not look at every node either. */
const enough = 200;

/** The least full, then the one with the fewest pods, then by name. */
function roomiest(state: SimulatedState, running: RunningPod): SimulatedNode | undefined {
  const isLetIn = amongPods(state, running);
  const able: SimulatedNode[] = [];
  for (const node of state.nodes.values()) {
    if (misfit(running.template, node, state.usage(node.name)) !== undefined || !isLetIn(node)) continue;
    able.push(node);
    if (able.length >= enough) break;
  }
  return able.reduce<SimulatedNode | undefined>(
    (best, node) => (best === undefined || compareRoom(state, node, best) < 0 ? node : best),
    undefined,
  );
}

function compareRoom(state: SimulatedState, a: SimulatedNode, b: SimulatedNode): number {
  const [usageA, usageB] = [state.usage(a.name), state.usage(b.name)];
  return fullness(a, usageA) - fullness(b, usageB) || usageA.pods - usageB.pods || compareText(a.name, b.name);
}

/** Why each node does not take a pod; nothing for those that do. */
export function misfits(state: SimulatedState, running: RunningPod): Misfit[] {
  const isLetIn = amongPods(state, running);
  return [...state.nodes.values()].flatMap((node): Misfit[] => {
    const found = misfit(running.template, node, state.usage(node.name));
    if (found !== undefined) return [found];
    return isLetIn(node) ? [] : [{ reason: 'pods' }];
  });
}
