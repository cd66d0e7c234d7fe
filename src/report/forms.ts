import type { Plan } from '../plan/plan.ts';
import type { Problem } from '../validate/finding.ts';
import type { MarkdownOptions } from './plan-markdown.ts';
import { plainStyle, type Style } from './style.ts';

export const planForms = ['text', 'markdown', 'json', 'html', 'sarif', 'github', 'gitlab', 'status'] as const;
export type PlanForm = (typeof planForms)[number];

export interface FormOptions extends MarkdownOptions {
  /** Of text; without one it is plain. */
  readonly style?: Style;
}

/** Two states of which one cannot be compared. */
export interface Refused {
  /** The side that has the problems. */
  readonly at: string;
  readonly problems: readonly Problem[];
}

/** Only the form that is asked for is loaded. */
export async function planIn(form: PlanForm, plan: Plan, options: FormOptions = {}): Promise<string> {
  switch (form) {
    case 'text':
      return (await import('./plan.ts')).planText(plan, options.style ?? plainStyle);
    case 'markdown':
      return (await import('./plan-markdown.ts')).planMarkdown(plan, options);
    case 'json':
      return jsonText({ ok: true, ...(await import('./plan-json.ts')).planJson(plan) });
    case 'html':
      return (await import('./html/plan-page.ts')).planHtml(plan);
    case 'sarif':
      return (await import('./plan-sarif.ts')).planSarif(plan);
    case 'github':
      return (await import('./plan-annotations.ts')).planAnnotations(plan);
    case 'gitlab':
      return (await import('./plan-gitlab.ts')).planGitlab(plan);
    case 'status':
      return `${(await import('./plan.ts')).statusLine(plan)}\n`;
  }
}

/** The same where there is nothing to compare: a comment or page from before must not be left standing. */
export async function refusalIn(form: PlanForm, refused: Refused, options: FormOptions = {}): Promise<string> {
  const { problems, at } = refused;
  switch (form) {
    case 'text':
      return (await import('./problems.ts')).problemText(problems, options.style ?? plainStyle);
    case 'markdown':
      return (await import('./refusal-markdown.ts')).refusalMarkdown(refused, options);
    case 'json':
      return jsonText({ ok: false, at, problems });
    case 'html':
      return (await import('./html/refusal-page.ts')).refusalHtml(refused);
    case 'sarif':
      return (await import('./sarif.ts')).sarif(problems);
    case 'github':
      return (await import('./github.ts')).githubAnnotations(problems);
    case 'gitlab':
      return (await import('./plan-gitlab.ts')).problemsGitlab(problems);
    case 'status':
      return `The state has ${(await import('./problems.ts')).problemsSummary(problems)}\n`;
  }
}

function jsonText(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** `plan.html` or `gitlab=quality.json`: the form by its name, else by the ending of the file. */
export function reportTarget(text: string): { readonly form: PlanForm; readonly file: string } | undefined {
  const named = planForms.find((form) => text.startsWith(`${form}=`));
  if (named !== undefined) return { form: named, file: text.slice(named.length + 1) };
  const form = endings[/\.(\w+)$/.exec(text)?.[1] ?? ''];
  return form === undefined ? undefined : { form, file: text };
}

const endings: Readonly<Record<string, PlanForm>> = {
  html: 'html',
  htm: 'html',
  md: 'markdown',
  json: 'json',
  sarif: 'sarif',
  txt: 'text',
};
