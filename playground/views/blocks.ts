import type { BlockStatus, NodeStatus } from '../../src/sidecar/maintenance/status.ts';
import { type KubeObject, list } from '../../test/support/objects.ts';
import type { Line } from '../line.ts';
import type { View } from './view.ts';

/** What the sidecar reports of each node that a MaintenanceBlock selects, by the node's address. */
export const blocks: View<NodeStatus> = {
  read: async (access) => {
    const found = await list<KubeObject & { readonly status?: BlockStatus }>(access, [
      'quiesce.dev/v1alpha1',
      'MaintenanceBlock',
    ]);
    const reported = found.flatMap(({ status }) => status?.nodes ?? []);
    return new Map(reported.map((node) => [node.address, node]));
  },
  tell: (address, before, after) => {
    if (after === undefined) return [line(`node ${before?.node ?? address}: out of maintenance`)];
    const name = `node ${after.node ?? address}`;
    const known = new Set((before?.blockers ?? []).map(({ message }) => message));
    const blockers = (after.blockers ?? []).filter(({ message }) => !known.has(message));
    return [
      ...progress(name, before, after),
      ...blockers.map(({ message }) => line(`${name} is blocked: ${message}`, 'bad')),
    ];
  },
};

function progress(name: string, before: NodeStatus | undefined, after: NodeStatus): readonly Line[] {
  if (before?.phase === after.phase && before.podsLeft === after.podsLeft) return [];
  const { phase, podsLeft = 0 } = after;
  if (phase === 'Draining') return [line(`${name}: Draining, ${podsLeft} ${podsLeft === 1 ? 'Pod' : 'Pods'} left`)];
  return before?.phase === phase ? [] : [line(`${name}: ${phase}`, phase === 'InMaintenance' ? 'good' : undefined)];
}

function line(text: string, tone?: Line['tone']): Line {
  return { who: 'sidecar', text, ...(tone !== undefined && { tone }) };
}
