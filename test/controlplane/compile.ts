import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { goFailure } from './failures.ts';
import { moduleFolder } from './key.ts';
import { type Missing, missing } from './missing.ts';
import { withProgress } from './progress.ts';
import { buildEnvironment, buildFlags, type Recipe } from './recipes.ts';
import { type RunEnd, run } from './run.ts';
import type { Go } from './toolchain.ts';

export interface BuildOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly go: Go;
  readonly progress: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * One thread for each compiler, and as many compilers as processors: side by side they do the same work with a sixth
 * less processor time than with threads that wait for each other (measured on the API machinery, 2 cores).
 */
const pace = { GOMAXPROCS: '1', GOGC: '200' } as const;
const processors = ['-p', `${availableParallelism()}`];

/** The largest part takes 5 minutes on 2 idle cores; on a machine that is busy otherwise it took 20. */
const limits = { fetchSeconds: 15 * 60, compileSeconds: 40 * 60 } as const;

/**
 * Compiles the part into a folder. Go's scratch files lie in it too, in `work`, and so go with it even after a crash.
 * Sources are fetched by a command of their own: a slow network and a slow compilation can be told apart, and progress
 * has a total.
 */
export async function compile(recipe: Recipe, draft: string, options: BuildOptions): Promise<Missing | undefined> {
  const work = join(draft, 'work');
  await mkdir(work);
  const go = goIn(recipe, { ...options, env: { ...options.env, ...buildEnvironment, ...pace, GOTMPDIR: work } });
  const failure = await withProgress(recipe.part, options.progress, async (say) => {
    const listed = await go(['list', '-mod=readonly', '-deps', recipe.package], limits.fetchSeconds, countFetched(say));
    if (!succeeded(listed)) return failed(recipe, draft, listed);
    const total = listed.lines.filter(isPackage).length;
    const arguments_ = [
      'build',
      '-v',
      ...buildFlags(recipe),
      ...processors,
      '-o',
      join(draft, recipe.program),
      recipe.package,
    ];
    const built = await go(arguments_, limits.compileSeconds, countCompiled(total, say));
    return succeeded(built) ? undefined : failed(recipe, draft, built);
  });
  return failure ?? copyCrds(recipe, draft, go);
}

/**
 * Downloads leave the processors idle, so what later parts are made of comes while earlier ones are compiled. Nothing is
 * told of it: who needs a source that did not come asks for it again. Ended by the signal.
 */
export async function fetchAhead(recipes: readonly Recipe[], options: Omit<BuildOptions, 'progress'>): Promise<void> {
  for (const module of new Set(recipes.map((recipe) => recipe.module))) {
    const packages = recipes.filter((recipe) => recipe.module === module).map((recipe) => recipe.package);
    const cwd = moduleFolder({ module });
    const env = { ...options.env, ...buildEnvironment, ...pace };
    const command = [options.go.command, 'list', '-mod=readonly', '-deps', ...packages];
    await run(command, {
      cwd,
      env,
      signal: options.signal,
      limitSeconds: limits.fetchSeconds,
      onLine: () => undefined,
    });
  }
}

type RunGo = (args: readonly string[], limitSeconds: number, onLine?: (line: string) => void) => Promise<RunEnd>;

function goIn(recipe: Recipe, { go, env, signal }: BuildOptions): RunGo {
  const cwd = moduleFolder(recipe);
  return (args, limitSeconds, onLine = () => undefined) =>
    run([go.command, ...args], { cwd, env, signal, limitSeconds, onLine });
}

function countFetched(say: (text: string) => void): (line: string) => void {
  let fetched = 0;
  say('reading its module');
  return (line) => {
    if (line.startsWith('go: downloading')) say(`fetched ${++fetched} modules`);
  };
}

function countCompiled(total: number, say: (text: string) => void): (line: string) => void {
  let compiled = 0;
  say('compiling');
  return (line) => {
    if (isPackage(line)) say(`compiled ${++compiled} of ${total} packages`);
  };
}

async function copyCrds(recipe: Recipe, draft: string, go: RunGo): Promise<Missing | undefined> {
  if (recipe.crds === undefined) return undefined;
  const found = await go(['list', '-mod=readonly', '-m', '-f', '{{.Dir}}', recipe.crds.module], 60);
  if (!succeeded(found)) return failed(recipe, draft, found);
  const source = join(found.lines.at(-1) ?? '', recipe.crds.folder);
  const target = join(draft, 'crds');
  await mkdir(target);
  // A kustomization.yaml among them is no object and would be refused by kubectl apply.
  for (const name of (await readdir(source)).filter(
    (file) => file.endsWith('.yaml') && file !== 'kustomization.yaml',
  )) {
    await copyFile(join(source, name), join(target, name));
  }
  return undefined;
}

function succeeded(end: RunEnd): boolean {
  return end.ended === 'exited' && end.code === 0;
}

async function failed({ part }: Recipe, draft: string, end: RunEnd): Promise<Missing> {
  if (end.ended === 'aborted') return interrupted(part);
  if (end.ended === 'limit') {
    const last = end.lines.at(-1) ?? 'nothing';
    return missing(
      `${part} was not built in time; the last that go said: ${last}`,
      'run it again: it goes on from there',
    );
  }
  const log = logFile(part, dirname(draft));
  // A full disk must not hide the reason, which may be just that.
  await writeFile(log, end.lines.join('\n')).catch(() => undefined);
  return goFailure(part, end.lines, log);
}

/** What go said in a build that failed, kept until one succeeds. */
export function logFile(part: string, cache: string): string {
  return join(cache, `${part}.log`);
}

export function interrupted(part: string): Missing {
  return missing(`the build of ${part} was interrupted`, 'run it again: it goes on from there');
}

/** What `go list` and `go build -v` print for each package, as opposed to messages. */
function isPackage(line: string): boolean {
  return /^[\w.~/-]+$/.test(line);
}
