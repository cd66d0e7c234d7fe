import type { Instant } from '../instant.ts';
import type { LifecycleRecord, Settings } from '../resolve/state.ts';
import type {
  ClockWitness,
  DeliveryReport,
  LifecycleClaim,
  MailCapability,
  ObservedCluster,
  ObservedResource,
} from './decision.ts';
import { second } from './instants.ts';

/** All that one claim's decision depends on. */
export interface Scene {
  readonly time: Time;
  readonly claim: LifecycleClaim;
  /** As it is in the tree. */
  readonly record: LifecycleRecord | undefined;
  readonly cluster: ObservedCluster;
  readonly resource: ObservedResource | undefined;
  readonly settings: Pick<Settings, 'expiry' | 'lifecycle'>;
  readonly mail: MailCapability;
  /** Of this run, about this claim. */
  readonly reports: readonly DeliveryReport[];
}

export interface Time {
  /** By our own clock, in whole seconds: records hold no less. */
  readonly now: Instant;
  /** By the slowest of all clocks: a deadline has passed when it has passed everywhere. */
  readonly earliest: Instant;
  readonly trust: 'confirmed' | 'unconfirmed' | 'disputed';
  /** The one that differs most, where they do not agree. */
  readonly differing?: ClockWitness;
}

/** Machines with NTP differ by milliseconds; what differs by this much has no NTP, or one of the two has jumped. */
export const clockTolerance = 10 * 60 * second;

export function timeOf(now: Instant, clocks: readonly ClockWitness[]): Time {
  const whole = Math.floor(now / second) * second;
  const [worst] = [...clocks].sort((a, b) => Math.abs(b.ahead) - Math.abs(a.ahead));
  if (worst === undefined) return { now: whole, earliest: whole, trust: 'unconfirmed' };
  const earliest = whole + Math.min(0, ...clocks.map(({ ahead }) => ahead));
  if (Math.abs(worst.ahead) <= clockTolerance) return { now: whole, earliest, trust: 'confirmed' };
  return { now: whole, earliest, trust: 'disputed', differing: worst };
}
