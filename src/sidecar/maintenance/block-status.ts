import type { Instant } from '../../instant.ts';
import { instantText } from '../../instant.ts';
import type { BlockerDraft } from './blocker-draft.ts';
import { type DatedBlocker, dateBlockers, isStalling, shownBlocker } from './blockers.ts';
import type { ClusterView } from './cluster-view.ts';
import { conditionsOf } from './conditions.ts';
import { type CountedNode, countNodes } from './counters.ts';
import { heartbeat, sinceShown } from './heartbeat.ts';
import { missingNode, nodeBlockers, refusedWrite } from './node-blockers.ts';
import type { NodePlan } from './node-plan.ts';
import type { ObservedBlock } from './observation.ts';
import type { RecordedNode, Selected } from './selection.ts';
import type { BlockStatus, NodeStatus, Phase } from './status.ts';

/** What a block selects, with what is planned for each. */
export interface BlockView {
  readonly block: ObservedBlock;
  readonly selected: readonly { readonly selected: Selected; readonly plan?: NodePlan }[];
  readonly leaving: readonly RecordedNode[];
}

/** At most so many of a node are shown, as the CRD has it … */
const ofOneNode = 50;
/** … and about so many in all: a status must not outgrow what etcd takes because everything is stuck at once. */
const inAll = 500;

interface Entry extends CountedNode {
  readonly blockers: readonly DatedBlocker[];
}

export interface StatusDraft {
  readonly status: BlockStatus;
  /** Every blocker of each node, by its name, also those that are not shown. */
  readonly blockers: ReadonlyMap<string, readonly DatedBlocker[]>;
}

export function draftStatus(now: Instant, view: BlockView, cluster: ClusterView, shownBlockers?: number): StatusDraft {
  const { block } = view;
  const shown = new Map((block.status?.nodes ?? []).map((node) => [node.address, node]));
  const entries = [
    ...view.selected.map((each) => selectedEntry(now, each, cluster, shown.get(each.selected.address))),
    ...leavingEntries(now, view, cluster),
  ];
  const perNode = shownBlockers ?? roomFor(entries);
  const nodes = entries.map(({ status }) => status);
  const isAtWork = nodes.some(({ phase }) => phase === 'Draining' || phase === 'Leaving');
  return {
    status: {
      observedGeneration: block.generation,
      ...countNodes(entries),
      nodes: entries.map((each) => shownEntry(each, perNode)),
      ...(isAtWork && { heartbeat: heartbeat(now, block.status?.heartbeat) }),
      ...stepOf(nodes),
      done: nodes.filter(({ phase }) => phase === 'InMaintenance').length,
      total: nodes.length,
      conditions: conditionsOf(now, block, nodes, entries.flatMap(inTheWay)),
    },
    blockers: new Map(
      entries.flatMap(({ status: { node }, blockers }) => (node === undefined ? [] : [[node, blockers] as const])),
    ),
  };
}

function roomFor(entries: readonly Entry[]): number {
  const stuck = entries.filter(({ blockers }) => blockers.length > 0).length;
  return Math.min(ofOneNode, Math.max(1, Math.floor(inAll / Math.max(1, stuck))));
}

function selectedEntry(
  now: Instant,
  { selected, plan }: BlockView['selected'][number],
  cluster: ClusterView,
  shown: NodeStatus | undefined,
): Entry {
  const { address } = selected;
  if (plan === undefined) {
    return entry(now, { address, phase: 'Pending' }, [missingNode(address)], { ready: 'Unknown', shown });
  }
  const { held, phase, drain, byTaint, started, deadline, entered, overran } = plan;
  const since = phase === 'InMaintenance' ? entered : phase === 'Draining' ? started : undefined;
  const status: NodeStatus = {
    address,
    node: held.node.name,
    phase,
    ...(phase === 'Draining' && !byTaint && drain.stage !== undefined && { stage: drain.stage }),
    ...(phase !== 'Pending' && { podsLeft: podsLeft(plan) }),
    ...(since !== undefined && { since: instantText(since) }),
    ...(started !== undefined && { drainStarted: instantText(started) }),
    ...(deadline !== undefined && { deadline: instantText(deadline) }),
    ...(phase === 'InMaintenance' && { overran }),
  };
  return entry(now, status, nodeBlockers(now, plan, cluster), { ready: held.node.ready?.status ?? 'False', shown });
}

/** Whose address is selected again by another node's is not shown twice. */
function leavingEntries(now: Instant, { block, selected, leaving }: BlockView, cluster: ClusterView): Entry[] {
  if (leaving.length === 0) return [];
  const taken = new Set(selected.map((each) => each.selected.address));
  const shownAs = new Map((block.status?.nodes ?? []).map((each) => [each.node, each]));
  return leaving.flatMap(({ node }) => {
    const shown = shownAs.get(node.name);
    const address = shown?.address ?? node.addresses[0];
    if (address === undefined || taken.has(address)) return [];
    taken.add(address);
    const status: NodeStatus = { address, node: node.name, phase: 'Leaving' };
    return [entry(now, status, refusedWrite(node, cluster), { ready: node.ready?.status ?? 'False', shown })];
  });
}

function entry(
  now: Instant,
  status: NodeStatus,
  drafts: readonly BlockerDraft[],
  { ready, shown }: { readonly ready: CountedNode['ready']; readonly shown: NodeStatus | undefined },
): Entry {
  const blockers = dateBlockers(now, drafts, shown?.blockers);
  const since = status.since ?? sinceShown(now, shown?.phase === status.phase, shown?.since);
  return {
    status: { ...status, since },
    blockers,
    ready,
    stalls: blockers.some((blocker) => isStalling(now, blocker)),
  };
}

function podsLeft({ phase, byTaint, pods, heldBack }: NodePlan): number {
  if (phase === 'InMaintenance' || byTaint) return pods.draining.length + pods.returning.length;
  return pods.draining.length + heldBack.length;
}

/** The oldest stay. */
function shownEntry({ status, blockers }: Entry, limit: number): NodeStatus {
  return blockers.length === 0 ? status : { ...status, blockers: blockers.slice(0, limit).map(shownBlocker) };
}

function inTheWay({ status, blockers }: Entry): readonly DatedBlocker[] {
  return status.phase === 'Draining' ? blockers : [];
}

function stepOf(nodes: readonly NodeStatus[]): { readonly step?: string } {
  const steps: readonly Phase[] = ['Leaving', 'Draining', 'Pending'];
  const step = steps.find((phase) => nodes.some((node) => node.phase === phase));
  return step === undefined ? {} : { step };
}

/** Nodes that leave are shown by the block that had them. */
export function isLeaving({ record }: RecordedNode, block: ObservedBlock): boolean {
  return record?.block === block.name;
}
