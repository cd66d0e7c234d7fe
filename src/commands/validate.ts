import { validate as validateState } from '../pipeline.ts';
import { counted } from '../plan/change.ts';
import type { Problem } from '../validate/finding.ts';
import { compareForPlan } from './compare-sides.ts';
import { type Context, findRoot, type Status, UsageError } from './context.ts';
import { finish, type OutputOptions } from './outcome.ts';
import { progressText } from './terminal.ts';

export interface ValidateOptions extends OutputOptions {
  readonly policy?: boolean;
  readonly from?: string;
  readonly label?: readonly string[];
  readonly snapshot?: readonly string[];
  readonly at?: string;
}

/** `quiesce validate` */
export async function validate(options: ValidateOptions, context: Context): Promise<Status> {
  const { terminal } = context;
  if (options.policy !== true) {
    if (options.from !== undefined) throw new UsageError('--from goes with --policy');
    if (options.snapshot !== undefined) throw new UsageError('--snapshot goes with --policy');
  }
  const root = findRoot(context.directory);
  const result = await validateState({ root, onProgress: (event) => terminal.progress(progressText(event)) });
  if (result.kind === 'problems') return refuse(result.problems, options, context);
  const { warnings, units } = result;
  const approvals = options.policy === true ? await approvalProblems(root, options, context) : { problems: [] };
  if ('outcome' in approvals) return finish({ ...approvals.outcome, problemsAreTheAnswer: true }, options, context);
  const problems = [...warnings, ...approvals.problems];
  if (problems.some(({ severity }) => severity === 'error')) return refuse(problems, options, context);
  return finish(
    {
      ok: true,
      problems,
      json: { units },
      text: () =>
        problems.length === 0 ? `${terminal.style.green('Valid:')} ${counted(units, 'unit')}, no problems.\n` : '',
      problemsAreTheAnswer: true,
    },
    options,
    context,
  );
}

function refuse(problems: readonly Problem[], options: OutputOptions, context: Context): Promise<Status> {
  const failed = { ok: false, problems, json: {}, text: () => '', problemsAreTheAnswer: true };
  return finish(failed, options, context);
}

/** Objects count as well: what only they show can be what a rule is about. */
async function approvalProblems(root: string, { from, label, snapshot, at }: ValidateOptions, context: Context) {
  const sides = {
    objects: true,
    ...(from !== undefined && { from }),
    ...(label !== undefined && { label }),
    ...(snapshot !== undefined && { snapshot }),
    ...(at !== undefined && { at }),
  };
  const compared = await compareForPlan(root, sides, context);
  if (compared.kind === 'problems') return compared;
  const { missingApprovals } = await import('../report/missing-approvals.ts');
  return { problems: missingApprovals(compared) };
}
