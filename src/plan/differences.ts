import { compareText } from './change.ts';

export interface Difference {
  readonly key: string;
  /** Absent where it was not there. */
  readonly was?: string;
  readonly is?: string;
}

/** Of two maps, sorted by key. */
export function differences(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): readonly Difference[] {
  const [was, is] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return [...new Set([...was.keys(), ...is.keys()])].sort(compareText).flatMap((key): Difference[] => {
    const [old, now] = [was.get(key), is.get(key)];
    if (old === now) return [];
    return [{ key, ...(old !== undefined && { was: old }), ...(now !== undefined && { is: now }) }];
  });
}
