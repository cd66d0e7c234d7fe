import { type Fault, shown } from './fault.ts';

const grammar =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?(?:[Zz]|[+-]([0-9]{2}):([0-9]{2}))$/;

/** RFC 3339: date, time and zone, each in its range. */
export function instantFault(text: string): Fault | undefined {
  const match = grammar.exec(text);
  if (match !== null && inRange(match.slice(1).map((part) => Number(part ?? 0)))) return undefined;
  return {
    code: 'instant-invalid',
    message: `${shown(text)} is no point in time as RFC 3339 writes it.`,
    remedy: 'Write for example "2026-01-31T08:00:00Z".',
  };
}

function inRange(parts: readonly number[]): boolean {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, zoneHour = 0, zoneMinute = 0] = parts;
  if (month < 1 || month > 12 || day < 1 || day > daysOf(year, month)) return false;
  return hour < 24 && minute < 60 && second <= 60 && zoneHour < 24 && zoneMinute < 60;
}

function daysOf(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
