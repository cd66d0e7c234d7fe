import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface RunOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly limitSeconds: number;
  readonly signal?: AbortSignal | undefined;
  /** Every line of standard output and standard error, as it comes. */
  readonly onLine?: (line: string) => void;
}

export interface RunEnd {
  readonly ended: 'exited' | 'limit' | 'aborted' | 'unstartable';
  readonly code: number | null;
  readonly lines: readonly string[];
}

const running = new Set<number>();
let exitHook = false;

/**
 * One command to its end, within a limit. It leads a process group of its own, so that the compilers it starts end
 * with it; a Ctrl-C of the terminal therefore does not reach it, and the caller passes a signal.
 */
export async function run(argv: readonly string[], options: RunOptions): Promise<RunEnd> {
  const [command = '', ...args] = argv;
  const lines: string[] = [];
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      options.onLine?.(line);
    });
  }
  const { pid } = child;
  if (pid !== undefined) track(pid);
  return new Promise((resolve) => {
    let why: RunEnd['ended'] = 'exited';
    const finish = (code: number | null) => {
      clearTimeout(limit);
      options.signal?.removeEventListener('abort', abort);
      if (pid !== undefined) running.delete(pid);
      resolve({ ended: why, code, lines });
    };
    const stop = (reason: RunEnd['ended']) => {
      why = reason;
      if (pid !== undefined) killGroup(pid);
      // A process that left the group may hold the pipes open: the end is not waited for any longer than this.
      setTimeout(() => finish(null), 5000).unref();
    };
    const abort = () => stop('aborted');
    const limit = setTimeout(() => stop('limit'), options.limitSeconds * 1000);
    options.signal?.addEventListener('abort', abort, { once: true });
    child.once('close', finish);
    child.once('error', (error) => {
      why = 'unstartable';
      lines.push(error.message);
      finish(null);
    });
    if (options.signal?.aborted === true) abort();
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}

function track(pid: number): void {
  running.add(pid);
  if (exitHook) return;
  exitHook = true;
  process.on('exit', () => running.forEach(killGroup));
}
