import { resolve } from 'node:path';
import { Command } from 'commander';
import { version } from '../version.ts';
import type { Context, Status } from './context.ts';
import { endedBy } from './end.ts';
import { openTerminal } from './terminal.ts';

export interface CommandAlone<Options> {
  readonly name: string;
  readonly description: string;
  readonly examples: readonly string[];
  readonly addOptions: (command: Command) => Command;
  readonly run: (options: Options, context: Context) => Promise<Status>;
}

/** One command of `quiesce` as a program of its own, for the image; its name may be said as well, and changes nothing. */
export async function runAlone<Options>({ name, description, examples, addOptions, run }: CommandAlone<Options>) {
  const terminal = openTerminal(process, process.env);
  const [first, ...rest] = process.argv.slice(2);
  const args = first === name ? rest : process.argv.slice(2);
  const context = { directory: resolve('.'), terminal, environment: process.env };
  try {
    const command = addOptions(new Command(`quiesce ${name}`))
      .description(description)
      .version(version, '-V, --version', 'print the version')
      .addHelpText('after', `\nExamples:\n${examples.map((line) => `  $ ${line}\n`).join('')}`)
      .exitOverride()
      .action(async (options: Options) => {
        process.exitCode = await run(options, context);
      });
    await command.parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exitCode = endedBy(error, terminal);
  }
}
