import type { Finding, Origin } from '../validate/finding.ts';
import type { Facts } from './facts.ts';

/**
 * `out/inventory.jsonl`: one line per unit, sorted by id. It says which files of `out/` are ours (only those are ever
 * removed), which inputs each was made from (so that the next compile renders only what changed, also on a fresh
 * clone) and what is in it (so that checks across units need not read unchanged sources).
 */
export interface InventoryLine {
  readonly id: string;
  /** Relative to `out/`. Absent for sources that render nothing. */
  readonly path?: string;
  /** The state file that asks for it. */
  readonly source: string;
  /** Number of the YAML document in it, where that is not the first (0). */
  readonly document?: number;
  /** Hash of everything the rendering depends on. */
  readonly key: string;
  /** Git blob id of the file's bytes. */
  readonly content?: string;
  /** Objects in the file: `<group>/<Kind>/<namespace>/<name>`, sorted; group and namespace may be empty. */
  readonly objects?: readonly string[];
  readonly facts: Facts;
  /** Warnings of the source, kept so that an incremental compile shows the same ones. On the source's first line only. */
  readonly warnings?: readonly Finding[];
}

/** A line as it was read: it stands for its unit wherever nothing of that is looked at but facts and place. */
export interface KnownLine extends InventoryLine {
  readonly origin: Origin;
}

/** `StatefulSet ada in vcluster-ada`: an object's id for people. */
export function objectInWords(id: string): string {
  const [, kind = '', namespace = '', ...name] = id.split('/');
  return `${kind} ${name.join('/')}${namespace === '' ? '' : ` in ${namespace}`}`;
}
