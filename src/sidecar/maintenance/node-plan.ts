import type { Instant } from '../../instant.ts';
import type { NodeChange } from './action.ts';
import type { BudgetView } from './budgets.ts';
import type { ClusterView } from './cluster-view.ts';
import { deadlineOf, isOfAnotherNode, recordAsOf } from './deadline.ts';
import { nodeEvents } from './events.ts';
import type { BudgetLedger } from './ledger.ts';
import { changeNode, type WantedNode } from './node-change.ts';
import type { ObservedNode, ObservedPod, Taint } from './observation.ts';
import { type NodePods, sortPods } from './pods.ts';
import type { MaintenanceRecord } from './record.ts';
import type { Held } from './selection.ts';
import { type Drain, drainOf } from './stages.ts';
import type { Phase } from './status.ts';
import { hasPair } from './taints.ts';
import { ignoresBudgets, wantedInDrain, wantedInMaintenance } from './wanted-node.ts';

/** Where a node is, as far as it can be seen, and what is to be done with it. */
export interface NodePlan extends Seen {
  readonly held: Held;
  readonly phase: Exclude<Phase, 'Leaving'>;
  readonly started?: Instant;
  readonly deadline?: Instant;
  readonly entered?: Instant;
  readonly overran: boolean;
  /** Pods that may be evicted now as far as the order goes. */
  readonly turn: readonly ObservedPod[];
  /** Pods that would go by taint and whose budgets do not allow it: so the drain does not count as done. */
  readonly heldBack: readonly ObservedPod[];
  readonly change?: NodeChange;
}

interface Seen {
  readonly pods: NodePods;
  readonly drain: Drain;
  /** Pods leave by NoExecute: nobody is evicted, and there is no order. */
  readonly byTaint: boolean;
  /** The taint that keeps new pods away is on the node. */
  readonly isTainted: boolean;
  /** NoExecute is on the node. */
  readonly isExecuting: boolean;
}

/** A pod that the scheduler was just putting on the node when the taint came is seen after this. */
export const settling = 2_000;

/**
 * Pending → Draining → InMaintenance, each derived from the node itself. Nothing depends on what an earlier decision
 * was, only on what came of it.
 */
export function planNode(
  now: Instant,
  held: Held,
  cluster: ClusterView,
  { mayStart, ledger }: { readonly mayStart: boolean; readonly ledger: BudgetLedger },
): NodePlan {
  const record = recordAsOf(now, held);
  const seen = look(held, record, cluster);
  const base = { held, ...seen, overran: record?.enteredBy === 'deadline', turn: [], heldBack: [] };
  const started = record?.drainStarted;
  if (record?.entered !== undefined) {
    const instants = { ...record, entered: record.entered };
    const change = changed(held, 'correct', wantedInMaintenance(held, instantsOf(instants)));
    return { ...base, ...timesOf(held, started), phase: 'InMaintenance', entered: record.entered, ...change };
  }
  if (started === undefined) {
    const change = mayStart ? changed(held, 'start', wantedInDrain(held, { drainStarted: now })) : {};
    return { ...base, phase: 'Pending', ...change };
  }
  const step = drainStep(now, { held, record, seen, started }, cluster, ledger);
  return { ...base, ...timesOf(held, started), phase: 'Draining', ...step };
}

interface Draining {
  readonly held: Held;
  readonly record: MaintenanceRecord | undefined;
  readonly seen: Seen;
  readonly started: Instant;
}

/** The node enters maintenance when its pods are gone, or at the deadline anyway. */
function drainStep(
  now: Instant,
  { held, record, seen, started }: Draining,
  cluster: ClusterView,
  ledger: BudgetLedger,
): Pick<NodePlan, 'turn' | 'heldBack' | 'change'> {
  const isKnown = cluster.unread.length === 0;
  const isEmpty = isKnown && seen.isTainted && isDrained(seen) && now >= started + settling;
  const heldBack = isEmpty && !seen.byTaint ? refused(seen.pods.returning, cluster, ledger) : [];
  const isDone = isEmpty && heldBack.length === 0;
  if (isDone || now >= deadlineOf(started, held.block.spec.deadlineSeconds)) {
    const enteredBy = isDone ? 'drained' : 'deadline';
    const wanted = wantedInMaintenance(held, { drainStarted: started, entered: now, enteredBy });
    return { turn: [], heldBack, ...changed(held, 'enter', wanted, enteredBy) };
  }
  const mayEvict = isKnown && seen.isTainted && !seen.isExecuting && !seen.byTaint;
  const why = record !== undefined && isOfAnotherNode(record, held.node) ? 'restart' : 'correct';
  return {
    turn: mayEvict ? seen.drain.turn : [],
    heldBack,
    ...changed(held, why, wantedInDrain(held, { drainStarted: started })),
  };
}

/** Whose budgets say no to the taint that is about to remove them; nobody, if all may go at once. */
function refused(pods: readonly ObservedPod[], cluster: ClusterView, ledger: BudgetLedger): readonly ObservedPod[] {
  const views = pods.map((pod): BudgetView => cluster.budgetView(pod));
  if (ledger.takeAll(views)) return [];
  return pods.filter((_, index) => views[index]?.kind !== 'free');
}

function isDrained({ byTaint, drain, pods }: Seen): boolean {
  if (byTaint) return pods.draining.length + pods.returning.length === 0;
  return drain.stage === undefined;
}

function look({ node, block, selected }: Held, record: MaintenanceRecord | undefined, cluster: ClusterView): Seen {
  const taints = asTheyAre(selected.taints, node);
  const executing = taints.filter((taint) => taint.effect === 'NoExecute' && hasPair(node.taints, taint));
  const keeping = taints.filter(({ effect }) => effect === 'NoSchedule');
  const started = record?.drainStarted;
  const pods = sortPods(cluster.podsOn(node.name), { taints, ...(started !== undefined && { drainStarted: started }) });
  const { priorityClasses, csiDrivers } = cluster.observation;
  const drain = drainOf(node, pods, { priorityClasses, csiDrivers, csiPodNames: block.spec.csiPodNames ?? [] });
  return {
    pods,
    drain,
    // NoExecute that is not ours removes pods whatever we want, e.g. when the applier writes the whole list.
    byTaint: ignoresBudgets(block.spec) || executing.some((taint) => !hasPair(record?.taints ?? [], taint)),
    isExecuting: executing.length > 0,
    isTainted: keeping.every((taint) => hasPair(node.taints, taint)),
  };
}

/** A pair that was on the node before us may have a value, and that is what pods have to tolerate. */
function asTheyAre(taints: readonly Taint[], node: ObservedNode): Taint[] {
  return taints.map((taint) => node.taints.find((there) => hasPair([there], taint)) ?? taint);
}

function timesOf({ block }: Held, started: Instant | undefined): Pick<NodePlan, 'started' | 'deadline'> {
  return started === undefined ? {} : { started, deadline: deadlineOf(started, block.spec.deadlineSeconds) };
}

function instantsOf({ drainStarted, entered, enteredBy }: Omit<MaintenanceRecord, 'taints' | 'cordon' | 'mark'>) {
  return {
    ...(drainStarted !== undefined && { drainStarted }),
    ...(entered !== undefined && { entered }),
    ...(enteredBy !== undefined && { enteredBy }),
  };
}

function changed(
  held: Held,
  why: NodeChange['why'],
  wanted: WantedNode,
  enteredBy?: 'drained' | 'deadline',
): { readonly change?: NodeChange } {
  const events = nodeEvents(held, why, enteredBy);
  const change = changeNode(held, wanted, { why, block: held.block.name, events });
  if (change === undefined) return {};
  // That another block has the node now is no news about the node.
  const isNews = why !== 'correct' || change.taints !== undefined || change.unschedulable !== undefined;
  return { change: isNews ? change : { ...change, events: [] } };
}
