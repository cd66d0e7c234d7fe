import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CompileOptions, type Problems, type Synthesized, synth } from '../../src/pipeline.ts';
import { settings } from './state.ts';
import { isolatedEnvironment } from './temp-repo.ts';
import { listTree, writeTree } from './tree.ts';

type Compiling = Omit<CompileOptions, 'root'>;

/** A folder with a state, compiled in this process. It is no git repository until `commit` is called. */
export interface StateFolder {
  readonly root: string;
  write(path: string, text: string): void;
  read(path: string): string;
  has(path: string): boolean;
  remove(path: string): void;
  /** Everything is committed; the first time makes the folder a repository. */
  commit(): void;
  git(...args: readonly string[]): string;
  synth(options?: Compiling): Promise<Synthesized | Problems>;
  /** Compiles and expects no error: the files that changed, as `+ path`, `~ path`, `- path`. */
  compile(options?: Compiling): Promise<readonly string[]>;
  /** Compiles and expects errors: `code: message` of each problem. */
  refusal(options?: Compiling): Promise<readonly string[]>;
  /** Files of `out/`. */
  out(): Readonly<Record<string, string>>;
  close(): void;
}

/** `files` below the folder; settings are there unless they are among them. */
export function openState(files: Readonly<Record<string, string>> = {}, name = 'quiesce-state-'): StateFolder {
  const root = realpathSync(mkdtempSync(join(tmpdir(), name)));
  writeTree(root, Object.entries({ 'state/settings.yaml': settings(), ...files }));
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', env: isolatedEnvironment(root), stdio: 'pipe' });
  const run = (options: Compiling = {}): Promise<Synthesized | Problems> => synth({ root, ...options });
  return {
    root,
    write: (path, text) => writeTree(root, [[path, text]]),
    read: (path) => readFileSync(join(root, path), 'utf8'),
    has: (path) => existsSync(join(root, path)),
    remove: (path) => rmSync(join(root, path), { recursive: true, force: true }),
    commit: () => {
      if (!existsSync(join(root, '.git'))) git('init', '--quiet');
      git('add', '--all');
      git('commit', '--quiet', '--allow-empty', '-m', 'A commit');
    },
    git,
    synth: run,
    compile: async (options) => changesOf(await run(options)),
    refusal: async (options) => refusalOf(await run(options)),
    out: () => Object.fromEntries(listTree(join(root, 'out'))),
    close: () => rmSync(root, { recursive: true, force: true }),
  };
}

const signs = { added: '+', changed: '~', removed: '-' };

export function changesOf(result: Synthesized | Problems): readonly string[] {
  if (result.kind === 'problems') throw new Error(`refused: ${refusalOf(result).join('\n')}`);
  return result.changes.map(({ path, change }) => `${signs[change]} ${path}`);
}

export function refusalOf(result: Synthesized | Problems): readonly string[] {
  if (result.kind === 'ok') throw new Error('compiled, though a refusal was expected');
  return result.problems.map(({ code, message }) => `${code}: ${message}`);
}

/** Bytes and times of all files and folders below one: equal before and after means that nobody touched anything. */
export function fingerprint(folder: string): Readonly<Record<string, string>> {
  const seen: Record<string, string> = {};
  const walk = (path: string): void => {
    const { mtimeMs, ino, mode } = lstatSync(path);
    const bytes = lstatSync(path).isFile() ? createHash('sha1').update(readFileSync(path)).digest('hex') : '';
    seen[path.slice(folder.length)] = `${mtimeMs} ${ino} ${mode} ${bytes}`;
    if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) walk(join(path, name));
  };
  walk(folder);
  return seen;
}
