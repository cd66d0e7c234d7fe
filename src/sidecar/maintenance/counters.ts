import type { BlockStatus, NodeStatus } from './status.ts';

type Counters = Required<
  Pick<BlockStatus, 'readyNodes' | 'reconcilingNodes' | 'stalledNodes' | 'underMaintenanceNodes' | 'unknownNodes'>
>;

/** What the counters need to know beside what is shown. */
export interface CountedNode {
  readonly status: NodeStatus;
  readonly ready: 'True' | 'False' | 'Unknown';
  /** Something is in the way that has been there for a while, or will not pass. */
  readonly stalls: boolean;
}

/**
 * The columns of a node pool, READY RECONCILING STALLED UNDERMAINTENANCE UNKNOWN: each selected node is in exactly one
 * of them. One in maintenance is, also when it is switched off; one on its way that nobody hears of is unknown, however
 * stuck it is.
 */
export function countNodes(nodes: readonly CountedNode[]): Counters {
  const columns = nodes.map(columnOf);
  const count = (column: keyof Counters) => columns.filter((each) => each === column).length;
  return {
    readyNodes: count('readyNodes'),
    reconcilingNodes: count('reconcilingNodes'),
    stalledNodes: count('stalledNodes'),
    underMaintenanceNodes: count('underMaintenanceNodes'),
    unknownNodes: count('unknownNodes'),
  };
}

function columnOf({ status, ready, stalls }: CountedNode): keyof Counters {
  if (status.phase === 'InMaintenance') return 'underMaintenanceNodes';
  if (status.node === undefined || ready === 'Unknown') return 'unknownNodes';
  if (status.phase === 'Pending') return ready === 'True' ? 'readyNodes' : 'stalledNodes';
  return stalls ? 'stalledNodes' : 'reconcilingNodes';
}
