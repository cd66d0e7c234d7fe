import { anyOf } from '../words.ts';
import { type Fault, shown } from './fault.ts';

interface Field {
  readonly name: string;
  readonly first: number;
  readonly last: number;
  readonly names: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** robfig/cron's standard parser, which Kubernetes uses for CronJobs. Names stand for the numbers from `first` on. */
const fields: readonly Field[] = [
  { name: 'minute', first: 0, last: 59, names: [] },
  { name: 'hour', first: 0, last: 23, names: [] },
  { name: 'day of month', first: 1, last: 31, names: [] },
  { name: 'month', first: 1, last: 12, names: months },
  { name: 'day of week', first: 0, last: 6, names: days },
];
const macros = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];
const longestMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** A cron line that Kubernetes takes and that is due some day. Times are in the zone that is given beside it. */
export function cronFault(text: string): Fault | undefined {
  const why = reason(text);
  if (why === undefined) return undefined;
  return {
    code: 'cron-invalid',
    message: `${shown(text)} is no cron line that Kubernetes takes: ${why.message}.`,
    remedy: why.remedy,
  };
}

interface Reason {
  readonly message: string;
  readonly remedy: string;
}

const example = 'Write five fields, for example "0 22 * * 1-5" for ten in the evening on working days.';

function reason(text: string): Reason | undefined {
  if (macros.includes(text)) return undefined;
  if (text.startsWith('@every')) {
    return {
      message: '"@every" counts from whenever the controller started',
      remedy: 'Write the times, for example "0 */2 * * *".',
    };
  }
  if (text.startsWith('@')) return { message: `with "@" there is only ${anyOf(macros)}`, remedy: example };
  if (/^(?:CRON_)?TZ=/.test(text)) {
    return { message: 'a zone inside the line is refused', remedy: 'Put the zone into the field "timeZone".' };
  }
  const parts = text.trim().split(/\s+/);
  if (parts.length !== fields.length)
    return {
      message: `it has ${parts.length === 1 && parts[0] === '' ? 0 : parts.length} fields, not five`,
      remedy: example,
    };
  for (const [index, field] of fields.entries()) {
    const why = fieldReason(parts[index] ?? '', field);
    if (why !== undefined) return why;
  }
  return neverDue(parts);
}

function fieldReason(text: string, field: Field): Reason | undefined {
  for (const part of text.split(',')) {
    const why = partReason(part, field);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** `*`, `?`, `a`, `a-b`, each with an optional `/step`. */
function partReason(part: string, field: Field): Reason | undefined {
  const [range = '', step, ...more] = part.split('/');
  const [from = '', to, ...others] = range.split('-');
  if (more.length > 0 || others.length > 0) return unreadable(part, field);
  if (step !== undefined && (!/^[0-9]+$/.test(step) || Number(step) === 0))
    return unreadable(part, field, 'a step is a number above 0');
  if (from === '*' || from === '?') return to === undefined ? undefined : unreadable(part, field);
  const first = valueIn(from, field);
  const last = to === undefined ? first : valueIn(to, field);
  if (first === undefined || last === undefined)
    return unreadable(part, field, hint(first === undefined ? from : (to ?? ''), field));
  return first > last ? unreadable(part, field, 'the range ends before it begins') : undefined;
}

function valueIn(text: string, field: Field): number | undefined {
  const named = field.names.indexOf(text.toLowerCase());
  if (named >= 0) return named + field.first;
  if (!/^[0-9]+$/.test(text)) return undefined;
  const value = Number(text);
  return value >= field.first && value <= field.last ? value : undefined;
}

function hint(text: string, field: Field): string {
  if (field.name === 'day of week' && text === '7') return 'Sunday is 0';
  if (/^(?:[0-9]*[LW]|.*#.*)$/i.test(text) && !field.names.includes(text.toLowerCase()))
    return '"L", "W" and "#" are not supported';
  return `${field.first} to ${field.last}${field.names.length > 0 ? ` or ${field.names[0]} to ${field.names.at(-1)}` : ''}`;
}

function unreadable(part: string, field: Field, why?: string): Reason {
  return { message: `${shown(part)} is no ${field.name}${why === undefined ? '' : `: ${why}`}`, remedy: example };
}

/** A day that none of the months has, such as 31 February, and no day of the week beside it: valid, and never due. */
function neverDue(parts: readonly string[]): Reason | undefined {
  const [, , day = '*', month = '*', weekday = '*'] = parts;
  const dayField = fields[2];
  const monthField = fields[3];
  if (!/^[*?]/.test(weekday) || /[*?/]/.test(day) || dayField === undefined || monthField === undefined)
    return undefined;
  const earliest = Math.min(...day.split(',').map((part) => valueIn(part.split('-')[0] ?? '', dayField) ?? 1));
  const due = longestMonth.some((length, index) => earliest <= length && includesMonth(month, index + 1, monthField));
  if (due) return undefined;
  return { message: 'there is no such day, so it is never due', remedy: 'Correct the day or the month.' };
}

function includesMonth(text: string, month: number, field: Field): boolean {
  return text.split(',').some((part) => {
    const [range = '', step = '1'] = part.split('/');
    const [from = '', to] = range.split('-');
    const any = from === '*' || from === '?';
    const first = any ? field.first : (valueIn(from, field) ?? field.first);
    const last = any
      ? field.last
      : to !== undefined
        ? (valueIn(to, field) ?? first)
        : part.includes('/')
          ? field.last
          : first;
    return month >= first && month <= last && (month - first) % Number(step) === 0;
  });
}
