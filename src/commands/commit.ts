import type { Compile } from '../commit/build.ts';
import type { CommitPlace, CommitResult, CommitOptions as Request } from '../commit/commit.ts';
import { synth, validate } from '../pipeline.ts';
import { changes } from '../plan/changes.ts';
import { commitWords } from '../plan/subject.ts';
import { printable } from '../report/escape.ts';
import type { Settings } from '../resolve/state.ts';
import { at, type Problem } from '../validate/finding.ts';
import { type Context, findRoot, type Status } from './context.ts';
import { bytesAt } from './on-disk.ts';
import { finish, type Outcome, type OutputOptions } from './outcome.ts';
import { progressText } from './terminal.ts';

export interface CommitOptions extends OutputOptions {
  readonly dryRun?: boolean;
  readonly push?: boolean;
  readonly allowDirty?: boolean;
  readonly anyBranch?: boolean;
  readonly allowMassRemoval?: number;
}

/** `quiesce commit` */
export async function commitOutput(options: CommitOptions, context: Context): Promise<Status> {
  const root = findRoot(context.directory);
  const { committedSettings } = await import('./committed-settings.ts');
  const answer = await committedSettings(root);
  if (answer?.kind === 'problems') return finish(failed(await problemsAtHead(root, answer.problems)), options, context);
  const { commit } = await import('../commit/commit.ts');
  const result = await commit(requestFor(root, answer?.settings, options, context));
  return finish(await outcomeOf(result, root), options, context);
}

/** With broken settings it is not known where to commit to, but all other problems can be told as well. */
async function problemsAtHead(root: string, ofSettings: readonly Problem[]): Promise<readonly Problem[]> {
  const all = await validate({ root, ref: 'HEAD' });
  return all.kind === 'problems' ? all.problems : ofSettings;
}

/** Without settings there is no commit either: `commit` then says what is wrong with the repository. */
function requestFor(
  root: string,
  settings: Settings | undefined,
  options: CommitOptions,
  context: Context,
): Request<readonly Problem[]> {
  const { target, branch, author } = settings?.git ?? noGit;
  return {
    root,
    target,
    stateBranch: branch,
    author,
    compile: compileFor(options, context),
    // A compile takes the state from the commit, and of the output it only reads the inventory.
    reads: { without: ['state/claims', 'state/records'], output: ['inventory.jsonl'] },
    ...(settings !== undefined && { settingsAt: at(settings.origin, ['spec', 'git', 'target']) }),
    push: options.push ?? true,
    dryRun: options.dryRun ?? false,
    allowDirty: options.allowDirty ?? false,
    anyBranch: options.anyBranch ?? false,
    onProgress: ({ stage, attempt }) =>
      context.terminal.progress(attempt === 1 ? stage : `${stage}, attempt ${attempt}`),
    environment: context.environment,
  };
}

const noGit = {
  target: { path: 'out', push: 'direct', pullRequestBranch: 'quiesce/out' },
  branch: 'main',
  author: { name: 'Quiesce', email: 'quiesce@localhost' },
} as const;

function compileFor(options: CommitOptions, { terminal }: Context): Compile<readonly Problem[]> {
  const { allowMassRemoval } = options;
  return async ({ root, out, source }) => {
    const result = await synth({
      root,
      out,
      ref: source,
      ...(allowMassRemoval !== undefined && { allowMassRemoval }),
      onProgress: (event) => terminal.progress(progressText(event)),
    });
    if (result.kind === 'problems') return result;
    return { kind: 'ok', changes: result.changes, message: commitWords(changes(result.before, result.after)) };
  };
}

async function outcomeOf(result: CommitResult<readonly Problem[]>, root: string): Promise<Outcome> {
  if (result.kind === 'problems') return failed(result.problems);
  if (result.kind === 'failed') {
    const { locate } = await import('../validate/locate.ts');
    return failed(locate([result.finding], (file) => bytesAt(root, file)));
  }
  return { ok: true, problems: [], json: { result }, text: () => resultText(result) };
}

function failed(problems: readonly Problem[]): Outcome {
  return { ok: false, problems, json: {}, text: () => '' };
}

function resultText(result: Exclude<CommitResult<unknown>, { kind: 'problems' | 'failed' }>): string {
  const where = placeText(result.place);
  switch (result.kind) {
    case 'unchanged':
      return result.isPublished
        ? `Nothing to commit: ${where} is up to date.\n`
        : `Nothing to commit, but ${where} lacks commits that are only here: run "git push".\n`;
    case 'superseded':
      return `Nothing to commit: ${where} has the output of a later state, ${result.by.slice(0, 12)}.\n`;
    case 'would-commit':
      return `Would commit to ${where}: ${printable(result.subject)}\n${filesText(result.changes.length)}`;
    case 'committed': {
      const said =
        result.said.trim() === ''
          ? []
          : result.said
              .trim()
              .split('\n')
              .map((line) => `  remote: ${printable(line)}\n`);
      const behind =
        result.local.kind === 'behind' ? [`This work tree is behind: ${printable(result.local.reason)}\n`] : [];
      const head = `Committed ${result.commit.slice(0, 12)} to ${where}: ${printable(result.subject)}\n`;
      return [head, filesText(result.changes.length), ...said, ...behind].join('');
    }
  }
}

function filesText(count: number): string {
  return `${count} ${count === 1 ? 'file' : 'files'} of the output changed.\n`;
}

function placeText({ remote, branch, base, path }: CommitPlace): string {
  const target = remote === undefined ? branch : `${branch} of ${printable(remote)}`;
  return `${path} on ${target}${base === undefined ? '' : `, for a pull request into ${base}`}`;
}
