import type { Decision } from '../../sidecar/maintenance/action.ts';
import type { ObservedPod } from '../../sidecar/maintenance/observation.ts';
import { recordOf } from '../../sidecar/maintenance/record.ts';
import { select } from '../../sidecar/maintenance/selection.ts';
import { groupOf, type StageRules } from '../../sidecar/maintenance/stages.ts';
import type { Blocker, NodeStatus, Stage } from '../../sidecar/maintenance/status.ts';
import type { SimulatedCluster } from '../simulate/cluster.ts';
import { evictionAnswer } from '../simulate/eviction.ts';
import type { Misfit } from '../simulate/fit.ts';
import type { Simulation } from '../simulate/simulation.ts';
import type { Happening, SimulatedState } from '../simulate/state.ts';
import { takesUp } from '../simulate/usage.ts';

/** What came of one run. Times are in milliseconds from its beginning. */
export interface CourseRecord {
  /** By name. */
  readonly nodes: ReadonlyMap<string, NodeRecord>;
  readonly departures: readonly Departure[];
  readonly obstacles: readonly Obstacle[];
  /** At the end: told to go and still there. */
  readonly stuck: readonly ObservedPod[];
  /** Pods that no node takes at the end. */
  readonly waiting: readonly { readonly pod: ObservedPod; readonly misfits: readonly Misfit[] }[];
  /** Pods that may have been driven out for others. */
  readonly threatened: readonly ObservedPod[];
  /** By node: pods that were never told to go. */
  readonly untouched: ReadonlyMap<string, number>;
  readonly isCutOff: boolean;
}

interface NodeRecord {
  begun?: number;
  /** In maintenance; of one that leaves: free of what is ours. */
  reached?: number;
  by?: 'drained' | 'deadline';
}

/** A pod that had to go. */
export interface Departure {
  readonly pod: ObservedPod;
  readonly node: string;
  readonly how: 'evicted' | 'removed';
  readonly at: number;
  readonly stage: Stage;
  /** Within stage 3. */
  readonly priority: number;
  goneAt?: number;
  /** Of one that a taint removed: whether the node had given up on its drain, and the budget that would have said no. */
  readonly isOverdue?: boolean;
  readonly pastBudget?: string;
}

/** Something that was in the way of a node, once for each thing. */
export interface Obstacle {
  readonly node: string;
  blocker: Omit<Blocker, 'since'>;
  readonly since: number;
  lasts: number;
  /** It is there at the end. */
  isOpen: boolean;
  /** It was there when the deadline passed. */
  isCut: boolean;
}

export interface OpenRecord {
  witness(happening: Happening, state: SimulatedState): void;
  pass(now: number, decision: Decision, seen: { readonly simulation: Simulation; readonly isLook: boolean }): void;
  end(simulation: Simulation, how: { readonly isCutOff: boolean }): CourseRecord;
}

export function openRecord(scene: SimulatedCluster): OpenRecord {
  return new Recorder(scene);
}

class Recorder implements OpenRecord {
  readonly #scene: SimulatedCluster;
  readonly #nodes = new Map<string, NodeRecord>();
  readonly #departures = new Map<string, Departure>();
  readonly #obstacles = new Map<string, Obstacle>();
  readonly #rules: StageRules;
  readonly #leaving: Set<string>;
  #lookedAt: number;

  constructor(scene: SimulatedCluster) {
    this.#scene = scene;
    this.#lookedAt = scene.now;
    this.#leaving = new Set(select(scene).leaving.map(({ node }) => node.name));
    const { priorityClasses, csiDrivers, blocks } = scene;
    this.#rules = { priorityClasses, csiDrivers, csiPodNames: blocks.flatMap(({ spec }) => spec.csiPodNames ?? []) };
  }

  witness({ at, what, pod }: Happening, state: SimulatedState): void {
    const elapsed = at - this.#scene.now;
    const departure = this.#departures.get(pod.uid);
    if (what === 'gone' && departure !== undefined) departure.goneAt = elapsed;
    // What is finished goes with the taint, and nobody misses it.
    if ((what !== 'evicted' && what !== 'removed-by-taint') || !takesUp(pod)) return;
    const node = state.nodes.get(pod.node);
    if (node === undefined) return;
    const { stage, value } = groupOf(pod, node, this.#rules);
    const base = { pod, node: pod.node, at: elapsed, stage, priority: value };
    if (what === 'evicted') this.#departures.set(pod.uid, { ...base, how: 'evicted' });
    else {
      const isOverdue = recordOf(node)?.enteredBy === 'deadline';
      this.#departures.set(pod.uid, { ...base, how: 'removed', isOverdue, ...pastBudget(pod, state) });
    }
  }

  pass(
    now: number,
    { statuses }: Decision,
    { simulation, isLook }: { readonly simulation: Simulation; readonly isLook: boolean },
  ): void {
    for (const { status } of statuses) for (const node of status.nodes ?? []) this.#noteNode(now, node);
    if (isLook) this.#look(now, statuses);
    this.#noteLeaving(now, simulation);
  }

  #look(now: number, statuses: Decision['statuses']): void {
    const seen = new Set<Obstacle>();
    for (const { status } of statuses) {
      for (const { node, address, blockers = [] } of status.nodes ?? []) {
        for (const blocker of blockers) seen.add(this.#obstacle(now, node ?? address, blocker));
      }
    }
    for (const obstacle of this.#obstacles.values()) {
      if (obstacle.isOpen) obstacle.lasts += now - this.#lookedAt;
      obstacle.isOpen = seen.has(obstacle);
    }
    this.#lookedAt = now;
  }

  end(simulation: Simulation, { isCutOff }: { readonly isCutOff: boolean }): CourseRecord {
    this.#noteLeaving(simulation.now, simulation);
    const held = new Set(this.#nodes.keys());
    const there = simulation.pods().filter(({ node }) => held.has(node));
    const untouched = new Map<string, number>();
    for (const { node, deletionAt } of there) {
      if (deletionAt === undefined) untouched.set(node, (untouched.get(node) ?? 0) + 1);
    }
    return {
      nodes: this.#nodes,
      departures: [...this.#departures.values()],
      obstacles: [...this.#obstacles.values()],
      stuck: there.filter(({ deletionAt }) => deletionAt !== undefined),
      waiting: simulation.waiting(),
      threatened: simulation.threatened(),
      untouched,
      isCutOff,
    };
  }

  #noteNode(now: number, { node, phase, drainStarted, overran }: NodeStatus): void {
    if (node === undefined) return;
    const record: NodeRecord = this.#nodes.get(node) ?? {};
    this.#nodes.set(node, record);
    if (phase === 'Leaving') return;
    if (drainStarted !== undefined) record.begun ??= now - this.#scene.now;
    if (phase !== 'InMaintenance' || record.reached !== undefined) return;
    record.reached = now - this.#scene.now;
    record.by = overran === true ? 'deadline' : 'drained';
    if (overran !== true) return;
    for (const obstacle of this.#obstacles.values()) obstacle.isCut ||= obstacle.node === node && obstacle.isOpen;
  }

  /** One that comes back is the same: the same thing, whatever its numbers are. */
  #obstacle(now: number, node: string, { since: _, ...blocker }: Blocker): Obstacle {
    const { code, pod, pdb, object, volume, finalizer } = blocker;
    const key = [node, code, pod?.namespace, pod?.name, pdb?.name, object?.name, finalizer, volume].join(' ');
    const since = now - this.#scene.now;
    const obstacle = this.#obstacles.get(key) ?? { node, blocker, since, lasts: 0, isOpen: false, isCut: false };
    obstacle.blocker = blocker;
    this.#obstacles.set(key, obstacle);
    return obstacle;
  }

  #noteLeaving(now: number, simulation: Simulation): void {
    for (const name of this.#leaving) {
      const node = simulation.node(name);
      if (node !== undefined && recordOf(node) !== undefined) continue;
      this.#leaving.delete(name);
      this.#nodes.set(name, { reached: now - this.#scene.now });
    }
  }
}

function pastBudget(pod: ObservedPod, { budgets }: SimulatedState): { readonly pastBudget?: string } {
  const of = budgets.of(pod);
  const cluster = { budgets: of, terminatingNamespaces: [] };
  const { body } = evictionAnswer({ pod, name: pod.name, uid: pod.uid, cluster });
  const [budget] = of;
  return body.status === 'Success' || budget === undefined ? {} : { pastBudget: budget.name };
}
