import {
  type Address,
  type AddressBlock,
  addressText,
  contains,
  parseAddress,
  parseBlock,
} from '../../validate/grammar/addresses.ts';
import type { Observation, ObservedBlock, ObservedNode, Taint } from './observation.ts';
import { compareNamed, compareText } from './order.ts';
import { type MaintenanceRecord, recordOf } from './record.ts';
import { maintenanceTaints } from './taints.ts';

/** One address that a block selects. */
export interface Selected {
  readonly address: string;
  /** Absent while no node reports it. */
  readonly node?: ObservedNode;
  /** What maintenance adds to it, in this order. */
  readonly taints: readonly Taint[];
  /** Other nodes that report the same address: they are left alone. */
  readonly others: readonly ObservedNode[];
}

/** A node with what it says itself of its maintenance. */
export interface RecordedNode {
  readonly node: ObservedNode;
  readonly record?: MaintenanceRecord;
}

/** A node, and the block that says how it is treated. */
export interface Held extends RecordedNode {
  readonly block: ObservedBlock;
  readonly selected: Selected;
}

export interface Selection {
  /** By name of the block; each in the order of the block, which is by address. */
  readonly selected: ReadonlyMap<string, readonly Selected[]>;
  /** By name of the node. */
  readonly held: ReadonlyMap<string, Held>;
  /** Nodes that carry something of ours and that no block selects, by name. */
  readonly leaving: readonly RecordedNode[];
}

/**
 * Which node is in which block, by InternalIP. Of several blocks that select one node, the one that has it already says
 * how it is treated, else the first by name: another deadline in the middle of a drain would be nobody's intent.
 */
export function select({ blocks, nodes }: Pick<Observation, 'blocks' | 'nodes'>): Selection {
  const live = blocks.filter(({ deletedAt }) => deletedAt === undefined).sort(compareNamed);
  const located = locate(nodes);
  const selected = new Map(live.map((block) => [block.name, selectedBy(block, located)]));
  const records = new Map(nodes.map((node) => [node.name, recordOf(node)]));
  const held = new Map<string, Held>();
  for (const block of live) {
    for (const each of selected.get(block.name) ?? []) {
      if (each.node === undefined) continue;
      const record = records.get(each.node.name);
      const isTaken = held.has(each.node.name) && record?.block !== block.name;
      if (!isTaken) held.set(each.node.name, { ...recorded(each.node, record), block, selected: each });
    }
  }
  const leaving = nodes
    .filter(({ name }) => !held.has(name) && records.get(name) !== undefined)
    .sort(compareNamed)
    .map((node) => recorded(node, records.get(node.name)));
  return { selected, held, leaving };
}

function recorded(node: ObservedNode, record: MaintenanceRecord | undefined): RecordedNode {
  return record === undefined ? { node } : { node, record };
}

interface Located {
  readonly byText: ReadonlyMap<string, readonly ObservedNode[]>;
  readonly all: readonly { readonly address: Address; readonly text: string }[];
}

function locate(nodes: readonly ObservedNode[]): Located {
  const byText = new Map<string, ObservedNode[]>();
  const all = new Map<string, Address>();
  for (const node of [...nodes].sort(mostLikely)) {
    for (const written of new Set(node.addresses)) {
      const { value } = parseAddress(written);
      if (value === undefined) continue;
      const text = addressText(value);
      byText.set(text, [...(byText.get(text) ?? []), node]);
      all.set(text, value);
    }
  }
  return { byText, all: [...all].map(([text, address]) => ({ text, address })) };
}

/**
 * First the node that an address most likely means, should several report it: of a machine that was set up again under
 * another name, the old Node lingers and is not heard of.
 */
function mostLikely(a: ObservedNode, b: ObservedNode): number {
  const ready = ({ ready: condition }: ObservedNode) => (condition?.status === 'True' ? 0 : 1);
  return ready(a) - ready(b) || b.createdAt - a.createdAt || compareText(a.name, b.name);
}

/** Declared nodes, then the single addresses and ranges that no declared node has. A node is there once. */
function selectedBy({ spec }: ObservedBlock, located: Located): Selected[] {
  const addresses = new Set<string>();
  const names = new Set<string>();
  const entries: Selected[] = [];
  const add = (address: string, taints: readonly Taint[], isNamed: boolean) => {
    const [node, ...others] = located.byText.get(address) ?? [];
    if (addresses.has(address) || (node === undefined ? !isNamed : names.has(node.name))) return;
    addresses.add(address);
    if (node !== undefined) names.add(node.name);
    entries.push({ address, ...(node !== undefined && { node }), taints, others });
  };
  for (const { address, taints } of spec.nodes) add(canonical(address), taints, true);
  for (const text of spec.unmatched ?? []) {
    const { value } = parseBlock(text);
    if (value === undefined) continue;
    for (const address of addressesIn(value, located)) add(address, maintenanceTaints, value.form === 'single');
  }
  return entries;
}

function addressesIn(block: AddressBlock, { all }: Located): readonly string[] {
  if (block.form === 'single') return [addressText({ family: block.family, value: block.first })];
  return all
    .filter(({ address }) => contains(block, address))
    .sort((a, b) => (a.address.value < b.address.value ? -1 : 1))
    .map(({ text }) => text);
}

function canonical(address: string): string {
  const { value } = parseAddress(address);
  return value === undefined ? address : addressText(value);
}
