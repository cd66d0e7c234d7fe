import type { Rehearsal } from '../rehearsal/rehearsal.ts';
import type { ClaimState } from '../resolve/state.ts';
import type { Place } from '../validate/finding.ts';
import { type Change, compareText } from './change.ts';
import type { Facts } from './facts.ts';
import type { ObjectDiff } from './object-diff.ts';
import type { Need } from './policy.ts';

/** What a change of state will do: everything that reports are made of. Plain JSON. */
export interface Plan {
  /** For people: the two states that were compared. */
  readonly from: string;
  readonly to: string;
  readonly changes: readonly PlannedChange[];
  /** By cluster and unit; absent where it was not asked for. */
  readonly objects?: readonly UnitDiff[];
  readonly claims: readonly ClaimCount[];
  /** Published ones of claims that are there, soonest first. */
  readonly deadlines: readonly Deadline[];
  /** By cluster, of those that a snapshot was given of; absent where none was. */
  readonly rehearsals?: readonly Rehearsal[];
}

export interface PlannedChange extends Change {
  /** What the policy wants; empty where it wants nothing. */
  readonly needs: readonly Need[];
  /** Where it was asked for; absent for what is gone. */
  readonly place?: Place;
}

export interface UnitDiff {
  readonly unit: string;
  readonly cluster: string;
  readonly objects: readonly ObjectDiff[];
}

/** How many claims of a cluster are in each state, before and after. */
export interface ClaimCount {
  readonly cluster: string;
  readonly before: Readonly<Record<ClaimState, number>>;
  readonly after: Readonly<Record<ClaimState, number>>;
}

export interface Deadline {
  readonly claim: string;
  readonly cluster: string;
  readonly what: 'sleep' | 'delete';
  /** RFC 3339 in UTC. */
  readonly at: string;
}

export function isUnapproved({ needs }: PlannedChange): boolean {
  return needs.some(({ approved }) => !approved);
}

export function claimCounts(before: readonly Facts[], after: readonly Facts[]): readonly ClaimCount[] {
  const count = (facts: readonly Facts[]): ReadonlyMap<string, Record<ClaimState, number>> => {
    const counts = new Map<string, Record<ClaimState, number>>();
    for (const each of facts) {
      if (each.kind !== 'claim') continue;
      const of = counts.get(each.cluster) ?? { ...none };
      counts.set(each.cluster, of);
      of[each.state] += 1;
    }
    return counts;
  };
  const none = { Running: 0, Sleeping: 0, Deleted: 0 };
  const [was, is] = [count(before), count(after)];
  return [...new Set([...was.keys(), ...is.keys()])]
    .sort(compareText)
    .map((cluster) => ({ cluster, before: was.get(cluster) ?? none, after: is.get(cluster) ?? none }));
}

/** A claim that sleeps has its first deadline behind it; one that is being deleted has none any more. */
export function deadlinesIn(facts: readonly Facts[]): readonly Deadline[] {
  if (!facts.some(({ kind }) => kind === 'record')) return [];
  const claims = new Map(facts.flatMap((each) => (each.kind === 'claim' ? [[each.name, each] as const] : [])));
  return facts
    .flatMap((each): Deadline[] => {
      const claim = each.kind === 'record' ? claims.get(each.name) : undefined;
      if (each.kind !== 'record' || claim === undefined || claim.state === 'Deleted') return [];
      const { sleep, delete: end } = each.deadlines ?? {};
      const of = { claim: each.name, cluster: claim.cluster };
      return [
        ...(sleep === undefined || claim.state === 'Sleeping' ? [] : [{ ...of, what: 'sleep' as const, at: sleep }]),
        ...(end === undefined ? [] : [{ ...of, what: 'delete' as const, at: end }]),
      ];
    })
    .sort((a, b) => compareText(a.at, b.at) || compareText(a.claim, b.claim) || compareText(a.what, b.what));
}
