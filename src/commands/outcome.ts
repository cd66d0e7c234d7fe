import type { Problem } from '../validate/finding.ts';
import type { Context, Status } from './context.ts';

type ProblemFormat = 'text' | 'json' | 'sarif' | 'github';

export interface OutputOptions {
  readonly json?: boolean;
  readonly format?: ProblemFormat;
}

/** What came of a command, before anybody has decided how to show it. */
export interface Outcome {
  readonly ok: boolean;
  /** Errors when it is not ok, else warnings. */
  readonly problems: readonly Problem[];
  /** What a program gets besides `ok` and `problems`. */
  readonly json: object;
  /** What a person gets on stdout; empty for nothing. */
  readonly text: () => string | Promise<string>;
  /** Set where the problems are what was asked for: then they go to stdout, too. */
  readonly problemsAreTheAnswer?: boolean;
}

/** Shows the outcome as asked for and gives the exit status. */
export async function finish(outcome: Outcome, options: OutputOptions, context: Context): Promise<Status> {
  const { terminal } = context;
  const { problems } = outcome;
  switch (formatOf(options, context.environment)) {
    case 'json':
      terminal.answer(`${JSON.stringify({ ok: outcome.ok, ...outcome.json, problems }, undefined, 2)}\n`);
      break;
    case 'sarif': {
      const { sarif } = await import('../report/sarif.ts');
      terminal.answer(sarif(problems));
      break;
    }
    case 'github':
      await annotate(problems, context);
      await showText(outcome, context);
      break;
    case 'text':
      await showText(outcome, context);
      break;
  }
  return outcome.ok ? 0 : 1;
}

/** In a GitHub workflow, problems become annotations unless another form was asked for. */
function formatOf({ json, format }: OutputOptions, environment: NodeJS.ProcessEnv): ProblemFormat {
  if (json === true) return 'json';
  return format ?? (environment.GITHUB_ACTIONS === 'true' ? 'github' : 'text');
}

async function annotate(problems: readonly Problem[], { terminal }: Context): Promise<void> {
  if (problems.length === 0) return;
  const { githubAnnotations } = await import('../report/github.ts');
  // On stderr, which workflows read as well: stdout may be on its way into a file.
  terminal.note(githubAnnotations(problems));
}

/** What is wrong stands last, where the eye is on a terminal; warnings stand before what was done all the same. */
async function showText(outcome: Outcome, context: Context): Promise<void> {
  if (outcome.ok) await showProblems(outcome, context);
  const text = await outcome.text();
  if (text !== '') context.terminal.answer(text);
  if (!outcome.ok) await showProblems(outcome, context);
}

async function showProblems({ problems, problemsAreTheAnswer }: Outcome, { terminal }: Context): Promise<void> {
  if (problems.length === 0) return;
  const { problemText } = await import('../report/problems.ts');
  if (problemsAreTheAnswer === true) terminal.answer(problemText(problems, terminal.style, terminal.width));
  else terminal.note(problemText(problems, terminal.noteStyle, terminal.width));
}
