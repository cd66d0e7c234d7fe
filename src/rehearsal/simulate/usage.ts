import type { ObservedPod } from '../../sidecar/maintenance/observation.ts';
import type { Amounts } from '../snapshot.ts';
import type { PodTemplate, SimulatedNode } from './cluster.ts';

/** What the pods of one node ask for. */
export interface Usage {
  pods: number;
  readonly amounts: Map<string, number>;
  /** How many have each. */
  readonly hostPorts: Map<string, number>;
}

export function noUsage(): Usage {
  return { pods: 0, amounts: new Map(), hostPorts: new Map() };
}

/** `sign` -1: it is gone. A pod that is finished takes up nothing. */
export function addUsage(usage: Usage, { placement }: PodTemplate, sign: 1 | -1): void {
  usage.pods += sign;
  for (const [name, amount] of Object.entries(placement.requests)) {
    usage.amounts.set(name, (usage.amounts.get(name) ?? 0) + sign * amount);
  }
  for (const port of placement.hostPorts ?? []) usage.hostPorts.set(port, (usage.hostPorts.get(port) ?? 0) + sign);
}

export function takesUp({ phase }: ObservedPod): boolean {
  return phase !== 'Succeeded' && phase !== 'Failed';
}

/** The first thing that there is too little of, by name. */
export function lacking(requests: Amounts, { allocatable }: SimulatedNode, usage: Usage): string | undefined {
  if (isBoundless(allocatable)) return undefined;
  if (usage.pods + 1 > (allocatable.pods ?? Number.POSITIVE_INFINITY)) return 'pods';
  for (const name in requests) {
    const amount = requests[name] ?? 0;
    if (amount > 0 && (usage.amounts.get(name) ?? 0) + amount > (allocatable[name] ?? 0)) return name;
  }
  return undefined;
}

function isBoundless(allocatable: Amounts): boolean {
  for (const _ in allocatable) return false;
  return true;
}

/** How full a node is, by what is asked for most; then by the number of its pods. */
export function fullness({ allocatable }: SimulatedNode, usage: Usage): number {
  const share = (name: string) => (usage.amounts.get(name) ?? 0) / (allocatable[name] ?? Number.POSITIVE_INFINITY);
  return (share('cpu') + share('memory')) / 2;
}
