import type { Instant } from '../../instant.ts';
import type { Action, Decision, NodeChange } from './action.ts';
import { type BlockView, draftStatus, isLeaving } from './block-status.ts';
import { type ClusterView, viewCluster } from './cluster-view.ts';
import { leaveEvents } from './events.ts';
import { type DrainingNode, pickEvictions, reserveGranted } from './evictions.ts';
import { BudgetLedger } from './ledger.ts';
import { changeNode } from './node-change.ts';
import { type NodePlan, planNode } from './node-plan.ts';
import type { Observation, ObservedKind } from './observation.ts';
import { compareNamed, compareText } from './order.ts';
import { mayBeWrittenAt } from './pacing.ts';
import { type RecordedNode, type Selection, select } from './selection.ts';
import { writeStatus } from './status-write.ts';
import { whoMayStart } from './turns.ts';
import { earliest, wakeTimes } from './wake.ts';

/** With a block missing from the list, its nodes would be taken out of maintenance. */
export function isBlind({ unread }: Pick<Observation, 'unread'>): boolean {
  return unread.some((kind) => indispensable.includes(kind));
}

export interface Limits {
  /** Pods that are asked to leave in one pass. */
  readonly evictions: number;
  /** Blockers of one node that a status shows; absent: as many as a resource has room for. */
  readonly shownBlockers?: number;
}

const indispensable: readonly ObservedKind[] = ['MaintenanceBlock', 'ClusterShutdown', 'Node'];

const defaultLimits: Limits = { evictions: 250 };

/**
 * What is to be done for every MaintenanceBlock of a cluster, and what their status is. Pure and complete: the same
 * observation at the same time gives the same decision, wherever it comes from, and nothing is remembered from one call
 * to the next.
 *
 * `now` is best the API server's clock, since every other instant in here is.
 */
export function decideMaintenance(now: Instant, observation: Observation, limits: Limits = defaultLimits): Decision {
  if (isBlind(observation)) return { actions: [], statuses: [] };
  const cluster = viewCluster(now, observation);
  const selection = select(observation);
  const ledger = new BudgetLedger();
  reserveGranted(observation.pods, cluster, ledger);
  const plans = planNodes(now, selection, cluster, ledger);
  const views = viewBlocks(observation, selection, plans);
  const drafts = views.map((view) => ({ view, ...draftStatus(now, view, cluster, limits.shownBlockers) }));
  const blockers = new Map(drafts.flatMap((draft) => [...draft.blockers]));
  const nodes = [...plans.values()].map(
    (plan): DrainingNode => ({ plan, blockers: blockers.get(plan.held.node.name) ?? [] }),
  );
  const picked = pickEvictions(now, nodes, cluster, { ledger, limit: limits.evictions });
  const changes = nodeChanges(now, selection, plans, cluster);
  const real = drafts.filter(({ view }) => view.block.standsFor === undefined);
  const writes = real.map(({ view, status }) => writeStatus(now, view, status));
  const actions: Action[] = [...changes.now, ...picked.evictions, ...writes.flatMap(({ write }) => write ?? [])];
  const requeueAt = earliest(now, [
    ...picked.wake,
    ...changes.later,
    ...nodes.flatMap((node) => wakeTimes(node)),
    ...writes.flatMap(({ wake }) => wake),
  ]);
  return {
    actions,
    statuses: drafts.map(({ view, status }) => ({ block: view.block.name, status })),
    ...(requeueAt !== undefined && { requeueAt }),
  };
}

function planNodes(
  now: Instant,
  selection: Selection,
  cluster: ClusterView,
  ledger: BudgetLedger,
): ReadonlyMap<string, NodePlan> {
  const starting = whoMayStart(now, selection, cluster);
  const names = [...selection.held.keys()].sort(compareText);
  return new Map(
    names.flatMap((name) => {
      const held = selection.held.get(name);
      if (held === undefined) return [];
      return [[name, planNode(now, held, cluster, { mayStart: starting.has(name), ledger })] as const];
    }),
  );
}

function viewBlocks(
  { blocks }: Observation,
  { selected, leaving }: Selection,
  plans: ReadonlyMap<string, NodePlan>,
): BlockView[] {
  return [...blocks].sort(compareNamed).map((block) => ({
    block,
    selected: (selected.get(block.name) ?? []).map((each) => {
      const plan = each.node && plans.get(each.node.name);
      return { selected: each, ...(plan !== undefined && { plan }) };
    }),
    leaving: leaving.filter((node) => isLeaving(node, block)),
  }));
}

/** Those of nodes that could just not be written wait, whatever they are. */
function nodeChanges(
  now: Instant,
  { leaving }: Selection,
  plans: ReadonlyMap<string, NodePlan>,
  cluster: ClusterView,
): { readonly now: readonly NodeChange[]; readonly later: readonly Instant[] } {
  const all = [...leaving.map(leave), ...[...plans.values()].map(({ change }) => change)].filter(
    (change) => change !== undefined,
  );
  const timed = all.map((change) => {
    const refusal = cluster.refusalOf(change.node);
    return { change, at: refusal === undefined ? now : mayBeWrittenAt(refusal) };
  });
  return {
    now: timed.filter(({ at }) => at <= now).map(({ change }) => change),
    later: timed.filter(({ at }) => at > now).map(({ at }) => at),
  };
}

/** Everything of ours is taken back and nothing else, in one write. */
function leave(node: RecordedNode): NodeChange | undefined {
  const block = node.record?.block;
  const occasion = { why: 'leave' as const, ...(block !== undefined && { block }), events: leaveEvents(node, block) };
  return changeNode(node, { taints: [], cordon: false, mark: false }, occasion);
}
