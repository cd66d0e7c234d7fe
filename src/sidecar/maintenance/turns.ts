import type { Instant } from '../../instant.ts';
import type { ClusterView } from './cluster-view.ts';
import { recordAsOf } from './deadline.ts';
import type { ObservedNode } from './observation.ts';
import type { Selection } from './selection.ts';

/**
 * Names of the nodes that may begin their drain now: as many of a block as its limit leaves room for. It limits how
 * many are being *drained* at once; a node that is in maintenance makes room for the next, since git asks for all of
 * them to get there.
 *
 * Whoever has begun goes on, also when the limit was lowered. Of those who wait, nodes that are Ready come first: one
 * that is not may need its whole deadline. Then by address, the order in which the block has them.
 */
export function whoMayStart(now: Instant, { held, selected }: Selection, { observation }: ClusterView): Set<string> {
  const starting = new Set<string>();
  for (const block of observation.blocks) {
    const records = (selected.get(block.name) ?? []).flatMap(({ node }) => {
      const mine = node === undefined ? undefined : held.get(node.name);
      return mine?.block.name === block.name ? [{ node: mine.node, record: recordAsOf(now, mine) }] : [];
    });
    const draining = records.filter(
      ({ record }) => record?.drainStarted !== undefined && record.entered === undefined,
    ).length;
    const waiting = records.filter(({ record }) => record?.drainStarted === undefined && record?.entered === undefined);
    const limit = block.spec.maxConcurrent ?? 0;
    const room = limit === 0 ? waiting.length : Math.max(0, limit - draining);
    const inTurn = [...waiting.filter(({ node }) => isReady(node)), ...waiting.filter(({ node }) => !isReady(node))];
    for (const { node } of inTurn.slice(0, room)) starting.add(node.name);
  }
  return starting;
}

function isReady({ ready }: Pick<ObservedNode, 'ready'>): boolean {
  return ready?.status === 'True';
}
