import type { Finding } from '../validate/finding.ts';

/** Lower-case hex SHA-256 of a text's UTF-8 bytes. */
export type Hash = (text: string) => string;
/** YAML text of plain data, the same on every machine. */
type Stringify = (value: unknown) => string;

/** What resolving needs but a pure folder may not import. */
export interface ResolveTools {
  readonly hash: Hash;
  readonly stringify: Stringify;
}

/** `value` is absent when a finding leaves nothing sensible to go on with; errors may come with a value too. */
export interface Resolved<T> {
  readonly value?: T;
  readonly findings: readonly Finding[];
}
