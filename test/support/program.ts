import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { Hopeless, waitFor } from './wait.ts';

/** A program that runs in a sandbox, with the faults a test can put on it. It leads its own process group. */
export interface Program {
  readonly name: string;
  /** Both of its outputs, of every start. */
  readonly logFile: string;
  pid(): number | undefined;
  /** How it ended, in words; undefined while it runs. */
  end(): string | undefined;
  /** Once more, with the same arguments. */
  start(): void;
  /** As by `kill -9`; over when the process is gone. */
  kill(): Promise<void>;
  /** Its connections stay open and nothing answers on them, as on a machine that hangs. */
  pause(): void;
  resume(): void;
}

export interface ProgramOptions {
  readonly name: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly logFile: string;
  onStart(pid: number): void;
  onEnd(pid: number): void;
}

/** The end of a program that should have gone on. */
export class ProgramEnded extends Hopeless {
  readonly portTaken: boolean;

  constructor(program: Program) {
    const log = readFileSync(program.logFile, 'utf8');
    const lines = lastLines(log);
    const folder = dirname(program.logFile);
    // All of the log: etcd says so, and then panics at length.
    const why = isFull(folder, log) ? `: ${noSpaceLeft(folder)}` : `; its last lines:\n${lines}`;
    super(`${program.name} ${program.end()}${why}`);
    this.portTaken = /address already in use/i.test(lines);
  }
}

export function noSpaceLeft(folder: string): string {
  return `there is no space left on the device of ${folder}. Make some, or set TMPDIR to another folder`;
}

/** A program whose log has no space either cannot say so. */
function isFull(folder: string, said: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < 1_000_000 || saysNoSpace(said);
}

/** As any program says it, since it is the system's own sentence. */
export function saysNoSpace(text: string): boolean {
  return /no space left on (?:the )?device|disk quota exceeded/i.test(text);
}

/** For the looks of a wait: what has ended will never answer. */
export function checkRunning(...programs: readonly Program[]): void {
  for (const program of programs) {
    if (program.end() !== undefined) throw new ProgramEnded(program);
  }
}

function lastLines(log: string): string {
  const lines = log.trimEnd().split('\n').slice(-15);
  return lines.map((line) => `  ${line.slice(0, 400)}`).join('\n');
}

export function startProgram(options: ProgramOptions): Program {
  let child: ChildProcess | undefined;
  let end: string | undefined;
  const signal = (name: NodeJS.Signals) => {
    if (child?.pid !== undefined && end === undefined) signalGroup(child.pid, name);
  };
  const start = () => {
    end = undefined;
    child = spawnLogged(options);
    const { pid } = child;
    if (pid !== undefined) options.onStart(pid);
    child.once('error', (error) => {
      end = `could not be started: ${error.message}`;
    });
    child.once('exit', (code, cause) => {
      end = cause === null ? `ended with code ${code}` : `was ended by ${cause}`;
      if (pid !== undefined) options.onEnd(pid);
    });
  };
  start();
  return {
    name: options.name,
    logFile: options.logFile,
    pid: () => (end === undefined ? child?.pid : undefined),
    end: () => end,
    start,
    kill: async () => {
      if (child?.pid === undefined || end !== undefined) return;
      const gone = once(child, 'exit');
      child.ref();
      signal('SIGKILL');
      await waitFor(`${options.name} to be gone`, { seconds: 30 }, async () => ({ met: await gone }));
    },
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
  };
}

function signalGroup(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name);
  } catch {
    // It has ended, and the news is not here yet.
  }
}

/** Into a file and not into pipes: nobody has to read, and a program outlives its owner by no broken pipe. */
function spawnLogged({ argv, cwd, env, logFile }: ProgramOptions): ChildProcess {
  const [command = '', ...args] = argv;
  const log = openSync(logFile, 'a');
  try {
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', log, log] });
    child.unref();
    return child;
  } finally {
    closeSync(log);
  }
}
