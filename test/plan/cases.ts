import type { Change } from '../../src/plan/change.ts';
import type { Facts } from '../../src/plan/facts.ts';

/** What is said, in order, of a change from one state to the other; each danger as `kind: why`. */
export type Case = readonly [
  what: string,
  before: readonly Facts[],
  after: readonly Facts[],
  said: readonly (readonly [kind: Change['kind'], text: string, ...dangers: string[]])[],
];
