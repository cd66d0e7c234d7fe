import { type $ZodIssue, type $ZodType, config } from 'zod/v4/core';
import { at, type DataPath, type Finding, type Origin } from './finding.ts';
import { type Fault, shown } from './grammar/fault.ts';
import { closest } from './suggest.ts';
import { pathText, valueInWords } from './words.ts';
import { allowedKeys, isWholeNumber, valueAt } from './zod-schema.ts';
import { flattenUnion } from './zod-union.ts';
import {
  type Expectation,
  expectationInWords,
  limitInWords,
  limitRemedy,
  typeRemedy,
  valueRemedy,
  valuesInWords,
} from './zod-words.ts';

/**
 * What zod found wrong with `value`, in the words of people who write YAML. With the schema at hand, suggestions for
 * misspelt keys are possible. Faults that a grammar put into an issue's `params` keep their own code and words.
 */
export function zodFindings(
  error: { readonly issues: readonly $ZodIssue[] },
  value: unknown,
  origin: Origin,
  schema?: $ZodType,
): Finding[] {
  const subject: Subject = { value, origin, ...(schema && { schema }) };
  const found = error.issues.flatMap((issue) => issueFindings(subject, issue, []));
  return found
    .filter((one) => !found.some((other) => other.meant !== undefined && other.meant === one.missing))
    .map(asFinding);
}

interface Subject {
  readonly value: unknown;
  readonly origin: Origin;
  readonly schema?: $ZodType;
}

/** `meant` is the path that an unknown key was probably meant to be: the complaint that it is missing says nothing new. */
interface Found extends Finding {
  readonly meant?: string;
  readonly missing?: string;
}

function asFinding({ meant: _, missing: __, ...finding }: Found): Finding {
  return finding;
}

function issueFindings(subject: Subject, issue: $ZodIssue, prefix: DataPath): Found[] {
  const path = [...prefix, ...(issue.path as DataPath)];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey(subject, path, key));
    case 'invalid_key':
      return issue.issues.map((inner) => invalidKey(subject, inner, path));
    case 'invalid_element':
      return issue.issues.flatMap((inner) => issueFindings(subject, inner, path));
    case 'custom':
      return [customFinding(subject, issue, path)];
    default:
      return valueFindings(subject, issue, path);
  }
}

function valueFindings(
  subject: Subject,
  issue: Exclude<$ZodIssue, { code: 'unrecognized_keys' | 'invalid_key' | 'invalid_element' | 'custom' }>,
  path: DataPath,
): Found[] {
  const input = valueAt(subject.value, path);
  if (input === undefined && path.length > 0) return [missingKey(subject, path)];
  const own = ownWords(issue, input);
  if (own !== undefined) return [worded(subject, path, own)];
  switch (issue.code) {
    case 'invalid_type':
      return [mustBe(subject, path, { values: [], expected: expectedType(subject, issue.expected, path) })];
    case 'invalid_value':
      return [mustBe(subject, path, { values: issue.values, expected: '' })];
    case 'invalid_union': {
      const flat = flattenUnion(issue);
      if (flat.kind === 'issues') return flat.issues.flatMap((inner) => issueFindings(subject, inner, path));
      return [mustBe(subject, path, flat)];
    }
    default:
      return [{ ...worded(subject, path, limitInWords(issue, input)), remedy: limitRemedy(issue) }];
  }
}

function expectedType({ schema, value }: Subject, expected: string, path: DataPath): string {
  return expected === 'number' && schema !== undefined && isWholeNumber(schema, path, value) ? 'int' : expected;
}

/** A text where another text is expected is a wrong value; anything else in its place is of the wrong type. */
function mustBe({ value, origin }: Subject, path: DataPath, { values, expected }: Expectation): Found {
  const input = valueAt(value, path);
  const words = expectationInWords({ values, expected });
  const isText = typeof input === 'string' && values.some((each) => typeof each === 'string');
  return {
    code: isText ? 'invalid-value' : 'wrong-type',
    at: at(origin, path),
    message:
      input === null
        ? `${named(path)} is empty; it must be ${words}.`
        : `${named(path)} must be ${words}, not ${valueInWords(input)}.`,
    remedy: values.length > 0 ? valueRemedy(values, input) : typeRemedy(expected, input),
  };
}

function worded({ origin }: Subject, path: DataPath, words: string): Found {
  const message = /^[a-z]/.test(words) ? `${named(path)} ${words}` : words;
  const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
  return { code: 'invalid-value', at: at(origin, path), message: sentence, remedy: 'Write a value that fits.' };
}

/** The words that a schema brings along (`z.int({ error: 'must be a port' })`), told by their not being zod's. */
function ownWords(issue: $ZodIssue, input: unknown): string | undefined {
  const usual = config().localeError?.({ ...issue, input } as never);
  const text = typeof usual === 'string' ? usual : usual?.message;
  return issue.message === text || issue.message === '' ? undefined : issue.message;
}

function named(path: DataPath): string {
  return path.length === 0 ? 'The document' : `\`${pathText(path)}\``;
}

function missingKey({ origin }: Subject, path: DataPath): Found {
  const parent = path.slice(0, -1);
  const key = String(path.at(-1));
  return {
    code: 'missing-key',
    at: at(origin, path, 'key'),
    message: `${named(path)} is missing.`,
    remedy:
      parent.length === 0 ? `Add \`${key}:\` at the top level.` : `Add \`${key}:\` below \`${pathText(parent)}\`.`,
    missing: pathText(path),
  };
}

function unknownKey({ value, origin, schema }: Subject, path: DataPath, key: string): Found {
  const given = Object.keys(Object(valueAt(value, path)));
  const here = schema === undefined ? [] : allowedKeys(schema, path, value).filter((each) => !given.includes(each));
  const meant = closest(key, here);
  const elsewhere = schema === undefined || meant !== undefined ? undefined : home(schema, value, path, key);
  return {
    code: 'unknown-key',
    at: at(origin, [...path, key], 'key'),
    message: `${keyText(key)} is not known ${path.length === 0 ? 'at the top level' : `in \`${pathText(path)}\``}.`,
    remedy: keyRemedy(key, meant, elsewhere, here),
    ...(meant !== undefined && { meant: pathText([...path, meant]) }),
  };
}

function keyText(key: string): string {
  return /^[\w./-]{1,80}$/.test(key) ? `\`${key}\`` : shown(key);
}

function keyRemedy(key: string, meant: string | undefined, home: string | undefined, here: readonly string[]): string {
  if (meant !== undefined) return `Did you mean \`${meant}\`?`;
  if (home !== undefined) return `${keyText(key)} belongs ${home}: check its indentation.`;
  return here.length === 0 ? 'Remove it.' : `Remove it, or use ${valuesInWords(here)}.`;
}

/** Where else the key is known, near by: further out, or one level further in. */
function home(schema: $ZodType, value: unknown, path: DataPath, key: string): string | undefined {
  const isAt = (place: DataPath): boolean => allowedKeys(schema, place, value).includes(key);
  const inside = allowedKeys(schema, path, value).find((child) => isAt([...path, child]));
  if (inside !== undefined) return `into \`${pathText([...path, inside])}\``;
  for (let length = path.length - 1; length >= 0; length--) {
    const outer = path.slice(0, length);
    if (isAt(outer)) return length === 0 ? 'to the top level' : `into \`${pathText(outer)}\``;
  }
  return undefined;
}

function invalidKey(subject: Subject, inner: $ZodIssue, path: DataPath): Found {
  const fault = faultOf(inner);
  const where = at(subject.origin, path, 'key');
  if (fault !== undefined) return { code: fault.code, at: where, message: fault.message, remedy: fault.remedy };
  const message = `\`${pathText(path)}\` is not allowed as a key.`;
  return { code: 'invalid-value', at: where, message, remedy: 'Rename or remove the key.' };
}

function customFinding(subject: Subject, issue: Extract<$ZodIssue, { code: 'custom' }>, path: DataPath): Found {
  const fault = faultOf(issue);
  if (fault === undefined) return worded(subject, path, issue.message);
  return { code: fault.code, at: at(subject.origin, path, fault.on), message: fault.message, remedy: fault.remedy };
}

function faultOf(issue: $ZodIssue): Fault | undefined {
  return issue.code === 'custom' ? (issue.params?.fault as Fault | undefined) : undefined;
}
