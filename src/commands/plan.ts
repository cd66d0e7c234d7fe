import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type FormOptions,
  type PlanForm,
  planForms,
  planIn,
  type Refused,
  refusalIn,
  reportTarget,
} from '../report/forms.ts';
import { planJson } from '../report/plan-json.ts';
import type { Finding } from '../validate/finding.ts';
import { compareForPlan, type SideOptions } from './compare-sides.ts';
import { type Context, findRoot, type Status, UsageError } from './context.ts';
import { finish, type Outcome, type OutputOptions } from './outcome.ts';
import { writeFailed } from './replace-files.ts';

export interface PlanOptions extends SideOptions {
  readonly format?: PlanForm;
  readonly json?: boolean;
  /** Files to write reports to, besides the answer: `plan.html`, `gitlab=quality.json`. */
  readonly report?: readonly string[];
  /** Where the whole report can be seen, for the comment. */
  readonly reportUrl?: string;
  /** Bytes that the comment may have. */
  readonly limit?: number;
}

/** `quiesce plan` */
export async function plan(options: PlanOptions, context: Context): Promise<Status> {
  const targets = (options.report ?? []).map(target);
  const root = findRoot(context.directory);
  const form = options.json === true ? 'json' : (options.format ?? 'text');
  const output: OutputOptions = form === 'json' ? { json: true } : {};
  const { limit, reportUrl } = options;
  const forms = { ...(limit !== undefined && { limit }), ...(reportUrl !== undefined && { reportUrl }) };
  const compared = await compareForPlan(root, options, context);
  if (compared.kind === 'problems') {
    const failed = await writeReports(targets, (each) => refusalIn(each, compared.refused, forms), context);
    return finish(failed ?? (await refusedOutcome(form, compared, forms)), problemOutput(form), context);
  }
  const failed = await writeReports(targets, (each) => planIn(each, compared.plan, forms), context);
  if (failed !== undefined) return finish(failed, output, context);
  const text = (): Promise<string> => planIn(form, compared.plan, { ...forms, style: context.terminal.style });
  return finish({ ok: true, problems: compared.warnings, json: planJson(compared.plan), text }, output, context);
}

/** A comment or page is made for people who look at nothing else: there the problems are in it. */
async function refusedOutcome(
  form: PlanForm,
  { refused, outcome }: { readonly refused: Refused; readonly outcome: Outcome },
  options: FormOptions,
): Promise<Outcome> {
  const isWhole = form === 'markdown' || form === 'html' || form === 'gitlab' || form === 'status';
  if (!isWhole) return outcome;
  const text = await refusalIn(form, refused, options);
  return { ...outcome, text: () => text };
}

/** Problems of a side in the form asked for, where that form can hold them. */
function problemOutput(form: PlanForm): OutputOptions {
  if (form === 'json') return { json: true };
  return form === 'sarif' || form === 'github' ? { format: form } : {};
}

interface Target {
  readonly form: PlanForm;
  readonly file: string;
}

function target(text: string): Target {
  const found = reportTarget(text);
  if (found !== undefined && found.file !== '') return found;
  throw new UsageError(
    `--report ${text}: the form is not clear; name one of ${planForms.join(', ')}, as in html=${text}`,
  );
}

async function writeReports(
  targets: readonly Target[],
  make: (form: PlanForm) => Promise<string>,
  { directory }: Context,
): Promise<Outcome | undefined> {
  for (const { form, file } of targets) {
    const failed = writeReport(resolve(directory, file), await make(form));
    if (failed === undefined) continue;
    const { locate } = await import('../validate/locate.ts');
    return { ok: false, problems: locate([failed], () => undefined), json: {}, text: () => '' };
  }
  return undefined;
}

function writeReport(file: string, text: string): Finding | undefined {
  try {
    writeFileSync(file, text);
    return undefined;
  } catch (error) {
    return writeFailed(file, error, 'Name another file, or mend the permissions.');
  }
}
