import { Readable } from 'node:stream';
import { GitConstructError, type SimpleGitOptions, simpleGit } from 'simple-git';
import { type Environment, gitEnvironment } from './environment.ts';
import { redact } from './redact.ts';

export interface GitAnswer {
  readonly code: number;
  readonly stdout: string;
  /** Without credentials. */
  readonly stderr: string;
}

interface GitCallOptions {
  /** Written to standard input, which is then closed. Never empty. */
  readonly input?: string;
  readonly env?: Environment;
}

/** Git in one folder. */
export interface Git {
  readonly dir: string;
  /** The same, in another folder. */
  in(dir: string): Git;
  /** The same, with settings for each command, such as `core.eol=lf`. */
  with(settings: readonly string[]): Git;
  /** Any exit code is an answer. */
  ask(args: readonly string[], options?: GitCallOptions): Promise<GitAnswer>;
  /** Standard output; throws a GitFailure on any other exit code than 0. */
  run(args: readonly string[], options?: GitCallOptions): Promise<string>;
}

export interface GitOptions {
  readonly environment: Environment;
  readonly settings?: readonly string[];
  readonly signal?: AbortSignal;
  /** Git is stopped after this time without a byte of output. */
  readonly silenceMs?: number;
}

/**
 * A git command that did not do its work. Made here, never simple-git's own error, because that one carries the
 * command line, and with it perhaps a URL with a password.
 */
export class GitFailure extends Error {
  override readonly name = 'GitFailure';
  readonly command: string;
  readonly answer: GitAnswer;

  constructor(command: string, answer: GitAnswer) {
    super(`git ${command} ended with ${answer.code}: ${answer.stderr.trim() || answer.stdout.trim()}`);
    this.command = command;
    this.answer = answer;
  }
}

/** Exit codes of our own, below any that a process can have. */
export const exitCodes = { missing: -2, silent: -3 } as const;

/** Large enough for a server whose hooks run tests, small enough that a CI job ends by itself. */
const defaultSilenceMs = 600_000;

export function openGit(dir: string, options: GitOptions): Git {
  const settings = (options.settings ?? []).flatMap((setting) => ['-c', setting]);
  const ask: Git['ask'] = (args, call = {}) => execute(dir, [...settings, ...args], { ...options, ...call });
  return {
    dir,
    in: (other) => openGit(other, options),
    with: (more) => openGit(dir, { ...options, settings: [...(options.settings ?? []), ...more] }),
    ask,
    run: async (args, call) => {
      const answer = await ask(args, call);
      if (answer.code !== 0) throw new GitFailure(subcommand(args), answer);
      return answer.stdout;
    },
  };
}

async function execute(dir: string, args: readonly string[], options: GitOptions & GitCallOptions): Promise<GitAnswer> {
  options.signal?.throwIfAborted();
  const env = gitEnvironment(options.environment, options.env);
  const watch = watchSilence(options);
  let answer: GitAnswer | undefined;
  const errors: SimpleGitOptions['errors'] = (_, { exitCode, stdOut, stdErr }) => {
    answer = { code: exitCode ?? 1, stdout: text(stdOut), stderr: redact(text(stdErr)) };
    return undefined;
  };
  const { input } = options;
  const configured: Partial<SimpleGitOptions> = { ...simpleGitOptions(dir, env), abort: watch.signal, errors };
  if (input !== undefined) configured.input = () => input;
  try {
    const git = simpleGit(configured).env(env);
    git.outputHandler((_, stdout, stderr) => watch.follow([stdout, stderr]));
    await git.raw([...args]);
  } catch (error) {
    if (error instanceof GitConstructError) {
      return { code: 128, stdout: '', stderr: `fatal: not a git repository: no folder ${dir}` };
    }
    if (answer === undefined && !watch.signal.aborted)
      throw new Error(`git ${subcommand(args)}: ${redact(String(error))}`);
  } finally {
    watch.end();
  }
  options.signal?.throwIfAborted();
  if (watch.signal.aborted) return { code: exitCodes.silent, stdout: '', stderr: watch.complaint };
  return answer ?? { code: 1, stdout: '', stderr: '' };
}

interface Watch {
  /** Stops the command: the caller's signal, or silence. */
  readonly signal: AbortSignal;
  readonly complaint: string;
  follow(streams: readonly NodeJS.ReadableStream[]): void;
  end(): void;
}

/**
 * A stopped git leaves its network helper behind, which holds the pipes open for as long as the network keeps it
 * waiting. So our ends of the pipes are closed as well; the helper ends when it next has something to say.
 */
function watchSilence({ signal, silenceMs = defaultSilenceMs }: GitOptions): Watch {
  const silence = new AbortController();
  const either = signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal]);
  const timer = setTimeout(() => silence.abort(), silenceMs);
  return {
    signal: either,
    complaint: `no sign of life from git for ${silenceMs / 1000} s`,
    follow: (streams) => {
      for (const stream of streams) stream.on('data', () => timer.refresh());
      const close = (): void => {
        for (const stream of streams) if (stream instanceof Readable) stream.destroy();
      };
      // After simple-git's own listener, which stops git itself.
      either.addEventListener('abort', () => setImmediate(close), { once: true });
    },
    end: () => clearTimeout(timer),
  };
}

/**
 * simple-git guards programs that hand a stranger's words to git. Here every argument is built by us (names of
 * branches are checked, paths follow `--` or come over standard input) and the environment is the user's own, which
 * git would obey without us just as well, so the guards are opened. Output counts as complete when the pipes are
 * closed, not some time after the process ended: half an index read as a whole one would drop files.
 */
function simpleGitOptions(dir: string, env: Record<string, string>): Partial<SimpleGitOptions> {
  return {
    baseDir: dir,
    completion: { onClose: true, onExit: false },
    allowEnvironment: Object.keys(env),
    unsafe: {
      allowAbbreviatedOptions: true,
      allowUnsafeAlias: true,
      allowUnsafeAskPass: true,
      allowUnsafeCommandBinaries: true,
      allowUnsafeConfigEnvCount: true,
      allowUnsafeConfigPaths: true,
      allowUnsafeCredentialHelper: true,
      allowUnsafeDiffExternal: true,
      allowUnsafeDiffTextConv: true,
      allowUnsafeEditor: true,
      allowUnsafeExec: true,
      allowUnsafeFilter: true,
      allowUnsafeFsMonitor: true,
      allowUnsafeGitProxy: true,
      allowUnsafeGpgProgram: true,
      allowUnsafeHooksPath: true,
      allowUnsafeInclude: true,
      allowUnsafeMergeDriver: true,
      allowUnsafePack: true,
      allowUnsafePager: true,
      allowUnsafeProtocolOverride: true,
      allowUnsafeSshCommand: true,
      allowUnsafeSubmodule: true,
      allowUnsafeTemplateDir: true,
      allowUnsafeUrlRewrite: true,
    },
  };
}

function subcommand(args: readonly string[]): string {
  const isOption = (position: number): boolean =>
    args[position]?.startsWith('-') === true || args[position - 1] === '-c';
  return args.find((_, position) => !isOption(position)) ?? '';
}

function text(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString('utf8');
}
