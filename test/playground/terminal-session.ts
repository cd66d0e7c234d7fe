import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Hopeless, waitFor } from '../support/wait.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A playground as somebody at a terminal has it, in a temporary folder of its own. */
export interface Session {
  readonly process: ChildProcess;
  /** Both outputs, so far. */
  output(): string;
  /** Over when the output has it; fails when the playground ends before. */
  see(text: string | RegExp, seconds: number): Promise<void>;
  /** Its exit status. */
  ended(): Promise<number | null>;
  /** The commands of one of the things to try, as they are printed. */
  commandsFor(title: string): string;
  /** In a shell as the guide says to prepare one. */
  shell(commands: string): Promise<string>;
  /** Processes that it started and that are there, and what is in its folder. */
  left(): readonly string[];
  close(): void;
}

let sessions = 0;

export interface SessionOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** How it is started; arguments follow. */
  readonly argv?: readonly string[] | undefined;
}

export const ownProcess = [process.execPath, '--import', 'tsx', 'playground/main.ts'];

export function startSession(args: readonly string[] = [], { env, argv = ownProcess }: SessionOptions = {}): Session {
  const folder = mkdtempSync(join(tmpdir(), 'quiesce-session-'));
  sessions += 1;
  const mark = `QUIESCE_PLAYGROUND_SESSION=${process.pid}-${sessions}`;
  const [key = '', value = ''] = mark.split('=');
  const [command = '', ...rest] = argv;
  const child = spawn(command, [...rest, ...args], {
    cwd: root,
    env: { ...process.env, TMPDIR: folder, [key]: value, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return {
    process: child,
    output: () => output,
    see: (text, seconds) =>
      waitFor(`the playground to say ${text}`, { seconds }, () => {
        if (typeof text === 'string' ? output.includes(text) : text.test(output)) return { met: undefined };
        const end = child.exitCode ?? child.signalCode;
        if (end !== null) throw new Hopeless(`the playground ended with ${end}: ${output}`);
        return { seen: output.slice(-2000) };
      }),
    ended: async () => {
      const exited = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
      await waitFor('the playground to end', { seconds: 60 }, async () => ({ met: await exited }));
      return child.exitCode;
    },
    commandsFor: (title) => commandsIn(output, title),
    shell: (commands) => runPrepared(output, commands),
    left: () => [...processesWith(mark), ...readdirSync(folder).filter((name) => name.startsWith('quiesce-'))],
    close: () => {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function runPrepared(output: string, commands: string): Promise<string> {
  const [, file = ''] = /^ {5}\. (\S+\/env)$/m.exec(output) ?? [];
  const script = `. ${file}\n${commands}`;
  return (await promisify(execFile)('sh', ['-e', '-c', script], { timeout: 60_000 })).stdout;
}

/** Those that change something; the line below them says where to look. */
function commandsIn(output: string, title: string): string {
  const lines = output.split('\n');
  const start = lines.findIndex((line) => line.endsWith(`. ${title}`));
  if (start < 0) throw new Error(`there is nothing called "${title}" in\n${output}`);
  const block = lines.slice(start + 1, lines.indexOf('', start));
  return block.filter((line) => !line.startsWith('     kubectl ')).join('\n');
}

function processesWith(mark: string): readonly string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark)) return [];
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, 3).join(' ');
    } catch {
      return [];
    }
  });
}
