#!/usr/bin/env node
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Context, UsageError } from './commands/context.ts';
import { endedBy } from './commands/end.ts';
import { buildProgram } from './commands/program.ts';
import { openTerminal } from './commands/terminal.ts';

/**
 * Exit statuses: 0 done, 1 Problems in the state (or out of date, or refused), 2 wrong use of the command line,
 * 70 a mistake of ours, 130 and 143 interrupted. Commands return theirs; this file alone ends the process.
 */
const interrupted = 130;
const terminated = 143;

// Handled rather than left to the system: what is written in one go is then written to the end first.
process.on('SIGINT', () => process.exit(interrupted));
process.on('SIGTERM', () => process.exit(terminated));
const environment = process.env;
const terminal = openTerminal(process, environment);
// `quiesce plan | head` closes the pipe early: nobody is left to be told.
process.stdout.on('error', endQuietly);
process.stderr.on('error', endQuietly);

let status: number = 0;
try {
  const program = buildProgram(async (directory, command) => {
    status = await command(contextFor(directory));
  });
  await program.parseAsync(process.argv);
} catch (error) {
  status = endedBy(error, terminal);
}
process.exitCode = status;

function contextFor(directory: string | undefined): Context {
  const folder = resolve(directory ?? '.');
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UsageError(`there is no folder ${directory}`);
  }
  return { directory: folder, terminal, environment };
}

function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit(status);
}
