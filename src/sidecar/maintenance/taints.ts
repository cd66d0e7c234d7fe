import type { ObservedNode, Taint, TaintPair, Toleration } from './observation.ts';

/** What maintenance adds to a node that is taken without being declared: the same that the compiler writes for others. */
export const maintenanceTaints: readonly Taint[] = [
  { key: 'baremetal.cluster.gke.io/maintenance', effect: 'NoSchedule' },
  { key: 'baremetal.cluster.gke.io/maintenance', effect: 'NoExecute' },
];

export interface TaintChange {
  readonly add: readonly Taint[];
  readonly remove: readonly TaintPair[];
  /** The list afterwards. */
  readonly taints: readonly Taint[];
  /** What of it is ours afterwards. */
  readonly owned: readonly TaintPair[];
}

/**
 * From what is there to what is wanted, touching nothing but our own pairs. A pair that was there before us, with
 * whatever value, serves as well, but it is not ours and will not be taken away. One of ours that somebody removed is
 * put back as long as it is wanted.
 */
export function taintChange(
  node: Pick<ObservedNode, 'taints'>,
  owned: readonly TaintPair[],
  wanted: readonly Taint[],
): TaintChange {
  const add = wanted.filter((taint) => !hasPair(node.taints, taint));
  const unwanted = owned.filter((pair) => !hasPair(wanted, pair));
  const kept = owned.filter((pair) => hasPair(wanted, pair));
  return {
    add,
    remove: unwanted.filter((pair) => hasPair(node.taints, pair)),
    taints: [...node.taints.filter((taint) => !hasPair(unwanted, taint)), ...add],
    owned: [...kept, ...add.filter((taint) => !hasPair(kept, taint)).map(({ key, effect }) => ({ key, effect }))],
  };
}

export function hasPair(taints: readonly TaintPair[], { key, effect }: TaintPair): boolean {
  return taints.some((taint) => taint.key === key && taint.effect === effect);
}

/**
 * Whether the taint manager would let a pod stay for good. Like it we go by the *first* toleration that matches
 * (kubernetes `pkg/apis/core/v1/helper` GetMatchingTolerations): one with `tolerationSeconds` ends.
 */
export function toleratesForGood(tolerations: readonly Toleration[], taint: Taint): boolean {
  const first = tolerations.find((toleration) => matches(toleration, taint));
  return first !== undefined && first.tolerationSeconds === undefined;
}

export function tolerates(tolerations: readonly Toleration[], taint: Taint): boolean {
  return tolerations.some((toleration) => matches(toleration, taint));
}

/** Without effect: every effect. Without key, with `Exists`: every key. */
function matches({ key, operator, value, effect }: Toleration, taint: Taint): boolean {
  if (effect !== undefined && effect !== '' && effect !== taint.effect) return false;
  if (key !== undefined && key !== '' && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  const isEqual = operator === undefined || operator === '' || operator === 'Equal';
  return isEqual && (key ?? '') !== '' && (value ?? '') === (taint.value ?? '');
}
