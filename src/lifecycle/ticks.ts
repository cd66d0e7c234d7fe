import { Cron } from 'croner';
import type { Instant } from '../instant.ts';
import { day, second } from './instants.ts';

/** When a cron line is due in a zone. */
export interface Ticks {
  /** The newest tick at or before an instant. */
  last(instant: Instant): Instant | undefined;
  /** The first tick after an instant. */
  next(instant: Instant): Instant | undefined;
}

/** Ten thousand claims have a handful of lines, and reading one takes as long as deciding for fifty claims. */
const known = new Map<string, Ticks>();

/**
 * Lines are what Kubernetes takes (`cronFault`). Over a change of the clock: a line with fixed times whose hour is
 * skipped is due right after the gap, and once in an hour that comes twice.
 */
export function ticksOf(line: string, timeZone: string): Ticks {
  const key = `${line}\n${timeZone}`;
  const ticks = known.get(key) ?? read(line, timeZone);
  known.set(key, ticks);
  return ticks;
}

function read(line: string, timezone: string): Ticks {
  const cron = new Cron(pattern(line), { timezone, mode: '5-part', fixedTimeRule: 'no-wildcard', paused: true });
  return rememberedTicks({
    // A tick at the reference itself does not count for croner, and ticks are whole minutes.
    last: (instant) => cron.previousRuns(1, new Date(instant + second))[0]?.getTime(),
    next: (instant) => cron.nextRun(new Date(instant))?.getTime(),
  });
}

/** Of one span; reached only by a line that is due every few minutes. */
const mostRemembered = 10_000;
const span = 40 * day;
/** More than ten years. */
const mostSpans = 100;

/**
 * Asked about instants that mostly grow, by thousands of claims: successive ticks are remembered, span by span, and the
 * next one is worked out when it is first asked for.
 */
function rememberedTicks({ last, next }: Ticks): Ticks {
  const spans = new Map<number, Instant[]>();
  /** A list of successive ticks from one at or before the instant; undefined where there is none. */
  const begun = (instant: Instant): Instant[] | undefined => {
    const key = Math.floor(instant / span);
    const known = spans.get(key);
    if (known !== undefined && (known[0] ?? 0) <= instant && known.length < mostRemembered) return known;
    const before = last(instant);
    if (before === undefined) return undefined;
    const fresh = [before];
    if (spans.size >= mostSpans) spans.clear();
    spans.set(key, fresh);
    return fresh;
  };
  /** That list as far as the first tick after the instant. */
  const reach = (instant: Instant): readonly Instant[] | undefined => {
    const ticks = begun(instant);
    for (let newest = ticks?.at(-1); newest !== undefined && newest <= instant; newest = ticks?.at(-1)) {
      const following = next(newest);
      if (following === undefined) break;
      ticks?.push(following);
    }
    return ticks;
  };
  return {
    last: (instant) => {
      const ticks = reach(instant);
      return ticks?.[indexAt(ticks, instant)];
    },
    next: (instant) => {
      const ticks = reach(instant);
      return ticks === undefined ? next(instant) : ticks[indexAt(ticks, instant) + 1];
    },
  };
}

/** Of the last one that is not greater. */
function indexAt(sorted: readonly Instant[], instant: Instant): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= instant) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** croner's dialect where it differs: `?` is there the time of now, and `5/15` is not allowed. */
function pattern(line: string): string {
  if (line.startsWith('@')) return line;
  return line
    .trim()
    .split(/\s+/)
    .map((field, index) =>
      field
        .split(',')
        .map((part) => inDialect(part, lastValues[index] ?? 0))
        .join(','),
    )
    .join(' ');
}

/** Last value of each field. */
const lastValues = [59, 23, 31, 12, 6];

function inDialect(part: string, last: number): string {
  const stepped = /^([0-9A-Za-z]+)\/([0-9]+)$/.exec(part);
  return stepped === null ? part.replace('?', '*') : `${stepped[1]}-${last}/${stepped[2]}`;
}
