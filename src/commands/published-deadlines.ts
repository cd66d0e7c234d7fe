import { readDocuments } from '../load/documents.ts';
import { bytesAt } from './on-disk.ts';

/** What the runner has published of a claim, as its record in the work tree has it. */
export interface PublishedDeadlines {
  readonly sleep?: string;
  readonly delete?: string;
  /** Expiry has put it to sleep: only a renewal moves its deletion. */
  readonly isInGrace: boolean;
}

/** Undefined where there is none, or none that can be read: the dates are a courtesy. */
export function publishedDeadlines(root: string, claim: string): PublishedDeadlines | undefined {
  const file = `state/records/${claim}.yaml`;
  const bytes = bytesAt(root, file);
  if (bytes === undefined) return undefined;
  const { documents } = readDocuments(file, bytes, 'record');
  const spec = fieldsOf(fieldsOf(documents[0]?.value).spec);
  const { sleep, delete: end } = fieldsOf(spec.deadlines);
  return {
    ...(typeof sleep === 'string' && { sleep }),
    ...(typeof end === 'string' && { delete: end }),
    isInGrace: spec.asleep !== undefined,
  };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
