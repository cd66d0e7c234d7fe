import { milliCpu } from './cpu-quantity.ts';

/** What billing goes by; a Node of Kubernetes says all of it. */
export interface BilledNode {
  readonly name: string;
  /** `status.capacity.cpu` */
  readonly cpu: string;
  readonly unschedulable: boolean;
  readonly taints: readonly { readonly key: string; readonly effect: string }[];
}

export type BillingReason =
  /** It can run work. */
  | 'runs-work'
  /** Its taint keeps work away for good, which is not maintenance. */
  | 'control-plane'
  /** Taints alone do not stop billing. */
  | 'maintenance-without-cordon'
  /** Nor does a cordon. */
  | 'cordon-without-maintenance'
  /** Both do. */
  | 'maintenance-and-cordon'
  /** Its capacity is not known, so it is in no sum. */
  | 'capacity-unreadable';

export interface NodeBill {
  readonly name: string;
  /** Thousandths of a vCPU. */
  readonly milliCpu?: number;
  readonly counts: boolean;
  readonly why: BillingReason;
}

export interface ClusterBill {
  readonly cluster: string;
  /** Every node, whether or not it can run work. */
  readonly allMilliCpu: number;
  readonly countedMilliCpu: number;
  /** Of what counts: nodes in maintenance that a cordon as well would take off the bill. */
  readonly inMaintenanceMilliCpu: number;
  /** Nodes whose capacity could not be read: the sums are too small by them. */
  readonly unreadable: number;
  readonly nodes: readonly NodeBill[];
}

const maintenanceKey = 'baremetal.cluster.gke.io/maintenance';
const controlPlaneKeys: readonly string[] = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'];

/**
 * vCPU of a cluster, as GKE on bare metal counts it: "nodes that can run work", each with its whole capacity, whether it
 * is ready, switched off or full. A node in maintenance can run work as far as billing is concerned until it is
 * cordoned as well. By name.
 */
export function bill(cluster: string, nodes: readonly BilledNode[]): ClusterBill {
  const bills = nodes.map(billOf).sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return {
    cluster,
    allMilliCpu: sum(bills),
    countedMilliCpu: sum(bills.filter(({ counts }) => counts)),
    inMaintenanceMilliCpu: sum(bills.filter(({ why }) => why === 'maintenance-without-cordon')),
    unreadable: bills.filter(({ why }) => why === 'capacity-unreadable').length,
    nodes: bills,
  };
}

function billOf(node: BilledNode): NodeBill {
  const cpu = milliCpu(node.cpu);
  if (cpu === undefined) return { name: node.name, counts: false, why: 'capacity-unreadable' };
  const why = reasonOf(node);
  return { name: node.name, milliCpu: cpu, counts: why !== 'control-plane' && why !== 'maintenance-and-cordon', why };
}

/** One taint of ours is enough: a node that is only just being drained takes no new work either. */
function reasonOf({ taints, unschedulable }: BilledNode): Exclude<BillingReason, 'capacity-unreadable'> {
  const keepsAway = taints.filter(({ effect }) => effect !== 'PreferNoSchedule');
  if (keepsAway.some(({ key }) => controlPlaneKeys.includes(key))) return 'control-plane';
  const isInMaintenance = keepsAway.some(({ key }) => key === maintenanceKey);
  if (isInMaintenance) return unschedulable ? 'maintenance-and-cordon' : 'maintenance-without-cordon';
  return unschedulable ? 'cordon-without-maintenance' : 'runs-work';
}

function sum(bills: readonly NodeBill[]): number {
  return bills.reduce((total, { milliCpu: cpu = 0 }) => total + cpu, 0);
}
