import { at, type DataPath, type Finding, type Origin } from './finding.ts';
import type { Fault } from './grammar/fault.ts';

/** What is checked once every value of a document has its type: how its parts fit together. */
export type Rule<Written> = (written: Written, origin: Origin) => readonly Finding[];

export function faultAt(fault: Fault, origin: Origin, path: DataPath): Finding {
  const { code, message, remedy, on } = fault;
  return { code, at: at(origin, [...path, ...(fault.path ?? [])], on), message, remedy };
}

export function applyRules<Written>(rules: readonly Rule<Written>[], written: Written, origin: Origin): Finding[] {
  return rules.flatMap((rule) => rule(written, origin));
}
