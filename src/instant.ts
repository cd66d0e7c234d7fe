/** Epoch milliseconds. */
export type Instant = number;

const second = 1000;

const grammar =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,9}))?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))$/;

/** RFC 3339 in UTC, whole seconds rounded down, as Kubernetes writes them. From year 0 to 9999; what is beyond is cut. */
export function instantText(instant: Instant): string {
  const clamped = Math.min(Math.max(instant, earliest), latest);
  return `${new Date(clamped).toISOString().slice(0, 19)}Z`;
}

const earliest = Date.parse('0000-01-01T00:00:00Z');
const latest = Date.parse('9999-12-31T23:59:59Z');

/** Nothing for what is no RFC 3339, also for a month or an hour out of range. */
export function parseInstant(text: string | undefined): Instant | undefined {
  const match = grammar.exec(text ?? '');
  if (match === null) return undefined;
  const [, date = '', hour, minute, seconds, fraction, sign, ...zone] = match;
  const midnight = Date.parse(`${date}T00:00:00Z`);
  // The 30th of February is the 2nd of March for it.
  if (Number.isNaN(midnight) || !instantText(midnight).startsWith(date)) return undefined;
  const time = timeOf(hour, minute, Number(seconds));
  const away = timeOf(zone[0] ?? '0', zone[1] ?? '0', 0);
  if (time === undefined || away === undefined) return undefined;
  return midnight + time - (sign === '-' ? -away : away) + Math.floor(Number(`0.${fraction ?? '0'}`) * second);
}

/** Of a day, which may end with a leap second. */
function timeOf(hour: string | undefined, minute: string | undefined, seconds: number): number | undefined {
  if (Number(hour) > 23 || Number(minute) > 59 || seconds > 60) return undefined;
  return ((Number(hour) * 60 + Number(minute)) * 60 + seconds) * second;
}
