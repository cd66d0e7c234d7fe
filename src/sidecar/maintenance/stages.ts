import type { ObservedNode, ObservedPod } from './observation.ts';
import { isOfDaemonSet, type NodePods } from './pods.ts';
import type { Stage } from './status.ts';

/** What of a cluster the order depends on. */
export interface StageRules {
  readonly priorityClasses: Readonly<Record<string, number>>;
  readonly csiDrivers: readonly string[];
  /** Prefixes of the names of CSI driver pods, in addition to those that are recognised. */
  readonly csiPodNames: readonly string[];
}

export interface Drain {
  /** Absent when there is nothing left to wait for. */
  readonly stage?: Stage;
  /** Pods of the group whose turn it is: all that are not yet gone. */
  readonly turn: readonly ObservedPod[];
  /** In stage 4: volumes of drained pods that are still in use. */
  readonly volumes: readonly string[];
}

/**
 * How far a drain is, from nothing but what is on the node now. The next group has its turn when the pods of the one
 * before are *gone*: whatever has appeared meanwhile in an earlier group goes first.
 */
export function drainOf(node: ObservedNode, pods: NodePods, rules: StageRules): Drain {
  const groups = pods.draining.map((pod) => ({ pod, ...groupOf(pod, node, rules) }));
  const before = groups.filter(({ stage }) => stage < 5);
  const first = before.reduce<Group | undefined>((least, group) => {
    return least === undefined || compareGroups(group, least) < 0 ? group : least;
  }, undefined);
  if (first !== undefined) {
    const turn = before.filter((group) => compareGroups(group, first) === 0).map(({ pod }) => pod);
    return { stage: first.stage, turn, volumes: [] };
  }
  const volumes = volumesOfDrained(node, pods);
  if (volumes.length > 0) return { stage: 4, turn: [], volumes };
  const drivers = groups.map(({ pod }) => pod);
  return drivers.length > 0 ? { stage: 5, turn: drivers, volumes } : { turn: [], volumes };
}

interface Group {
  readonly stage: Stage;
  /** Within stage 3. */
  readonly value: number;
}

/** The five stages of the source: "all criteria of a row hold". */
export function groupOf(pod: ObservedPod, node: ObservedNode, rules: StageRules): Group {
  if (isCsiDriver(pod, node, rules)) return { stage: 5, value: 0 };
  if (hasPriorityClass(pod)) return { stage: 3, value: priorityOf(pod, rules) };
  return { stage: isOfDaemonSet(pod) ? 2 : 1, value: 0 };
}

function compareGroups(a: Group, b: Group): number {
  return a.stage - b.stage || a.value - b.value;
}

function hasPriorityClass({ priorityClassName }: ObservedPod): boolean {
  return priorityClassName !== undefined && priorityClassName !== '';
}

/** Of a class that is gone, the value that the pod was admitted with. */
function priorityOf({ priorityClassName = '', priority }: ObservedPod, { priorityClasses }: StageRules): number {
  const value = Object.hasOwn(priorityClasses, priorityClassName) ? priorityClasses[priorityClassName] : undefined;
  return value ?? priority ?? 0;
}

/**
 * By what it does: its node has drivers registered, and it mounts the directory through which they register. Which of
 * them it serves cannot be told from the outside, since the folder a driver keeps its socket in has any name. So the
 * plugin of a device is last, too, on a node with a CSI driver: later than need be, never too early.
 */
function isCsiDriver(pod: ObservedPod, node: ObservedNode, { csiDrivers, csiPodNames }: StageRules): boolean {
  if (csiPodNames.some((prefix) => prefix !== '' && pod.name.startsWith(prefix))) return true;
  return pod.registersPlugins && (node.csiDrivers ?? csiDrivers).length > 0;
}

/**
 * What is in use on the node, less what is used by pods that are there to stay or are not drained yet. Whose a volume
 * was cannot be seen any more once its pod is gone, so what nobody on the node claims counts as a drained pod's.
 */
function volumesOfDrained(node: ObservedNode, pods: NodePods): string[] {
  const claimed = new Set(
    [...pods.staying, ...pods.returning, ...pods.draining, ...pods.beside.filter(({ mirror }) => mirror)].flatMap(
      ({ volumes }) => volumes,
    ),
  );
  return [...new Set(node.volumesInUse)].filter((volume) => !claimed.has(volume)).sort();
}
