import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Forge, guessForge, type Repository } from '../init/forge.ts';
import { type SkeletonFile, skeletonFiles } from '../init/skeleton.ts';
import { gitOutput } from '../load/git.ts';
import { printable } from '../report/escape.ts';
import type { Finding } from '../validate/finding.ts';
import type { Context, Status } from './context.ts';
import { isTaken, textAt } from './on-disk.ts';
import { finish, type OutputOptions } from './outcome.ts';
import { writeFailed } from './replace-files.ts';
import { schemaFiles } from './schema.ts';

export interface InitOptions extends OutputOptions {
  readonly ci?: Forge | 'none';
  readonly cdk8s?: boolean;
  readonly dryRun?: boolean;
}

interface Step {
  readonly path: string;
  readonly action: 'written' | 'same' | 'kept';
  readonly otherwise?: string;
}

/** `quiesce init`: in the directory itself, never above it. */
export async function init(options: InitOptions, context: Context): Promise<Status> {
  const { directory } = context;
  const repository = await describe(directory);
  const files = skeletonFiles({
    repository,
    forge: options.ci ?? guessForge(repository),
    cdk8s: options.cdk8s === true,
    schemas: await schemaFiles(),
  });
  const steps = files.filter((file) => isWanted(file, directory)).map((file) => stepFor(file, directory));
  const written = new Set(steps.filter((step) => step.action === 'written').map((step) => step.path));
  const failed =
    options.dryRun === true
      ? undefined
      : writeNew(
          directory,
          files.filter(({ path }) => written.has(path)),
        );
  if (failed !== undefined) {
    const { locate } = await import('../validate/locate.ts');
    const problems = locate([failed], () => undefined);
    return finish({ ok: false, problems, json: { directory }, text: () => '' }, options, context);
  }
  const json = { directory, dryRun: options.dryRun === true, files: steps };
  const text = async (): Promise<string> => initText(steps, await gitNote(directory), options, context);
  return finish({ ok: true, problems: [], json, text }, options, context);
}

/** An example is for a state that has nothing yet: in a grown one it would be a claim that nobody asked for. */
function isWanted({ path }: SkeletonFile, root: string): boolean {
  return (
    path !== 'state/claims/hello.yaml' || existsSync(join(root, path)) || !existsSync(join(root, 'state', 'claims'))
  );
}

function stepFor({ path, text, otherwise }: SkeletonFile, root: string): Step {
  const full = join(root, path);
  if (!isTaken(full)) return { path, action: 'written' };
  const there = textAt(full) ?? '';
  if (there === text) return { path, action: 'same' };
  // `.gitignore` and the like are met already when the line that matters is in there.
  const lines = there.split(/\r?\n/);
  const isMet = text.split('\n').every((line) => line === '' || line.startsWith('#') || lines.includes(line));
  return { path, action: 'kept', ...(otherwise !== undefined && !isMet && { otherwise }) };
}

/** `wx`: if somebody else makes a file in this moment, theirs stays. */
function writeNew(directory: string, files: readonly SkeletonFile[]): Finding | undefined {
  for (const { path, text } of files) {
    try {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), text, { flag: 'wx' });
    } catch (error) {
      return writeFailed(
        path,
        error,
        'Move what is in the way, or mend the permissions, then run "quiesce init" again.',
      );
    }
  }
  return undefined;
}

async function describe(directory: string): Promise<Repository> {
  const url = (await gitOutput(directory, ['remote', 'get-url', 'origin']))?.trim() ?? '';
  const branch = await mainBranch(directory);
  return {
    // A path on this machine means nothing to an applier, and a password in it belongs nowhere.
    ...(/^(?:https?|ssh):\/\/|^[\w.-]+@[\w.-]+:/.test(url) && { url: url.replace(/^(https?:\/\/)[^/@]*@/, '$1') }),
    branch: /^[\w./-]+$/.test(branch) ? branch : 'main',
    entries: readdirSync(directory),
  };
}

/** What the remote calls its head; else the branch one is on, which is a guess as long as there is no remote. */
async function mainBranch(directory: string): Promise<string> {
  const remote = await gitOutput(directory, ['symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD']);
  const name =
    remote?.trim().replace(/^origin\//, '') ??
    (await gitOutput(directory, ['symbolic-ref', '--short', 'HEAD']))?.trim();
  return name ?? '';
}

/** What has to be done about git first; empty when the directory is the top of a repository. */
async function gitNote(directory: string): Promise<string> {
  const prefix = await gitOutput(directory, ['rev-parse', '--show-prefix']);
  if (prefix === undefined) return 'This is no git repository yet: "git init" makes it one.\n';
  const folder = printable(prefix.trim().replace(/\/$/, ''));
  if (folder === '') return '';
  return `This is the folder ${folder} of a larger repository, and workflows are read at its top only: move them there, and add "-C ${folder}" to their commands.\n`;
}

function initText(steps: readonly Step[], git: string, { dryRun }: InitOptions, { terminal }: Context): string {
  const { style } = terminal;
  const words = { written: dryRun === true ? 'would write' : 'wrote', same: 'has already', kept: 'keeps yours' };
  const lines = steps.map(({ path, action, otherwise }) => {
    const line = `${words[action].padEnd(12)}${path}`;
    return `${action === 'written' ? style.green(line) : style.dim(line)}${otherwise === undefined ? '' : `  ${style.yellow(otherwise)}`}\n`;
  });
  const next = steps.some((step) => step.action === 'written')
    ? `\n${git}Next: change what is marked CHANGE in state/settings.yaml, then run "quiesce synth".\n`
    : '';
  return `${lines.join('')}${next}`;
}
