import type { ProblemCode } from '../codes.ts';
import type { DataPath } from '../finding.ts';

/** What is wrong with one value, before anybody knows where it stands. */
export interface Fault {
  readonly code: ProblemCode;
  readonly message: string;
  readonly remedy: string;
  /** From the checked value down to the part at fault, e.g. one label among several. */
  readonly path?: DataPath;
  readonly on?: 'key' | 'value';
}

/** A value, or why there is none. */
export type Parsed<T> =
  | { readonly value: T; readonly fault?: undefined }
  | { readonly value?: undefined; readonly fault: Fault };

const longest = 80;

/** A value as it may stand in a message: quoted, cut, and without control characters that a terminal would obey. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : String(value);
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return JSON.stringify(cut).replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
