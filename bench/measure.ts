import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

export interface Run {
  readonly seconds: number;
  /** Peak resident memory in MB; 0 where it is not known (programs that are not Node). */
  readonly megabytes: number;
}

/** Writes the process' own peak memory to descriptor 3 as it ends. */
const reporter = `data:text/javascript,${encodeURIComponent(
  "import { writeSync } from 'node:fs'; process.on('exit', () => writeSync(3, String(process.resourceUsage().maxRSS)));",
)}`;

/** Runs a Node program to its end and times it from outside, start-up included. */
export function runNode(args: readonly string[], cwd: string): Run {
  const start = process.hrtime.bigint();
  const { status, output, stderr } = spawnSync(process.execPath, ['--import', reporter, ...args], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  const seconds = since(start);
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`);
  return { seconds, megabytes: Number(output[3]) / 1024 };
}

/** The same beside servers of this process, which go on meanwhile. */
export async function runNodeAside(
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<Run> {
  const start = process.hrtime.bigint();
  const child = spawn(process.execPath, ['--import', reporter, ...args], {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const said = ['', ''];
  for (const [index, stream] of [child.stderr, child.stdio[3]].entries()) {
    stream?.on('data', (chunk: Buffer) => {
      said[index] += chunk.toString();
    });
  }
  const [status] = await once(child, 'close');
  const seconds = since(start);
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${said[0]}`);
  return { seconds, megabytes: Number(said[1]) / 1024 };
}

export function runCommand(command: string, args: readonly string[], cwd: string): Run {
  const start = process.hrtime.bigint();
  const { status, stderr, error } = spawnSync(command, args, {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if (error !== undefined || status !== 0)
    throw new Error(`${command} ended with ${status}: ${error?.message ?? stderr}`);
  return { seconds: since(start), megabytes: 0 };
}

function since(start: bigint): number {
  return Number(process.hrtime.bigint() - start) / 1e9;
}

/** The fastest of some runs: noise on a shared machine only ever adds time. */
export function fastest(times: number, run: () => Run): Run {
  const runs = Array.from({ length: times }, run);
  return {
    seconds: Math.min(...runs.map(({ seconds }) => seconds)),
    megabytes: Math.max(...runs.map(({ megabytes }) => megabytes)),
  };
}
