/** What an edit can write: JSON, without `undefined`. */
export type PlainScalar = string | number | boolean | null;
export type PlainValue = PlainScalar | readonly PlainValue[] | { readonly [key: string]: PlainValue };

export function isPlainScalar(value: PlainValue): value is PlainScalar {
  return value === null || typeof value !== 'object';
}

function isPlainList(value: PlainValue): value is readonly PlainValue[] {
  return Array.isArray(value);
}

export type ScalarStyle = 'plain' | 'single' | 'double';

/**
 * A scalar as YAML text on one line, in the style asked for as far as it can carry the value. Strings that any reader
 * (YAML 1.1, 1.2, Go's) could take for something else are quoted whatever the style.
 */
export function scalarText(value: PlainScalar, style: ScalarStyle = 'plain'): string {
  if (typeof value !== 'string') return Object.is(value, -0) ? '-0' : String(value);
  if (style === 'single' && !unprintable.test(value)) return `'${value.replaceAll("'", "''")}'`;
  if (style === 'plain' && safelyPlain.test(value) && !notAString.test(value)) return value;
  return JSON.stringify(value).replace(unescapedByJson, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A letter first, then nothing that is punctuation to YAML in block or flow context. */
const safelyPlain = /^[A-Za-z][A-Za-z0-9_./@+-]*(?: [A-Za-z0-9_./@+-]+)*$/;
const notAString = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
const unescapedByJson = /[\u007f-\u009f\u2028\u2029\ufeff]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that single quotes cannot carry
const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ud800-\udfff]/;

/** A value in flow style: `{ a: 1, b: [x] }`. */
export function flowText(value: PlainValue): string {
  if (isPlainScalar(value)) return scalarText(value);
  if (isPlainList(value)) return `[${value.map(flowText).join(', ')}]`;
  const entries = Object.entries(value).map(([key, item]) => `${scalarText(key)}: ${flowText(item)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** `key: value` in block style, as lines without indentation of their own; `step` is the file's indentation. */
export function entryLines(key: string, value: PlainValue, step: number): string[] {
  const head = `${scalarText(key)}:`;
  if (isInline(value)) return [`${head} ${flowText(value)}`];
  return [head, ...blockLines(value, step).map((line) => ' '.repeat(step) + line)];
}

/** `- value` in block style, as lines without indentation of their own. */
export function itemLines(value: PlainValue, step: number): string[] {
  if (isInline(value)) return [`- ${flowText(value)}`];
  return blockLines(value, step).map((line, index) => (index === 0 ? '- ' : '  ') + line);
}

function blockLines(value: PlainValue, step: number): string[] {
  if (isPlainScalar(value)) return [scalarText(value)];
  if (isPlainList(value)) return value.flatMap((item) => itemLines(item, step));
  return Object.entries(value).flatMap(([key, item]) => entryLines(key, item, step));
}

/** Scalars, and the empty collections that have no block style. */
function isInline(value: PlainValue): boolean {
  return isPlainScalar(value) || Object.keys(value).length === 0;
}
