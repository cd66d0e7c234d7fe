import type { NodeObject } from '../../test/support/nodes.ts';
import { list } from '../../test/support/objects.ts';
import type { View } from './view.ts';

export interface NodeSeen {
  readonly address: string;
  readonly taints: readonly string[];
  readonly cordoned: boolean;
}

/** Taints that the control plane itself keeps, such as the one that goes with a cordon, say nothing new. */
const ownTaints = /^node\.kubernetes\.io\//;

export const nodes: View<NodeSeen> = {
  read: async (access) => {
    const found = await list<NodeObject>(access, ['v1', 'Node']);
    return new Map(found.map((node) => [node.metadata.name, seen(node)]));
  },
  tell: (name, before, after) => {
    if (before === undefined || after === undefined) return [];
    const changes = [
      ...after.taints.filter((taint) => !before.taints.includes(taint)).map((taint) => `+ taint ${taint}`),
      ...before.taints.filter((taint) => !after.taints.includes(taint)).map((taint) => `- taint ${taint}`),
      ...(before.cordoned === after.cordoned ? [] : [after.cordoned ? 'cordoned' : 'no longer cordoned']),
    ];
    return changes.length === 0 ? [] : [{ who: 'cluster', text: `node ${name}: ${changes.join(', ')}` }];
  },
};

function seen({ spec = {}, status = {} }: NodeObject): NodeSeen {
  const address = status.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? '';
  const taints = (spec.taints ?? []).map(({ key, effect }) => `${key}:${effect}`);
  return {
    address,
    taints: taints.filter((taint) => !ownTaints.test(taint)),
    cordoned: spec.unschedulable === true,
  };
}
