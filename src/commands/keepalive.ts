import { readKeepaliveConfig } from '../keepalive/config.ts';
import { KeysUnusable } from '../keepalive/keys.ts';
import { openPageLog } from '../keepalive/log.ts';
import { runKeepalive } from '../keepalive/program.ts';
import { CannotListen } from '../sidecar/health.ts';
import { type Context, type Status, UsageError } from './context.ts';
import { untilSignal } from './until-signal.ts';

/** Besides these, every key of the table in keepalive/options.ts. */
export interface KeepaliveCommandOptions extends Readonly<Record<string, unknown>> {
  /** Set by the page itself: this process works with git for it. */
  readonly worker?: boolean;
}

/** `quiesce keepalive` */
export async function keepalive(options: KeepaliveCommandOptions, { environment }: Context): Promise<Status> {
  const result = readKeepaliveConfig({ flags: options, environment });
  if (result.kind === 'wrong') throw new UsageError(result.problems.join('\n  '));
  const { config } = result;
  if (options.worker === true) {
    // Ctrl-C reaches it as well; it ends when the page has no more questions.
    untilSignal();
    const { runStateWorker } = await import('../keepalive/state-worker.ts');
    const { gitUrl, gitBranch, gitCredentials, work } = config;
    const credentials = gitCredentials === undefined ? {} : { credentials: gitCredentials };
    await runStateWorker({ url: gitUrl, branch: gitBranch, work, ...credentials });
    return 0;
  }
  const log = openPageLog({ level: config.logLevel, fields: { program: 'quiesce-keepalive' } });
  const [, file = ''] = process.argv;
  try {
    const worker = [file, ...process.argv.slice(2), '--worker'] as const;
    await runKeepalive({ config, environment, log, worker }, untilSignal());
    return 0;
  } catch (error) {
    if (error instanceof CannotListen || error instanceof KeysUnusable) throw new UsageError(error.message);
    throw error;
  }
}
