import type { z } from 'zod';
import type { LoadedDocument } from '../load/documents.ts';
import type { Finding } from './finding.ts';
import { zodFindings } from './zod-findings.ts';
import { flattenUnion } from './zod-union.ts';

export interface ParsedDocument<T> {
  /** Present when every value has its type, so that rules can look at it, whatever else is wrong. */
  readonly value?: T;
  readonly findings: readonly Finding[];
}

/**
 * Structure and values of one document, all findings at once. Schemas transform nothing: what comes out is what was
 * written, so a document whose only faults are bad values or unknown keys still has the schema's type.
 */
export function parseDocument<T>(
  schema: z.ZodType<T>,
  { value, origin }: LoadedDocument,
  unknownKeys: 'refused' | 'carried' = 'refused',
): ParsedDocument<T> {
  const result = schema.safeParse(value);
  if (result.success) return { value: result.data, findings: [] };
  const found = zodFindings(result.error, value, origin, schema);
  const findings = unknownKeys === 'carried' ? found.map(asCarried) : found;
  return result.error.issues.every(keepsTheType) ? { value: value as T, findings } : { findings };
}

/** A document of the older system is taken over unchanged: what only that one knew is no error. */
function asCarried(finding: Finding): Finding {
  return finding.code === 'unknown-key' ? { ...finding, code: 'unknown-key-carried' } : finding;
}

function keepsTheType(issue: z.core.$ZodIssue): boolean {
  if (issue.code !== 'invalid_union') return issue.code === 'custom' || issue.code === 'unrecognized_keys';
  const flat = flattenUnion(issue);
  return flat.kind === 'issues' && flat.issues.every(keepsTheType);
}
