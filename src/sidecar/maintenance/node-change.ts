import type { EventNote, NodeChange } from './action.ts';
import type { ObservedNode, Taint } from './observation.ts';
import { annotationsOf, type MaintenanceRecord, markValue, nodeAnnotations } from './record.ts';
import type { RecordedNode } from './selection.ts';
import { taintChange } from './taints.ts';

/** How a node is to be. */
export interface WantedNode {
  readonly taints: readonly Taint[];
  readonly cordon: boolean;
  /** The annotation of the source that says: in maintenance. */
  readonly mark: boolean;
  /** What is remembered on it, beside what is ours; absent: nothing, and nothing is ours any more. */
  readonly record?: Omit<MaintenanceRecord, 'taints' | 'cordon' | 'mark'>;
}

interface Occasion {
  readonly why: NodeChange['why'];
  readonly block?: string;
  readonly events: readonly EventNote[];
}

/**
 * The one patch that makes a node as it is wanted, or nothing. What is ours and what is said to be ours change in the
 * same write, so there is no moment in which one is true and the other not.
 */
export function changeNode(
  { node, record: before }: RecordedNode,
  wanted: WantedNode,
  occasion: Occasion,
): NodeChange | undefined {
  const { add, remove, taints, owned } = taintChange(node, before?.taints ?? [], wanted.taints);
  const cordon = ownedFlag(wanted.cordon, node.unschedulable, before?.cordon ?? false);
  const isMarked = node.annotations[nodeAnnotations.mark] !== undefined;
  const mark = ownedFlag(wanted.mark, isMarked, before?.mark ?? false);
  const record = wanted.record && { ...wanted.record, taints: owned, cordon: cordon.isOurs, mark: mark.isOurs };
  const annotations = changedOnly(node, {
    ...annotationsOf(record),
    ...(mark.becomes !== undefined && { [nodeAnnotations.mark]: mark.becomes ? markValue : null }),
  });
  const changesTaints = add.length > 0 || remove.length > 0;
  if (!changesTaints && cordon.becomes === undefined && Object.keys(annotations).length === 0) return undefined;
  return {
    kind: 'node',
    node: node.name,
    uid: node.uid,
    resourceVersion: node.resourceVersion,
    why: occasion.why,
    ...(occasion.block !== undefined && { block: occasion.block }),
    addTaints: add,
    removeTaints: remove,
    ...(changesTaints && { taints }),
    ...(cordon.becomes !== undefined && { unschedulable: cordon.becomes }),
    annotations,
    events: occasion.events,
  };
}

interface OwnedFlag {
  /** Absent: it stays as it is. */
  readonly becomes?: boolean;
  readonly isOurs: boolean;
}

/** What was so before us is not ours, and is left when we go; what is ours and was undone is done again. */
function ownedFlag(isWanted: boolean, isSet: boolean, isOurs: boolean): OwnedFlag {
  if (isWanted) return isSet ? { isOurs } : { becomes: true, isOurs: true };
  return isOurs && isSet ? { becomes: false, isOurs: false } : { isOurs: false };
}

function changedOnly(
  { annotations }: ObservedNode,
  wanted: Readonly<Record<string, string | null>>,
): Record<string, string | null> {
  return Object.fromEntries(Object.entries(wanted).filter(([key, value]) => (annotations[key] ?? null) !== value));
}
