import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Terminal } from './terminal.ts';

/** What every command gets besides its own options. */
export interface Context {
  /** Folder that `-C` names, or the current one: absolute. */
  readonly directory: string;
  readonly terminal: Terminal;
  readonly environment: NodeJS.ProcessEnv;
}

/** Exit status of a command: 0, or 1 for Problems (also: out of date, refused). */
export type Status = 0 | 1;

/** Wrong use of the command line that only the command itself can see: exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * The folder that holds `state/`: the directory itself or the nearest one above, as git looks for its repository, but
 * never above a repository's own root. Without any, the directory: what is missing there is then said.
 */
export function findRoot(directory: string): string {
  for (let folder = resolve(directory); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'state', 'settings.yaml'))) return folder;
    if (existsSync(join(folder, '.git')) || folder === dirname(folder)) return resolve(directory);
  }
}
