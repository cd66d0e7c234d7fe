import type { WantedNode } from './node-change.ts';
import type { BlockSpec, Taint } from './observation.ts';
import type { Held } from './selection.ts';
import { hasPair } from './taints.ts';

type Remembered = NonNullable<WantedNode['record']>;
type Instants = Pick<Remembered, 'drainStarted' | 'entered' | 'enteredBy'>;

/** Nobody is to come any more; who is there leaves by eviction, unless budgets are to be ignored. */
export function wantedInDrain(held: Held, instants: Instants): WantedNode {
  const { taints } = held.selected;
  const ignoring = ignoresBudgets(held.block.spec);
  return wanted(held, ignoring ? taints : taints.filter(({ effect }) => effect !== 'NoExecute'), false, instants);
}

/** Both taints: what is still there and does not tolerate maintenance goes now, with its own grace period. */
export function wantedInMaintenance(held: Held, instants: Instants): WantedNode {
  return wanted(held, held.selected.taints, true, instants);
}

/** Profile 1.28 knows no eviction. */
export function ignoresBudgets({ ignorePdb, profile }: BlockSpec): boolean {
  return ignorePdb || profile === '1.28';
}

function wanted(held: Held, taints: readonly Taint[], mark: boolean, instants: Instants): WantedNode {
  const { node, block } = held;
  return {
    taints: block.spec.taintedBy === 'applier' ? leftAsTheyAre(held) : taints,
    cordon: block.spec.cordon ?? false,
    mark,
    record: { ...instants, block: block.name, uid: node.uid },
  };
}

/** Where the applier writes the whole list, nothing is added, and what was ours before it did stays ours to take back. */
function leftAsTheyAre({ node, record }: Held): readonly Taint[] {
  return node.taints.filter((taint) => hasPair(record?.taints ?? [], taint));
}
