import type { EventNote, NodeChange } from './action.ts';
import type { ObservedNode } from './observation.ts';
import { shutdownOf } from './record.ts';
import type { Held, RecordedNode } from './selection.ts';
import type { Blocker, ObjectReference } from './status.ts';
import { hasPair, maintenanceTaints } from './taints.ts';

/** What people see in `kubectl describe node`: one note for each change of ours, written when it has been made. */
export function nodeEvents(
  held: Held,
  why: NodeChange['why'],
  enteredBy?: 'drained' | 'deadline',
): readonly EventNote[] {
  const { node, block } = held;
  const related = blockReference(block.name);
  const asking = `${related.kind} ${related.name}`;
  const note = (reason: string, text: string, type: EventNote['type'] = 'Normal'): EventNote[] => [
    { type, reason, action: 'Maintenance', regarding: nodeReference(node), related, note: text },
  ];
  switch (why) {
    case 'start':
      return note('MaintenanceStarted', `${asking} selects this node: its pods are to leave.`);
    case 'restart':
      return note('MaintenanceStarted', 'This Node was made anew: its drain begins now.');
    case 'enter':
      if (enteredBy === 'drained') return note('InMaintenance', 'The node is drained and in maintenance.');
      return note(
        'MaintenanceDeadline',
        `The deadline of ${block.spec.deadlineSeconds} s has passed: the node is in maintenance, and what does not tolerate that is removed.`,
        'Warning',
      );
    case 'correct':
      return note('MaintenanceCorrected', `Taints and cordon are again as ${asking} needs them.`);
    case 'leave':
      return leaveEvents(held, block.name);
  }
}

/** A taint of maintenance that stays because nothing says that it is ours must not stay unnoticed. */
export function leaveEvents({ node, record }: RecordedNode, block: string | undefined): readonly EventNote[] {
  const owned = record?.taints ?? [];
  const foreign = maintenanceTaints
    .filter((taint) => hasPair(node.taints, taint) && !hasPair(owned, taint))
    .map(({ key, effect }) => `${key}:${effect}`);
  const rest = foreign.length === 0 ? '' : ` ${foreign.join(' and ')} stays: it was not added by us.`;
  return [
    {
      type: foreign.length === 0 ? 'Normal' : 'Warning',
      reason: 'MaintenanceEnded',
      action: 'Maintenance',
      regarding: nodeReference(node),
      ...(block !== undefined && { related: blockReference(block) }),
      note: `The node is out of maintenance.${rest}`,
    },
  ];
}

/** One for a node that something new keeps from going on, with the first of what it is. */
export function blockedEvent(
  node: ObservedNode,
  block: string,
  blockers: readonly Omit<Blocker, 'since'>[],
): readonly EventNote[] {
  const [first] = blockers;
  if (first === undefined) return [];
  const more = blockers.length > 1 ? ` And ${blockers.length - 1} more.` : '';
  return [
    {
      type: 'Warning',
      reason: 'MaintenanceBlocked',
      action: 'Maintenance',
      regarding: nodeReference(node),
      related: blockReference(block),
      note: `${first.message}${more}`,
    },
  ];
}

function nodeReference({ name, uid }: ObservedNode): ObjectReference & { readonly uid: string } {
  return { apiVersion: 'v1', kind: 'Node', name, uid };
}

/** Also of a resource that is gone: then its name is all that the node tells. */
function blockReference(name: string): ObjectReference {
  const apiVersion = 'quiesce.dev/v1alpha1';
  const shutdown = shutdownOf(name);
  if (shutdown !== undefined) return { apiVersion, kind: 'ClusterShutdown', name: shutdown };
  return { apiVersion, kind: 'MaintenanceBlock', name };
}
