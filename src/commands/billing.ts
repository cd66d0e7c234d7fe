import { type BilledNode, bill, type ClusterBill } from '../billing/bill.ts';
import { billingText } from '../billing/text.ts';
import { list } from '../sidecar/kube/list.ts';
import { resources } from '../sidecar/kube/resource.ts';
import { type ConnectedCluster, connectCluster } from './cluster-connection.ts';
import type { Context, Status } from './context.ts';

export interface BillingOptions {
  readonly kubeconfig?: string;
  /** One for each cluster; none: the current one. */
  readonly context?: readonly string[];
  readonly json?: boolean;
}

interface Unread {
  readonly cluster: string;
  readonly why: string;
}

/** `quiesce billing` */
export async function billing({ kubeconfig, context = [], json }: BillingOptions, to: Context): Promise<Status> {
  const names = context.length === 0 ? [undefined] : [...new Set(context)];
  const clusters = names.map((name) => connectCluster({ kubeconfig, context: name }, to));
  const read = await Promise.all(clusters.map(readCluster));
  const bills = read.flatMap((each) => ('why' in each ? [] : each));
  const unread = read.flatMap((each) => ('why' in each ? each : []));
  const isComplete = unread.length === 0 && bills.every(({ unreadable }) => unreadable === 0);
  const { terminal } = to;
  if (json === true) terminal.answer(`${JSON.stringify({ ok: isComplete, clusters: bills, unread }, undefined, 2)}\n`);
  else if (bills.length > 0) terminal.answer(billingText(bills, terminal.style));
  for (const { cluster, why } of unread) terminal.note(`${cluster} cannot be read: ${why}\n`);
  return isComplete ? 0 : 1;
}

const pageSize = 250;

/** A cluster without nodes has a bill, too. */
async function readCluster({ client, name }: ConnectedCluster): Promise<ClusterBill | Unread> {
  const nodes: BilledNode[] = [];
  const onItem = (item: unknown) => nodes.push(billedNode(item as RawNode));
  try {
    await list(client, resources.nodes, { pageSize, onItem, onRestart: () => nodes.splice(0) });
  } catch (error) {
    return { cluster: name, why: error instanceof Error ? error.message : String(error) };
  }
  return bill(name, nodes);
}

interface RawNode {
  readonly metadata: { readonly name: string };
  readonly spec?: {
    readonly unschedulable?: boolean;
    readonly taints?: readonly { readonly key: string; readonly effect: string }[];
  };
  readonly status?: { readonly capacity?: { readonly cpu?: string } };
}

function billedNode({ metadata, spec = {}, status }: RawNode): BilledNode {
  return {
    name: metadata.name,
    cpu: status?.capacity?.cpu ?? '',
    unschedulable: spec.unschedulable === true,
    taints: spec.taints ?? [],
  };
}
