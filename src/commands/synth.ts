import { check, type FileChange, type Synthesized, synth as synthesize } from '../pipeline.ts';
import { counted } from '../plan/change.ts';
import { printable } from '../report/escape.ts';
import { type Context, findRoot, type Status } from './context.ts';
import { finish, type OutputOptions } from './outcome.ts';
import { progressText } from './terminal.ts';

export interface SynthOptions extends OutputOptions {
  readonly check?: boolean;
  readonly full?: boolean;
  readonly dryRun?: boolean;
  readonly allowMassRemoval?: number;
}

/** Beyond this a list of files is not read; `--json` has them all. */
const filesShown = 40;

/** `quiesce synth` */
export async function synth(options: SynthOptions, context: Context): Promise<Status> {
  if (options.check === true) return checkOutput(options, context);
  const { full, dryRun, allowMassRemoval } = options;
  const result = await synthesize({
    root: findRoot(context.directory),
    ...(full !== undefined && { full }),
    ...(dryRun !== undefined && { dryRun }),
    ...(allowMassRemoval !== undefined && { allowMassRemoval }),
    onProgress: (event) => context.terminal.progress(progressText(event)),
  });
  if (result.kind === 'problems')
    return finish({ ok: false, problems: result.problems, json: {}, text: () => '' }, options, context);
  const { changes, foreign, units, rendered } = result;
  return finish(
    {
      ok: true,
      problems: result.warnings,
      json: { dryRun: dryRun === true, units, rendered, files: changes, foreign },
      text: () => synthText(result, dryRun === true, context),
    },
    options,
    context,
  );
}

function synthText({ changes, foreign, units }: Synthesized, dryRun: boolean, { terminal }: Context): string {
  for (const path of foreign) terminal.note(`out/${printable(path)} is not ours and was left alone.\n`);
  if (changes.length === 0) return `out/ is up to date: ${counted(units, 'unit')}.\n`;
  const shown = changes.slice(0, filesShown).map((change) => `${fileLine(change, terminal.style)}\n`);
  const more = changes.length > filesShown ? [`  … and ${changes.length - filesShown} more\n`] : [];
  const verb = dryRun ? 'would change' : 'changed';
  return [
    ...shown,
    ...more,
    `${counted(changes.length, 'file')} of out/ ${verb}; ${counted(units, 'unit')} in all.\n`,
  ].join('');
}

function fileLine({ path, change }: FileChange, style: Context['terminal']['style']): string {
  switch (change) {
    case 'added':
      return style.green(`  + out/${path}`);
    case 'changed':
      return style.yellow(`  ~ out/${path}`);
    case 'removed':
      return style.red(`  - out/${path}`);
  }
}

async function checkOutput(options: SynthOptions, context: Context): Promise<Status> {
  const { terminal } = context;
  const { allowMassRemoval } = options;
  const result = await check({
    root: findRoot(context.directory),
    ...(allowMassRemoval !== undefined && { allowMassRemoval }),
    onProgress: (event) => terminal.progress(progressText(event)),
  });
  if (result.kind === 'problems')
    return finish({ ok: false, problems: result.problems, json: {}, text: () => '' }, options, context);
  const { stale, warnings, units } = result;
  if (stale.length === 0) {
    const text = () => `out/ is up to date: ${counted(units, 'unit')}.\n`;
    return finish({ ok: true, problems: warnings, json: { units, stale }, text }, options, context);
  }
  const problem = {
    code: 'out-stale',
    severity: 'error',
    message: `out/ is not what state/ compiles to: ${stale.length} of its files differ, out/${stale[0]?.path} first.`,
    remedy: 'Run "quiesce synth" and commit out/.',
    related: [],
  } as const;
  const text = () => stale.map(({ diff }) => colouredDiff(diff, terminal.style)).join('');
  return finish({ ok: false, problems: [...warnings, problem], json: { units, stale }, text }, options, context);
}

function colouredDiff(diff: string, style: Context['terminal']['style']): string {
  return diff.replaceAll(/^[-+].*$/gm, (line) => (line.startsWith('+') ? style.green(line) : style.red(line)));
}
