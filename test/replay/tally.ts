import { atLeast, type Figure, told } from '../../bench/figures.ts';
import { type Item, itemKinds } from './item.ts';
import type { Took } from './lane.ts';

export interface Tally {
  readonly clusters: number;
  readonly items: readonly (Item & { readonly cluster: number })[];
  /** Clusters that could not be built up or rehearsed, and why. */
  readonly failed: readonly { readonly cluster: number; readonly why: string }[];
  /** Of each that was replayed. */
  readonly took: readonly Took[];
}

const goal = 99;

export function figuresOf({ clusters, items, failed, took }: Tally): Figure[] {
  const kinds = itemKinds.filter((kind) => items.some((item) => item.kind === kind));
  return [
    told('replay: clusters', clusters, ''),
    told('replay: clusters that could not be replayed', failed.length, ''),
    told('replay: seconds to build a cluster up', mean(took.map(({ built }) => built)), 's'),
    told('replay: seconds to rehearse', mean(took.map(({ said }) => said)), 's'),
    told('replay: seconds until the change has come to rest', mean(took.map(({ happened }) => happened)), 's'),
    ...kinds.map((kind) =>
      told(`replay: ${kind}, of ${count(items, kind)}`, agreement(items.filter((item) => item.kind === kind)), '%'),
    ),
    told(
      'replay: of which only one thing was said to be possible',
      share(items, ({ isCertain }) => isCertain),
      '%',
    ),
    told('replay: agreement where only one thing was', agreement(items.filter(({ isCertain }) => isCertain)), '%'),
    exact(atLeast(`replay: agreement in all, of ${items.length}`, agreement(items), '%', goal), agreement(items)),
  ];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** Three digits would make 99.96 a round hundred. */
function exact(figure: Figure, value: number): Figure {
  return { ...figure, value: Math.floor(value * 100) / 100 };
}

function count(items: readonly Item[], kind: Item['kind']): number {
  return items.filter((item) => item.kind === kind).length;
}

function agreement(items: readonly Item[]): number {
  return share(items, ({ agrees }) => agrees);
}

/** Of nothing it is nothing: a replay that compared nothing has shown nothing. */
function share(items: readonly Item[], holds: (item: Item) => boolean): number {
  return items.length === 0 ? 0 : (100 * items.filter(holds).length) / items.length;
}

/** By kind, each with its cluster: `--only N` replays that one alone. */
export function differences({ items, failed }: Tally): readonly string[] {
  const wrong = itemKinds.flatMap((kind) => items.filter((item) => item.kind === kind && !item.agrees));
  return [
    ...wrong.map(
      ({ kind, cluster, what, said, happened }) =>
        `${kind}: cluster ${cluster}: ${what}: said ${said}, was ${happened}`,
    ),
    ...failed.map(({ cluster, why }) => `cluster ${cluster} was not replayed: ${why}`),
  ];
}
