import type { Instant } from '../instant.ts';
import type { LifecycleClaim, ScheduleTick } from './decision.ts';
import { type Draft, recorded, without } from './draft.ts';
import { atOr, hour, textOf } from './instants.ts';
import type { Scene } from './scene.ts';
import { isAsleepByExpiry } from './terms.ts';
import { ticksOf } from './ticks.ts';

/** What was missed longer ago than this is left: people have come and gone since. */
const heededFor = 2 * hour;

/**
 * Heeds the newest tick, once: what people change afterwards stays until the next one. In the grace after expiry's sleep
 * a schedule still puts to sleep what somebody woke, and wakes nothing.
 */
export function schedule(draft: Draft, { time: { now }, claim }: Scene): Draft {
  if (claim.schedules.length === 0) return draft;
  const heeded = atOr(draft.record.schedule?.tick, undefined);
  const tick = newestTick(claim, now);
  if (heeded !== undefined && heeded > now) return startOver(draft, tick);
  // What was due before it was first seen was not meant for it, unless that instant is wrong itself.
  const first = atOr(draft.record.firstSeen, now);
  const isNews = tick !== undefined && tick.at > (heeded ?? (first <= now ? first : Number.NEGATIVE_INFINITY));
  return isNews ? heed(draft, tick, isAsleepByExpiry(now, claim, draft.record)) : draft;
}

function heed(draft: Draft, tick: ScheduleTick, mustSleepOn: boolean): Draft {
  const remembered = rememberedAs(tick);
  const acts = tick.does === 'sleep' ? draft.state === 'Running' : draft.state === 'Sleeping' && !mustSleepOn;
  if (!acts) return recorded(draft, { schedule: remembered }, { kind: 'tickPassed', schedule: tick });
  const to = tick.does === 'sleep' ? 'Sleeping' : 'Running';
  return { ...recorded(draft, { schedule: remembered }, { kind: 'scheduled', to, schedule: tick }), state: to };
}

/** A tick was heeded that is still to come: the clock was ahead then. Without this, nothing would be due until it is. */
function startOver(draft: Draft, tick: ScheduleTick | undefined): Draft {
  const record = without(draft.record, 'schedule');
  return { ...draft, record: tick === undefined ? record : { ...record, schedule: rememberedAs(tick) } };
}

function rememberedAs({ at, does }: ScheduleTick) {
  return { tick: textOf(at), does: does === 'sleep' ? 'Sleep' : 'Wake' } as const;
}

/** Of those in the last two hours. When both are due at once, waking is what can be taken back more easily. */
function newestTick({ schedules }: LifecycleClaim, now: Instant): ScheduleTick | undefined {
  let newest: ScheduleTick | undefined;
  for (const { line, timeZone, index, does } of linesOf(schedules)) {
    const at = ticksOf(line, timeZone).last(now);
    if (at === undefined || now - at > heededFor) continue;
    if (newest === undefined || at > newest.at || (at === newest.at && does === 'wake')) {
      newest = { at, line, timeZone, index, does };
    }
  }
  return newest;
}

/** When one of its schedules is due next. */
export function nextTick({ schedules }: LifecycleClaim, now: Instant): Instant | undefined {
  const next = linesOf(schedules).flatMap(({ line, timeZone }) => ticksOf(line, timeZone).next(now) ?? []);
  return next.length === 0 ? undefined : Math.min(...next);
}

function linesOf(schedules: LifecycleClaim['schedules']): Omit<ScheduleTick, 'at'>[] {
  return schedules.flatMap(({ sleep, wake, timeZone }, index) => [
    ...(sleep === undefined ? [] : [{ line: sleep, timeZone, index, does: 'sleep' } as const]),
    ...(wake === undefined ? [] : [{ line: wake, timeZone, index, does: 'wake' } as const]),
  ]);
}
