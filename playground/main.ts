import { once as happened } from 'node:events';
import { tmpdir } from 'node:os';
import { noSpaceLeft, saysNoSpace } from '../test/support/program.ts';
import { Hopeless, WaitedInVain } from '../test/support/wait.ts';
import { whenNpmIsGone } from './npm.ts';
import { help, Refusal, readOptions } from './options.ts';
import { openScreen } from './screen.ts';

/** Exit statuses: 0 ended by Ctrl-C or done, 1 something is missing or has failed, 2 wrong use, 130 interrupted start. */
const interrupted = 130;

const screen = openScreen();
const stops: (() => Promise<void>)[] = [];
/** What is under way then would make anew what is removed: it is left to the reapers, which act when this process is gone. */
let isStarting = false;
const interruption = new AbortController();
const { signal } = interruption;
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => interruption.abort());
// A reader of our output that goes away, as a terminal that closes or `| head`, ends us as a signal does.
process.stdout.on('error', () => interruption.abort());
whenNpmIsGone(() => interruption.abort());

async function main(argv: readonly string[]): Promise<number> {
  const options = readOptions(argv);
  if (options.help) {
    screen.print(help.trimEnd());
    return 0;
  }
  const { flux, port, once } = options;
  screen.print(screen.bold('A playground for Quiesce. Whatever is in it is thrown away at its end.\n'));
  // Loaded where they are needed, so that what can be said at once is said at once.
  const { findTools, findAssetsOrBuild } = await import('./requirements.ts');
  const { openSandbox } = await import('../test/support/sandbox.ts');
  const { serveRepository } = await import('./repository.ts');
  // A port that is taken is told before the minutes that a build may take.
  const { redis } = await findTools(flux);
  // Not called after the playground: whoever ends all processes of that name must not end the one that cleans up.
  const sandbox = openSandbox('campus');
  onStop(sandbox.stop);
  const repository = await serveRepository(sandbox.folder, port);
  onStop(repository.close);
  // A build that is interrupted cleans up, and is waited for.
  const assets = await findAssetsOrBuild({ signal, progress: (line) => screen.print(`  ${line}`) });
  const { openPlayground, watchPlayground } = await import('./play.ts');
  isStarting = true;
  const opening = openPlayground({ sandbox, repository, assets, redis, flux, screen, onStop });
  const playground = await Promise.race([opening, aborted()]);
  if (playground === undefined) return interrupted;
  isStarting = false;
  if (!once) await watchPlayground(playground, signal);
  return 0;
}

function onStop(stop: () => Promise<void>): void {
  stops.unshift(stop);
}

async function aborted(): Promise<undefined> {
  if (!signal.aborted) await happened(signal, 'abort');
}

function complain(error: unknown): number {
  // What fails because it is being ended is no failure.
  if (signal.aborted) return interrupted;
  process.stderr.write(`error: ${describe(error)}\n`);
  return error instanceof Refusal ? error.status : 1;
}

/** In one line, unless it is a mistake of ours or the last words of a program. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof Refusal) return error.message;
  if (saysNoSpace(error.message)) return noSpaceLeft(tmpdir());
  if (error instanceof WaitedInVain || error instanceof Hopeless) {
    return `${error.message}\nQUIESCE_KEEP_SANDBOXES=1 keeps the logs of a start.`;
  }
  return error.stack ?? error.message;
}

let status = await main(process.argv.slice(2)).catch(complain);
if (signal.aborted) screen.print('\nRemoving everything …');
for (const stop of isStarting ? [] : stops) {
  const stopped = await stop().then(() => 0, complain);
  status ||= stopped;
}
process.exit(status);
