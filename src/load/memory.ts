import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../validate/finding.ts';
import type { Listing } from './listing.ts';

/**
 * What the last successful compile of this checkout saw, so that compiling again with nothing changed reads nothing.
 * A private note on this machine (`.quiesce/last.json`): losing it costs time, never correctness.
 */
export interface Memory {
  /** Of every file of `state/` and `out/`, and of the compiler. */
  readonly stamp: string;
  readonly units: number;
  readonly warnings: readonly Problem[];
  readonly foreign: readonly string[];
}

/**
 * In the listing's own order, which is the index's: sorting would cost more than the rest. Files that git did not track
 * come last, so adding them to the index changes the stamp once, and costs one compile that finds nothing to do.
 */
export function stampOf(listing: Listing, version: string): string {
  let text = version;
  for (const [path, file] of listing) text += `\n${file.oid}${path}`;
  return createHash('sha1').update(text).digest('hex');
}

export function readMemory(root: string): Memory | undefined {
  try {
    const memory: unknown = JSON.parse(readFileSync(join(root, '.quiesce', 'last.json'), 'utf8'));
    return typeof memory === 'object' && memory !== null && 'stamp' in memory ? (memory as Memory) : undefined;
  } catch {
    return undefined; // none yet, or damaged: compile as if for the first time
  }
}

export function writeMemory(root: string, memory: Memory): void {
  const folder = join(root, '.quiesce');
  const aside = join(folder, `last-${process.pid}.json`);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(aside, JSON.stringify(memory));
    renameSync(aside, join(folder, 'last.json'));
  } catch {
    return; // no room or no permission: the next compile looks again
  }
}
