import { isDeepStrictEqual } from 'node:util';
import type { Document } from 'yaml';
import type { DataPath } from '../validate/finding.ts';
import type { PlainValue } from './plain-value.ts';
import { EditRefused } from './refused.ts';
import { parseSource } from './source.ts';

/** One replaced stretch of the text: everything outside it stays byte for byte. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What the document is meant to say afterwards, next to what it said before. */
export interface Intent {
  readonly document: number;
  readonly path: DataPath;
  readonly value: PlainValue;
  readonly how: 'set' | 'append';
}

/**
 * Makes the change and reads the result back: an edit that would say anything else than what was meant (an anchor
 * whose aliases change with it, a merge, a style we did not think of) is refused rather than written.
 */
export function applySplice(text: string, documents: readonly Document[], splice: Splice, intent: Intent): string {
  const edited = text.slice(0, splice.start) + splice.text + text.slice(splice.end);
  const result = parseSource(edited);
  const errors = result.flatMap((document) => document.errors);
  const expected = documents.map((document, index) =>
    index === intent.document ? intended(plain(document), intent.path, intent) : plain(document),
  );
  if (errors.length > 0 || !isDeepStrictEqual(result.map(plain), expected)) {
    throw new EditRefused(
      `\`${intent.path.join('.')}\` is shared or written in a way that only a person should change`,
    );
  }
  return edited;
}

function plain(document: Document): unknown {
  try {
    return unshared(document.toJS());
  } catch (error) {
    throw new EditRefused(`it cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Aliases arrive as the same object twice: copied, so that an edit of one is not seen in the other. */
function unshared(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unshared);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unshared(item)]));
}

function intended(before: unknown, path: DataPath, intent: Intent): unknown {
  const [key, ...rest] = path;
  if (key === undefined) {
    if (intent.how === 'set') return unshared(intent.value);
    return [...(Array.isArray(before) ? before : []), unshared(intent.value)];
  }
  if (Array.isArray(before)) return before.map((item, index) => (index === key ? intended(item, rest, intent) : item));
  const map: object = typeof before === 'object' && before !== null ? before : {};
  const old = Object.entries(map).find(([name]) => name === String(key))?.[1];
  return { ...map, [key]: intended(old, rest, intent) };
}
