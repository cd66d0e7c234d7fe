import { hostname } from 'node:os';
import { readConfig, type SidecarConfig } from '../sidecar/config.ts';
import { CannotListen } from '../sidecar/health.ts';
import { NoCluster } from '../sidecar/kube/connection.ts';
import { openLog } from '../sidecar/log.ts';
import { type OneTurn, runOnce } from '../sidecar/once.ts';
import { openWorkplace, type ProgramOptions, runSidecar } from '../sidecar/program.ts';
import { type Context, type Status, UsageError } from './context.ts';
import { untilSignal } from './until-signal.ts';

/** Besides these, every key of the table in sidecar/options.ts. */
export interface SidecarOptions extends Readonly<Record<string, unknown>> {
  readonly once?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `quiesce sidecar` */
export async function sidecar(options: SidecarOptions, context: Context): Promise<Status> {
  const { environment } = context;
  const result = readConfig({ flags: options, environment, hostName: `${hostname()}-${process.pid}` });
  if (result.kind === 'wrong') throw new UsageError(result.problems.join('\n  '));
  const { config } = result;
  const isOneTurn = options.once === true || options.dryRun === true;
  const program = { config, environment, log: logFor(config, isOneTurn), random: Math.random };
  try {
    if (isOneTurn) return await oneTurn(program, options, context);
    await runSidecar(program, untilSignal());
    return 0;
  } catch (error) {
    if (error instanceof NoCluster || error instanceof CannotListen) throw new UsageError(error.message);
    throw error;
  }
}

/** What one turn did is the answer, on standard output; its log goes beside it. */
function logFor({ logLevel, cluster, identity }: SidecarConfig, isOneTurn: boolean) {
  const fields = { program: 'quiesce-sidecar', identity, ...(cluster !== undefined && { cluster }) };
  if (!isOneTurn) return openLog({ level: logLevel, fields });
  return openLog({ level: logLevel === 'info' ? 'warn' : logLevel, fields }, process.stderr);
}

async function oneTurn(
  program: ProgramOptions,
  { dryRun = false, json = false }: SidecarOptions,
  { terminal }: Context,
): Promise<Status> {
  const turn = await runOnce(openWorkplace(program), { isRehearsal: dryRun });
  if (json) terminal.answer(`${JSON.stringify({ ok: isComplete(turn), dryRun, ...turn }, undefined, 2)}\n`);
  else terminal.answer(turnText(turn, dryRun));
  for (const { kind, error } of turn.unread) terminal.note(`${kind} could not be read: ${error}\n`);
  for (const failure of turn.failures) terminal.note(`failed: ${failure}\n`);
  return isComplete(turn) ? 0 : 1;
}

function isComplete({ unread, failures }: OneTurn): boolean {
  return unread.length === 0 && failures.length === 0;
}

function turnText({ turns }: OneTurn, isRehearsal: boolean): string {
  const lines = turns.flatMap(({ lines }) => lines);
  if (lines.length === 0) return 'There is nothing to do.\n';
  return `${isRehearsal ? 'Would do' : 'Did'}:\n${lines.map((line) => `  ${line}\n`).join('')}`;
}
