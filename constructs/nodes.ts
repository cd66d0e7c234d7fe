import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { ClusterConfig, DeclaredNode, Taint } from '../src/resolve/state.ts';
import { plainTaint } from './maintenance-block.ts';
import { protectedAnnotations } from './protection.ts';

/**
 * For fleets that own their nodes' whole taint list: `Node.spec.taints` is one atomic list, so applying it wipes what
 * anybody else put there (an administrator's taint, `node.kubernetes.io/unreachable`, the control plane's own).
 *
 * A cluster config knows nodes by address only, so a Node is named by its address. That is right where kubelets
 * register under their address (`--hostname-override`); anywhere else it would not taint the node but make a second,
 * empty one that every DaemonSet tries to run on. An IPv6 address is no possible name: those are left out here, and in
 * the MaintenanceBlock all the same.
 */
export function addNodes(scope: Construct, config: ClusterConfig): void {
  for (const node of config.declared.filter(canBeNamedByAddress)) {
    new ApiObject(scope, node.address, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: node.address, annotations: { ...protectedAnnotations } },
      // An empty list is written out: leaving the field away would give it up, and whoever touched it last would keep
      // our taints on the node.
      spec: { taints: wholeTaintList(node, config).map(plainTaint) },
    });
  }
}

function canBeNamedByAddress({ address }: DeclaredNode): boolean {
  return !address.includes(':');
}

/** Pool first, then maintenance. A pair of key and effect is there once: the API server refuses a second one. */
function wholeTaintList(node: DeclaredNode, config: ClusterConfig): Taint[] {
  const maintenance = config.nodes.find(({ address }) => address === node.address)?.maintenanceTaints ?? [];
  const byPair = new Map([...node.taints, ...maintenance].map((taint) => [`${taint.key}:${taint.effect}`, taint]));
  return [...byPair.values()];
}
