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
  return parsePlain(text ?? '') ?? parseAny(text);
}

/**
 * `2026-01-31T00:17:00Z`, as `instantText` writes it, without a text or an object on the way: a run over ten thousand
 * claims reads some hundred thousand of them. Nothing for what needs a closer look.
 */
function parsePlain(text: string): Instant | undefined {
  if (text.length !== 20 || !isSeparated(text)) return undefined;
  const [year, month, day] = [digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10)];
  const [hour, minute, seconds] = [digits(text, 11, 13), digits(text, 14, 16), digits(text, 17, 19)];
  const isDate = year >= 100 && month >= 1 && month <= 12 && day >= 1 && day <= lastDay(year, month);
  const isTime = hour <= 23 && minute <= 59 && seconds <= 59;
  return isDate && isTime ? Date.UTC(year, month - 1, day, hour, minute, seconds) : undefined;
}

function lastDay(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

function isSeparated(text: string): boolean {
  return (
    text[4] === '-' && text[7] === '-' && text[10] === 'T' && text[13] === ':' && text[16] === ':' && text[19] === 'Z'
  );
}

/** NaN where there is something else. */
function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let index = from; index < to; index += 1) {
    const digit = text.charCodeAt(index) - 48;
    value = digit >= 0 && digit <= 9 ? value * 10 + digit : Number.NaN;
  }
  return value;
}

function parseAny(text: string | undefined): Instant | undefined {
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
