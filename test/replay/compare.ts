import { compareMaintenance } from './compare-maintenance.ts';
import { compareRemovals } from './compare-removals.ts';
import type { Item } from './item.ts';
import type { Replayed } from './lane.ts';

export function compare(replayed: Replayed): readonly Item[] {
  return replayed.cluster.change.kind === 'maintenance' ? compareMaintenance(replayed) : compareRemovals(replayed);
}
