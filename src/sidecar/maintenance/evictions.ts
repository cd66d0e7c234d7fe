import type { Instant } from '../../instant.ts';
import type { Eviction } from './action.ts';
import { podText } from './blocker-draft.ts';
import type { DatedBlocker } from './blockers.ts';
import type { ClusterView } from './cluster-view.ts';
import type { BudgetLedger } from './ledger.ts';
import type { NodePlan } from './node-plan.ts';
import type { ObservedPod } from './observation.ts';
import { compareText } from './order.ts';
import { heldBackUntil, mayBeAskedAt } from './pacing.ts';

export interface DrainingNode {
  readonly plan: NodePlan;
  readonly blockers: readonly DatedBlocker[];
}

export interface PickedEvictions {
  readonly evictions: readonly Eviction[];
  /** When others may be asked, if nothing happens before. */
  readonly wake: readonly Instant[];
}

/** Until the next decision, when more are evicted than one may ask for. */
const nextRound = 200;

/**
 * Whom to ask now. The nodes take turns, so that a node with many pods keeps no other waiting and a budget that they
 * share goes round; the one that has been draining longest begins. Deterministic, as everything here: who goes must not
 * depend on the order of a list.
 */
export function pickEvictions(
  now: Instant,
  nodes: readonly DrainingNode[],
  cluster: ClusterView,
  { ledger, limit }: { readonly ledger: BudgetLedger; readonly limit: number },
): PickedEvictions {
  const resumes = heldBackUntil(now, Object.values(cluster.observation.answers));
  if (resumes > now) return { evictions: [], wake: nodes.some(({ plan }) => plan.turn.length > 0) ? [resumes] : [] };
  const wake: Instant[] = [];
  const evictions: Eviction[] = [];
  for (const { pod, askAt } of inTurns(nodes, cluster)) {
    const view = cluster.budgetView(pod);
    if (askAt > now) wake.push(askAt);
    else if (view.kind === 'allows' && !ledger.take(view)) continue;
    else if (evictions.length >= limit) return { evictions, wake: [now + nextRound] };
    else evictions.push({ kind: 'evict', namespace: pod.namespace, name: pod.name, uid: pod.uid, node: pod.node });
  }
  return { evictions, wake };
}

interface Candidate {
  readonly pod: ObservedPod;
  readonly askAt: Instant;
}

function inTurns(nodes: readonly DrainingNode[], cluster: ClusterView): Candidate[] {
  const queues = [...nodes]
    .sort(
      ({ plan: a }, { plan: b }) =>
        (a.started ?? 0) - (b.started ?? 0) || compareText(a.held.node.name, b.held.node.name),
    )
    .map((node) => candidates(node, cluster));
  const longest = queues.reduce((most, { length }) => Math.max(most, length), 0);
  const inTurn: Candidate[] = [];
  for (let turn = 0; turn < longest; turn += 1) {
    for (const queue of queues) {
      const candidate = queue[turn];
      if (candidate !== undefined) inTurn.push(candidate);
    }
  }
  return inTurn;
}

function candidates({ plan, blockers }: DrainingNode, cluster: ClusterView): Candidate[] {
  const refusedSince = new Map<string, Instant>();
  for (const { blocker, since } of blockers) {
    if (blocker.pod !== undefined) refusedSince.set(podText(blocker.pod), since);
  }
  return plan.turn
    .filter(({ deletionAt }) => deletionAt === undefined)
    .map((pod) => {
      const since = refusedSince.get(podText(pod)) ?? Number.NEGATIVE_INFINITY;
      return { pod, askAt: mayBeAskedAt(cluster.budgetView(pod), since, cluster.answerTo(pod)) };
    });
}

/** Evictions that were granted and that our view of budgets and pods does not show yet. */
export function reserveGranted(pods: readonly ObservedPod[], cluster: ClusterView, ledger: BudgetLedger): void {
  for (const pod of pods) {
    if (pod.deletionAt === undefined && cluster.answerTo(pod)?.answer.kind === 'evicted') {
      ledger.take(cluster.budgetView(pod));
    }
  }
}
