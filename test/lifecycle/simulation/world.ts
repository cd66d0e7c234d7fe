import type { LifecycleClaim, LifecycleInput, Mail, ObservedResource } from '../../../src/lifecycle/decision.ts';
import type { LifecycleRecord } from '../../../src/resolve/state.ts';
import { claimOf, day, settings, start } from '../sample.ts';
import type { Chance } from './chance.ts';

/** `state/` of one commit. */
export interface Git {
  readonly claims: Map<string, LifecycleClaim>;
  readonly records: Map<string, LifecycleRecord>;
}

/** A mail that a server took, whatever the runner came to know of it. */
interface Taken {
  readonly kind: Mail['kind'];
  readonly deadline: number;
  readonly to: string;
  /** In true time. */
  readonly at: number;
}

/** All there is, in true time. Only the runner has to go by its own clock. */
export interface World {
  readonly chance: Chance;
  now: number;
  git: Git;
  settings: LifecycleInput['settings'];
  /** Resources on the clusters, by claim. */
  readonly resources: Map<string, ObservedResource>;
  /** What the last compile knew. */
  readonly compiled: Set<string>;
  readonly taken: Map<string, Taken[]>;
  /** Presses of the button to come. */
  presses: { readonly at: number; readonly landsAt: number; readonly mail: Mail }[];
  /** The newest link of each claim. */
  readonly links: Map<string, Mail>;
  readonly weather: Weather;
  /** Uninstalls under way: when each will be over. */
  readonly uninstalls: Map<string, number>;
  readonly counts: Record<string, number>;
}

/** What is out of order just now. */
interface Weather {
  isRunnerDown: boolean;
  isMailDown: boolean;
  isMailConfigured: boolean;
  /** The server makes everybody wait. */
  isGreylisting: boolean;
  /** Until when the server refuses them. */
  readonly deadAddresses: Map<string, number>;
  readonly unknownClusters: Set<string>;
  /** Of the runner, in milliseconds. */
  clockAhead: number;
  readonly unreadable: Set<string>;
}

export const clusters = ['main', 'annex'] as const;

const schedules: readonly LifecycleClaim['schedules'][] = [
  [{ sleep: '0 20 * * 1-5', wake: '0 7 * * 1-5', timeZone: 'Europe/Berlin' }],
  [{ sleep: '30 2 * * *', timeZone: 'America/New_York' }],
  [
    { wake: '30 2 * * 0', timeZone: 'Europe/Berlin' },
    { sleep: '0 0 * * 6', timeZone: 'Europe/Berlin' },
  ],
];

export function worldOf(chance: Chance, size: number): World {
  const claims = Array.from({ length: size }, (_, index) => newClaim(chance, `c${index}`, start));
  return {
    chance,
    now: start,
    git: { claims: new Map(claims.map((claim) => [claim.name, claim])), records: new Map() },
    settings,
    resources: new Map(claims.map(({ name }) => [name, {}])),
    compiled: new Set(claims.map(({ name }) => name)),
    taken: new Map(),
    presses: [],
    links: new Map(),
    weather: {
      isRunnerDown: false,
      isMailDown: false,
      isMailConfigured: true,
      isGreylisting: false,
      deadAddresses: new Map(),
      unknownClusters: new Set(),
      clockAhead: 0,
      unreadable: new Set(),
    },
    uninstalls: new Map(),
    counts: {},
  };
}

export function newClaim(chance: Chance, name: string, now: number): LifecycleClaim {
  const owner = (index: number) => ({ name: `Owner ${index}`, email: `${name}-${index}@example.edu` });
  const first = chance.between(0, 1_000_000_000);
  return claimOf({
    name,
    cluster: chance.of(clusters),
    owners: chance.happens(0.2) ? [owner(first), owner(first + 1)] : [owner(first)],
    state: chance.happens(0.8) ? 'Running' : 'Sleeping',
    schedules: chance.happens(0.03) ? chance.of(schedules as never) : [],
    protected: chance.happens(0.03),
    identity: first.toString(16).padStart(20, '0'),
    ...(chance.happens(0.1) && { renewedAt: new Date(now - chance.between(0, 400) * day).toISOString() }),
    ...(chance.happens(0.03) && { expiry: 'Never' as const }),
  });
}

export function count(world: World, what: string): void {
  world.counts[what] = (world.counts[what] ?? 0) + 1;
}

export function replaceClaim(world: World, claim: LifecycleClaim): void {
  world.git.claims.set(claim.name, claim);
}

export function copyOf({ claims, records }: Git): Git {
  return { claims: new Map(claims), records: new Map(records) };
}
