import { addressText, parseAddress } from '../../validate/grammar/addresses.ts';
import type { ObservedNode } from '../maintenance/observation.ts';
import { compareNamed } from '../maintenance/order.ts';
import { type MaintenanceRecord, recordOf, shutdownBlockName } from '../maintenance/record.ts';
import type { ObservedEtcdMember, Role, ShutdownObservation } from './observation.ts';

/** A machine of the cluster. */
export interface Member {
  readonly address: string;
  readonly role: Role;
  /** Absent while no node reports the address: there is nothing to drain or to turn off then. */
  readonly node?: ObservedNode;
  readonly etcd?: 'Leader' | 'Follower';
  /** Held on our behalf. */
  readonly isOurs: boolean;
  readonly isInMaintenance: boolean;
}

/** A member that has a node. */
export type PresentMember = Member & { readonly node: ObservedNode };

/**
 * Every machine in the order in which it is turned off: workers, load balancers, the control plane without etcd, etcd
 * followers, the etcd leader. Within that, as declared. A node that nobody declared is a worker and goes first, unless
 * it runs etcd, which counts for more than what is written.
 */
export function membersOf({ shutdown, nodes, etcd }: ShutdownObservation): Member[] {
  const declared = (shutdown.spec.nodes ?? []).map(({ address, role }) => ({ address: canonical(address), role }));
  const known = new Set(declared.map(({ address }) => address));
  const byAddress = new Map(
    nodes.flatMap((node) => node.addresses.map((address) => [canonical(address), node] as const)),
  );
  const undeclared = [...nodes]
    .sort(compareNamed)
    .filter(({ addresses }) => !addresses.some((address) => known.has(canonical(address))))
    .map((node) => ({ address: canonical(node.addresses[0] ?? ''), role: 'worker' as const, node }));
  const all = [...undeclared, ...declared.map((each) => ({ ...each, node: byAddress.get(each.address) }))];
  const taken = new Set<string>();
  return all
    .filter(({ address, node }) => {
      const isNew = address !== '' && !taken.has(node?.name ?? address);
      taken.add(node?.name ?? address);
      return isNew;
    })
    .map(({ address, role, node }) => member({ address, role, node }, etcd, shutdownBlockName(shutdown.name)))
    .map((each, index) => ({ each, index }))
    .sort((a, b) => rankOf(a.each) - rankOf(b.each) || a.index - b.index)
    .map(({ each }) => each);
}

function member(
  { address, role, node }: { readonly address: string; readonly role: Role; readonly node: ObservedNode | undefined },
  etcd: readonly ObservedEtcdMember[],
  block: string,
): Member {
  if (node === undefined) return { address, role, isOurs: false, isInMaintenance: false };
  const own = etcd.filter((each) => each.node === node.name);
  const record = recordOf(node);
  return {
    address,
    role: own.length > 0 ? 'control-plane' : role,
    node,
    ...(own.length > 0 && { etcd: own.some(({ isLeader }) => isLeader === true) ? 'Leader' : 'Follower' }),
    isOurs: record?.block === block,
    isInMaintenance: isEntered(record, node),
  };
}

/** What a node says of another one of the same name does not count. */
function isEntered(record: MaintenanceRecord | undefined, { uid }: ObservedNode): boolean {
  return record?.entered !== undefined && (record.uid === undefined || record.uid === uid);
}

/** Its part in the order: the same rank goes together, except that etcd goes one by one. */
export function rankOf({ role, etcd }: Pick<Member, 'role' | 'etcd'>): number {
  if (etcd === 'Leader') return 4;
  if (etcd === 'Follower') return 3;
  return { worker: 0, 'load-balancer': 1, 'control-plane': 2 }[role];
}

export function isPresent(each: Member): each is PresentMember {
  return each.node !== undefined;
}

export function isWorker({ role }: Member): boolean {
  return role === 'worker';
}

/** The kubelet reports, and is well. */
export function isReady({ node }: Member): boolean {
  return node?.ready?.status === 'True';
}

/** A node that is in maintenance already may well be without power. One that nobody reports is not ready. */
export function isInMaintenanceOrReady(member: Member): boolean {
  return member.isInMaintenance || isReady(member);
}

/** Nobody hears of it: as far as the cluster can tell, a machine without power. */
export function isSilent({ node }: Member): boolean {
  return node?.ready?.status === 'Unknown';
}

function canonical(address: string): string {
  const { value } = parseAddress(address);
  return value === undefined ? address : addressText(value);
}
