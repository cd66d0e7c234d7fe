import type { Instant } from '../../instant.ts';
import { shown } from '../../validate/grammar/fault.ts';
import type { BlockerDraft } from './blocker-draft.ts';
import { removalBlocker } from './budget-blockers.ts';
import type { ClusterView } from './cluster-view.ts';
import type { NodePlan } from './node-plan.ts';
import type { ObservedNode } from './observation.ts';
import { evictionBlocker, type Place, terminationBlocker } from './pod-blockers.ts';
import type { Blocker } from './status.ts';
import { hasPair } from './taints.ts';

/** Everything that a node waits for, and what is left on one that has entered by its deadline. */
export function nodeBlockers(now: Instant, plan: NodePlan, cluster: ClusterView): BlockerDraft[] {
  const { node } = plan.held;
  const place: Place = { node, cluster, ...(plan.started !== undefined && { started: plan.started }) };
  const leaving = [...plan.pods.draining, ...plan.pods.returning];
  const goneByTaint = () => leaving.flatMap((pod) => present(terminationBlocker(now, pod, place)));
  const common = [...refusedWrite(node, cluster), ...sharedAddress(plan)];
  switch (plan.phase) {
    case 'Pending':
      return [...common, ...readiness(node)];
    case 'InMaintenance':
      return [...common, ...goneByTaint()];
    case 'Draining':
      return [
        ...common,
        ...readiness(node),
        ...unread(cluster),
        ...missingTaints(plan),
        ...(plan.byTaint ? goneByTaint() : drainBlockers(now, plan, place)),
      ];
  }
}

/**
 * Of the pods whose turn it is, whatever keeps them; of those after them only what waiting will never end, so that
 * somebody can act on it now and not when the deadline is near.
 */
function drainBlockers(now: Instant, plan: NodePlan, place: Place): BlockerDraft[] {
  const turn = new Set(plan.drain.turn);
  const kept = plan.pods.draining.flatMap((pod) =>
    present(evictionBlocker(now, pod, place)).filter(({ permanent }) => turn.has(pod) || permanent === true),
  );
  const heldBack = plan.heldBack.flatMap((pod) => present(removalBlocker(pod, place.cluster.budgetView(pod))));
  return [...kept, ...heldBack, ...plan.drain.volumes.map((volume) => usedVolume(volume, place))];
}

function usedVolume(name: string, { node, cluster }: Place): BlockerDraft {
  const { claim, persistentVolume } = cluster.volume(name) ?? {};
  const whose = claim === undefined ? '' : ` of PersistentVolumeClaim ${claim.namespace}/${claim.name}`;
  return {
    code: 'volume',
    who: 'operators',
    message: `Volume ${shown(persistentVolume ?? name)}${whose} is still in use on node ${node.name}: its driver has to unmount it.`,
    volume: persistentVolume ?? name,
  };
}

function readiness(node: ObservedNode): BlockerDraft[] {
  const sinceAt = node.ready === undefined ? {} : { sinceAt: node.ready.since };
  switch (node.ready?.status) {
    case 'True':
      return [];
    case 'Unknown': {
      const text = `Nobody hears of node ${node.name}, so it confirms no pod's end: bring it back or restart it.`;
      return [{ ...aboutNode(node, 'node-unreachable', 'operators', text), ...sinceAt }];
    }
    case 'False':
    case undefined:
      return [{ ...aboutNode(node, 'node-not-ready', 'operators', `Node ${node.name} is not ready.`), ...sinceAt }];
  }
}

export function refusedWrite(node: ObservedNode, cluster: ClusterView): BlockerDraft[] {
  const refusal = cluster.refusalOf(node.name);
  if (refusal === undefined || refusal.attempts < 3) return [];
  const status = refusal.status === 0 ? 'no answer' : `HTTP ${refusal.status}`;
  const text = `Node ${node.name} cannot be written (${status}): ${shown(refusal.text)}.`;
  return [aboutNode(node, 'node-refused', 'operators', text)];
}

function sharedAddress({ held: { node, selected } }: NodePlan): BlockerDraft[] {
  return selected.others.map((other) =>
    aboutNode(
      other,
      'address-shared',
      'operators',
      `Node ${other.name} has the address ${selected.address}, too, and is left alone; ${node.name} is taken.`,
    ),
  );
}

/** Only the applier's: ours are put back by the next write. */
function missingTaints({ held: { node, block, selected } }: NodePlan): BlockerDraft[] {
  if (block.spec.taintedBy !== 'applier') return [];
  return selected.taints
    .filter((taint) => taint.effect === 'NoSchedule' && !hasPair(node.taints, taint))
    .map(({ key, effect }) =>
      aboutNode(
        node,
        'taint-missing',
        'applier',
        `The applier has not put the taint ${key}:${effect} on node ${node.name} yet.`,
      ),
    );
}

function unread({ unread: kinds }: ClusterView): BlockerDraft[] {
  if (kinds.length === 0) return [];
  const text = `No pod is evicted until these can be read: ${kinds.join(', ')}.`;
  return [{ code: 'unread', who: 'operators', message: text }];
}

/** A selected address that no node reports. */
export function missingNode(address: string): BlockerDraft {
  return { code: 'node-missing', who: 'operators', message: `No node has the address ${address}.` };
}

function aboutNode({ name }: ObservedNode, code: Blocker['code'], who: string, message: string): BlockerDraft {
  return { code, who, message, object: { apiVersion: 'v1', kind: 'Node', name } };
}

function present<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value];
}
