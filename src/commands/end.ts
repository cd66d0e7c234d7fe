import { CommanderError } from 'commander';
import { InternalError } from '../internal-error.ts';
import { version } from '../version.ts';
import { UsageError } from './context.ts';
import type { Terminal } from './terminal.ts';

const usage = 2;
const software = 70;

/** Says what went wrong, and gives the exit status: 2 wrong use of the command line, 70 a mistake of ours. */
export function endedBy(error: unknown, terminal: Terminal): number {
  // Commander has said everything already; help and version end this way as well.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usage;
  if (error instanceof UsageError) {
    terminal.note(`error: ${error.message}\n`);
    return usage;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  terminal.note(
    `quiesce ${version}, Node ${process.version}: this is a mistake of Quiesce, please report it.\n${text}\n`,
  );
  return error instanceof InternalError ? error.exitCode : software;
}
