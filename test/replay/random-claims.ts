import type { Chance } from '../lifecycle/simulation/chance.ts';
import { held } from './random-workloads.ts';

export interface RandomClaim {
  readonly name: string;
  readonly replicas: number;
  readonly keepData: boolean;
  /** What git says after the change. */
  readonly becomes: 'Sleeping' | 'Deleted' | 'Running';
  readonly synced: readonly SyncedPod[];
  /** It was used: what it has synced besides pods. */
  readonly isUsed: boolean;
  /** Somebody else has something in its namespace. */
  readonly hasGuest: boolean;
}

interface SyncedPod {
  readonly name: string;
  readonly graceSeconds: number;
  readonly finalizers?: readonly string[];
}

export function randomClaims(chance: Chance, prefix: string): readonly RandomClaim[] {
  const names = [`${prefix}-ada`, `${prefix}-bob`].slice(0, chance.between(1, 2));
  return names.map((name, index) => ({
    name,
    replicas: chance.of([1, 3]),
    keepData: chance.happens(0.3),
    becomes:
      index === 0 ? chance.of(['Sleeping', 'Deleted', 'Deleted']) : chance.of(['Running', 'Sleeping', 'Deleted']),
    synced: Array.from({ length: chance.between(0, 3) }, (_, pod) => ({
      name: `web-${pod}`,
      graceSeconds: chance.of([0, 1, 30]),
      ...(chance.happens(0.06) && { finalizers: [held] }),
    })),
    isUsed: chance.happens(0.6),
    hasGuest: chance.happens(0.2),
  }));
}
