import type { $ZodIssue } from 'zod/v4/core';
import { closest } from './suggest.ts';
import { anyOf, valueInWords } from './words.ts';

type IssueOf<Code extends $ZodIssue['code']> = Extract<$ZodIssue, { code: Code }>;

/** What a value could be: some fixed values, types by zod's names with blanks between, or both. */
export interface Expectation {
  readonly values: readonly unknown[];
  readonly expected: string;
}

/** In words that fit "must be …". */
export function expectationInWords({ values, expected }: Expectation): string {
  const types = expected.split(' ').filter((type) => type !== '');
  const words = [...(values.length > 0 ? [valuesInWords(values)] : []), ...new Set(types.map(typeInWords))];
  return words.length === 0 ? 'something else' : anyOf(words);
}

function typeInWords(expected: string): string {
  return typeWords.get(expected) ?? `of type ${expected}`;
}

const typeWords = new Map([
  ['string', 'text'],
  ['number', 'a number'],
  ['int', 'a whole number'],
  ['boolean', '`true` or `false`'],
  ['object', 'a mapping'],
  ['record', 'a mapping'],
  ['array', 'a list'],
  ['tuple', 'a list'],
  ['null', 'empty'],
  ['never', 'left out'],
]);

/** At most a dozen of the allowed values. */
export function valuesInWords(values: readonly unknown[]): string {
  const words = values.map((value) => `\`${String(value)}\``);
  return words.length > 12 ? anyOf([...words.slice(0, 11), `one of ${words.length - 11} others`]) : anyOf(words);
}

/** How to turn what is there into what is wanted. */
export function typeRemedy(expected: string, input: unknown): string {
  if (input === null || input === undefined) return 'Write a value, or remove the key.';
  // `0.30` has come to be 0.3 here.
  if (expected === 'string' && typeof input === 'number' && !Number.isInteger(input)) return 'Put quotes around it.';
  if (expected === 'string' && typeof input !== 'object') return `Put it in quotes: \`"${String(input)}"\`.`;
  if (typeof input === 'string') return fromText(expected, input);
  if (expected === 'array') return 'Make it a list: begin each entry with `- `.';
  if (Array.isArray(input)) return 'It takes one thing only: remove the dash or the brackets.';
  return `Write ${expectationInWords({ values: [], expected })}.`;
}

function fromText(expected: string, text: string): string {
  const isNumber = text.trim() !== '' && Number.isFinite(Number(text));
  if ((expected === 'number' || expected === 'int') && isNumber) return 'Remove the quotes.';
  if (expected === 'boolean' && /^(?:true|yes|on|y)$/i.test(text)) return 'Write `true`, without quotes.';
  if (expected === 'boolean' && /^(?:false|no|off|n)$/i.test(text)) return 'Write `false`, without quotes.';
  if (expected === 'array') return 'Make it a list: begin the entry with `- `.';
  if (expected === 'object' || expected === 'record') return 'Write its keys on lines of their own, indented further.';
  return `Write ${expectationInWords({ values: [], expected })}.`;
}

/** `Did you mean …?`, or the list of what is allowed. */
export function valueRemedy(values: readonly unknown[], input: unknown): string {
  if (input === null) return 'Write a value, or remove the key.';
  const texts = values.map(String);
  const meant = typeof input === 'string' ? closest(input, texts) : undefined;
  if (meant !== undefined) return `Did you mean \`${meant}\`?`;
  return values.length === 1 ? `Write \`${texts[0]}\`.` : `Write ${valuesInWords(values)}.`;
}

type LimitIssue = IssueOf<'too_small' | 'too_big' | 'not_multiple_of' | 'invalid_format'>;

/** Limits and patterns, in words that fit behind the path: "must be at least 1, not 0". */
export function limitInWords(issue: LimitIssue, input: unknown): string {
  if (issue.code === 'not_multiple_of') return `must be a multiple of ${issue.divisor}, not ${valueInWords(input)}`;
  if (issue.code === 'invalid_format') return `must be ${formatInWords(issue)}, not ${valueInWords(input)}`;
  const isLow = issue.code === 'too_small';
  const limit = isLow ? issue.minimum : issue.maximum;
  const unit = units.get(issue.origin);
  if (unit === undefined) {
    const bound = issue.inclusive === false ? (isLow ? 'more than' : 'less than') : isLow ? 'at least' : 'at most';
    return `must be ${bound} ${limit}, not ${String(input)}`;
  }
  if (isLow && limit === 1) return 'must not be empty';
  const bound = issue.exact === true ? 'exactly' : isLow ? 'at least' : 'at most';
  return `must have ${bound} ${limit} ${limit === 1 ? unit.one : unit.many}`;
}

export function limitRemedy(issue: LimitIssue): string {
  if (issue.code === 'invalid_format' || issue.code === 'not_multiple_of') return 'Write a value that fits.';
  const isLow = issue.code === 'too_small';
  if (!units.has(issue.origin)) return isLow ? 'Use a larger number.' : 'Use a smaller number.';
  if (issue.origin === 'string') return isLow ? 'Write a longer text.' : 'Shorten it.';
  return isLow ? 'Add what is missing.' : 'Remove some.';
}

const units = new Map([
  ['string', { one: 'character', many: 'characters' }],
  ['array', { one: 'entry', many: 'entries' }],
  ['set', { one: 'entry', many: 'entries' }],
  ['map', { one: 'key', many: 'keys' }],
]);

function formatInWords(issue: IssueOf<'invalid_format'>): string {
  if ('prefix' in issue) return `text that starts with \`${issue.prefix}\``;
  if ('suffix' in issue) return `text that ends with \`${issue.suffix}\``;
  if ('includes' in issue) return `text that contains \`${issue.includes}\``;
  if (issue.format === 'regex') return `text that matches \`${issue.pattern ?? ''}\``;
  return formats.get(issue.format) ?? `in the format ${issue.format}`;
}

const formats = new Map([
  ['email', 'a mail address'],
  ['url', 'a URL'],
  ['ipv4', 'an IPv4 address'],
  ['ipv6', 'an IPv6 address'],
  ['cidrv4', 'an IPv4 network'],
  ['cidrv6', 'an IPv6 network'],
  ['datetime', 'a date and time such as `2026-01-31T12:00:00Z`'],
  ['date', 'a date such as `2026-01-31`'],
]);
