import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type Program, startProgram } from './program.ts';
import { waitFor } from './wait.ts';

/** A folder and the programs that run in it. They go together, whichever way the owner ends (see reaper.mjs). */
export interface Sandbox {
  readonly folder: string;
  /** What its programs start with; also for a command that a test runs in it itself. */
  readonly env: NodeJS.ProcessEnv;
  start(name: string, argv: readonly string[], env?: Readonly<Record<string, string>>): Program;
  /** Over when every program is gone and the folder is removed. */
  stop(): Promise<void>;
}

const reaperFile = fileURLToPath(new URL('./reaper.mjs', import.meta.url));

export function openSandbox(name: string): Sandbox {
  endWithTheRunner();
  const folder = mkdtempSync(join(tmpdir(), `quiesce-${name}-`));
  const reaper = startReaper(folder);
  for (const inner of ['tmp', 'logs']) mkdirSync(join(folder, inner));
  const env = { ...process.env, ...surroundings(folder) };
  const programs: Program[] = [];
  let stopped: Promise<void> | undefined;
  return {
    folder,
    env,
    start: (program, argv, more = {}) => {
      if (stopped !== undefined) throw new Error(`the sandbox ${folder} is stopped`);
      const started = startProgram({
        name: program,
        argv,
        cwd: folder,
        env: { ...env, ...more },
        logFile: join(folder, 'logs', `${program}.log`),
        onStart: (pid) => reaper.stdin.write(`+${pid}\n`),
        onEnd: (pid) => reaper.stdin.writable && reaper.stdin.write(`-${pid}\n`),
      });
      programs.push(started);
      return started;
    },
    stop: () => {
      stopped ??= stop(reaper, folder, programs);
      return stopped;
    },
  };
}

/** Caches, configuration and temporary files of the programs stay in the folder; the mark lets the reaper find them. */
function surroundings(folder: string): Record<string, string> {
  return {
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, '.config'),
    TMPDIR: join(folder, 'tmp'),
    QUIESCE_SANDBOX: folder,
  };
}

let isWatching = false;

/** vitest's workers go on when vitest itself is killed. What they still do is for nobody, and would take its time. */
function endWithTheRunner(): void {
  if (isWatching || process.send === undefined) return;
  isWatching = true;
  process.once('disconnect', () => process.exit(1));
}

type Reaper = ChildProcessByStdio<Socket, null, Socket>;

function startReaper(folder: string): Reaper {
  // Not marked itself where one sandbox runs inside another.
  const { QUIESCE_SANDBOX: _outer, ...env } = process.env;
  const reaper = spawn(process.execPath, [reaperFile, folder], {
    env,
    cwd: tmpdir(),
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  }) as Reaper;
  // If it is ended from outside, the writes to it fail; stop() does its work then.
  reaper.stdin.on('error', () => undefined);
  // Whoever forgets to stop a sandbox ends all the same, and the sandbox with it.
  for (const handle of [reaper, reaper.stdin, reaper.stderr]) handle.unref();
  return reaper;
}

async function stop(reaper: Reaper, folder: string, programs: readonly Program[]): Promise<void> {
  const isThere = reaper.exitCode === null && reaper.signalCode === null;
  for (const handle of [reaper, reaper.stderr]) handle.ref();
  const complaint = text(reaper.stderr);
  const ended = isThere ? once(reaper, 'exit') : undefined;
  reaper.stdin.end();
  await waitFor(`the sandbox ${folder} to be removed`, { seconds: 60 }, async () => ({ met: await ended }));
  // After a reaper this only waits until this process knows.
  await Promise.all(programs.map((program) => program.kill()));
  // Ended from outside, before or just now: what it had to do is done here.
  if (reaper.signalCode !== null || !isThere) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  else if (reaper.exitCode !== 0) throw new Error(`the sandbox ${folder} is not gone: ${(await complaint).trim()}`);
}
