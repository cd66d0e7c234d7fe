import type { ClaimState, LifecycleRecord } from '../resolve/state.ts';
import type { Hold, LifecycleEvent, Mail } from './decision.ts';

/** A decision in the making: each step takes the one before and gives the next. */
export interface Draft {
  /** What `spec.state` is to be. */
  readonly state: ClaimState;
  readonly record: LifecycleRecord;
  /** The claim's file goes. */
  readonly isOver: boolean;
  readonly mails: readonly Mail[];
  readonly holds: readonly Hold[];
  readonly events: readonly LifecycleEvent[];
}

export function held(draft: Draft, hold: Hold): Draft {
  return { ...draft, holds: [...draft.holds, hold] };
}

export function recorded(draft: Draft, change: Partial<LifecycleRecord>, event?: LifecycleEvent): Draft {
  const record = { ...draft.record, ...change };
  return { ...draft, record, events: event === undefined ? draft.events : [...draft.events, event] };
}

/** A record without some of its fields: `undefined` for a key would show when records are compared. */
export function without<K extends keyof LifecycleRecord>(
  record: LifecycleRecord,
  ...keys: readonly K[]
): LifecycleRecord {
  const left = Object.entries(record).filter(([key]) => !keys.some((gone) => gone === key));
  return { ...emptyRecord(record), ...Object.fromEntries(left) };
}

/** What every record has. */
export function emptyRecord({ origin, name }: Pick<LifecycleRecord, 'origin' | 'name'>): LifecycleRecord {
  return { origin, name, renewals: [], warnings: [], notices: [], rejections: [] };
}
