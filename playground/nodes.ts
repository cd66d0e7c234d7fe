import { parseAllDocuments } from 'yaml';
import type { NodeOptions } from '../test/support/nodes.ts';

interface ConfigDocument {
  readonly kind?: string;
  readonly metadata?: { readonly name: string };
  readonly spec?: {
    readonly controlPlane?: Pool;
    readonly loadBalancer?: Pool;
    readonly nodes?: readonly Machine[];
    readonly taints?: NodeOptions['taints'];
    readonly labels?: Readonly<Record<string, string>>;
  };
}

interface Pool {
  readonly nodePoolSpec?: { readonly nodes?: readonly Machine[] };
}

interface Machine {
  readonly address: string;
}

const role = (name: string) => ({ [`node-role.kubernetes.io/${name}`]: '' });
const controlPlaneTaint = { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' };

/** The machines that a bare-metal cluster config declares, by the addresses that its maintenance blocks select. */
export function nodesOf(clusterConfig: string): readonly NodeOptions[] {
  const documents = parseAllDocuments(clusterConfig).map((document) => document.toJS() as ConfigDocument | null);
  return documents.flatMap((document): readonly NodeOptions[] => {
    const { kind, metadata, spec = {} } = document ?? {};
    const { controlPlane, loadBalancer, nodes = [], taints = [], labels = {} } = spec;
    if (kind === 'NodePool') {
      const pool = metadata?.name ?? 'pool';
      return nodes.map((machine) => node(pool, machine, { labels: { ...role(pool), ...labels }, taints }));
    }
    if (kind !== 'Cluster') return [];
    return [
      ...machinesOf(controlPlane).map((machine) =>
        node('control-plane', machine, { labels: role('control-plane'), taints: [controlPlaneTaint] }),
      ),
      ...machinesOf(loadBalancer).map((machine) => node('load-balancer', machine, { labels: role('load-balancer') })),
    ];
  });
}

function machinesOf(pool: Pool | undefined): readonly Machine[] {
  return pool?.nodePoolSpec?.nodes ?? [];
}

/** A name that a reader finds again in the config: the pool and the end of the address. */
function node(pool: string, { address }: Machine, more: Pick<NodeOptions, 'labels' | 'taints'>): NodeOptions {
  const end = address.split(/[.:]/).at(-1) ?? address;
  return { name: `${pool}-${end}`, internalIP: address, ...more };
}
