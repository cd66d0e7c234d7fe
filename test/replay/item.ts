/** One thing that was said of a change, or that happened. */
export interface Item {
  readonly kind: ItemKind;
  /** In words that say which one it is. */
  readonly what: string;
  readonly said: string;
  readonly happened: string;
  readonly agrees: boolean;
  /** Only one thing was said to be possible. */
  readonly isCertain: boolean;
}

/** In the order in which they are told. */
export const itemKinds = [
  'evicted',
  'removed',
  'stays',
  'order',
  'blocked',
  'reached',
  'deleted',
  'kept',
  'slept',
  'ends',
] as const;

type ItemKind = (typeof itemKinds)[number];

/** `possible`: any of these would be as it was said. */
export function item(kind: ItemKind, what: string, possible: readonly string[], happened: string): Item {
  return {
    kind,
    what,
    said: possible.join(' or '),
    happened,
    agrees: possible.includes(happened),
    isCertain: possible.length === 1,
  };
}
