import type { ProblemCode } from './codes.ts';

/** Keys and indices from the root of one YAML document to a value, e.g. `['spec', 'owner', 'email']`. */
export type DataPath = readonly (string | number)[];

/**
 * Where a finding belongs, without line numbers: those are looked up only for the few files that have findings,
 * so that ten thousand good files never pay for them (see `locate.ts`).
 * `file` is relative to the repository and uses `/`.
 */
export type Location =
  | { readonly kind: 'file'; readonly file: string }
  /** A value (or, with `on: 'key'`, its key) in document number `document` (from 0) of the file. */
  | {
      readonly kind: 'value';
      readonly file: string;
      readonly document: number;
      readonly path: DataPath;
      readonly on: 'key' | 'value';
    }
  /** Character offsets into the decoded text, for what has no value yet (syntax errors). */
  | { readonly kind: 'range'; readonly file: string; readonly start: number; readonly end: number }
  /** A place in the repository that is no file of `state/`: an option, an environment variable, a tool. */
  | { readonly kind: 'nowhere' };

/** What a rule says about the state: pure data. Severity and the page in `docs/problems.md` follow from `code`. */
export interface Finding {
  readonly code: ProblemCode;
  readonly at: Location;
  /** One sentence, what is wrong, with the offending value. */
  readonly message: string;
  /** One sentence, what to do about it. */
  readonly remedy: string;
  /** Other places that belong to it, e.g. the first of two duplicates. */
  readonly related?: readonly { readonly message: string; readonly at: Location }[];
}

/** A finding with its place looked up, ready to be shown. */
export interface Problem {
  readonly code: ProblemCode;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly remedy: string;
  readonly place?: Place;
  readonly related: readonly { readonly message: string; readonly place?: Place }[];
}

/** Lines and columns count from 1, columns in UTF-16 code units as editors do; `excerpt` is the whole source line. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly excerpt: string;
}

/** The document a rule looks at: enough to make locations in it. */
export interface Origin {
  readonly file: string;
  readonly document: number;
}

export function at(origin: Origin, path: DataPath, on: 'key' | 'value' = 'value'): Location {
  return { kind: 'value', file: origin.file, document: origin.document, path, on };
}
