import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bundlesVariable } from './bundles.ts';

/** Vitest's global setup: a folder for what the files of tests build of the sources, which it takes with it at its end. */
export function setup({ config }: TestProject): void {
  // Of two projects of one run, the first has made it. Where tests run again, the sources have changed meanwhile.
  if (config.watch || process.env[bundlesVariable] !== undefined) return;
  const folder = mkdtempSync(join(tmpdir(), 'quiesce-bundles-'));
  process.env[bundlesVariable] = folder;
  // Not at the end of a project: the next one goes on with it.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}
