import { parseInstant } from '../instant.ts';
import { forecast } from '../lifecycle/forecast.ts';
import { hour, second } from '../lifecycle/instants.ts';
import { listFiles } from '../load/listing.ts';
import { worktree } from '../load/worktree.ts';
import type { Grouping } from '../report/forecast/text.ts';
import type { ForecastView } from '../report/forecast/words.ts';
import { readStateInput, type StateInput } from '../runner/state-input.ts';
import { toSeconds } from '../validate/grammar/duration.ts';
import { type Context, findRoot, type Status, UsageError } from './context.ts';
import { bytesAt } from './on-disk.ts';
import { finish } from './outcome.ts';

export interface ForecastOptions {
  readonly from?: string;
  readonly until?: string;
  readonly by?: Grouping;
  readonly schedules?: boolean;
  readonly json?: boolean;
  readonly ics?: boolean;
  readonly svg?: boolean;
  readonly html?: boolean;
}

/** `quiesce forecast [NAME…]` */
export async function forecastClaims(
  names: readonly string[],
  options: ForecastOptions,
  context: Context,
): Promise<Status> {
  const forms = (['json', 'ics', 'svg', 'html'] as const).filter((form) => options[form] === true);
  if (forms.length > 1) throw new UsageError(`--${forms.join(' and --')} are different answers: name one`);
  const from = options.from === undefined ? Date.now() : instantOf('--from', options.from);
  const until = untilOf(options.until ?? '180d', from);
  const answer = await readState(findRoot(context.directory));
  if (answer.kind === 'problems') {
    const refused = { ok: false, problems: answer.problems, json: {}, text: () => '' };
    return finish(refused, { json: options.json === true }, context);
  }
  const { input } = answer;
  const view = viewOf(chosen(input, names), { from, until, withSchedules: options.schedules === true });
  const { forecastJson } = await import('../report/forecast/json.ts');
  const outcome = {
    ok: true,
    problems: input.problems,
    json: options.json === true ? forecastJson(view) : {},
    text: () => textIn(forms[0] ?? 'text', view, options, context),
  };
  return finish(outcome, { json: options.json === true }, context);
}

/** As it lies on disk: what is not committed yet is what one wants to know of. */
async function readState(root: string) {
  const tree = worktree(root, await listFiles(root, { all: ['state'], tracked: [] }));
  return readStateInput({ tree, bytes: async (path) => bytesAt(root, path) });
}

function chosen(input: StateInput, names: readonly string[]): StateInput {
  const unknown = names.filter((name) => !input.claims.some((claim) => claim.name === name));
  if (unknown.length > 0) throw new UsageError(`there is no claim called ${unknown.join(', ')} that could be read`);
  return names.length === 0 ? input : { ...input, claims: input.claims.filter(({ name }) => names.includes(name)) };
}

function viewOf(input: StateInput, span: Pick<ForecastView, 'from' | 'until' | 'withSchedules'>): ForecastView {
  const { settings, claims, records, unreadable } = input;
  const isMailConfigured = settings.mail !== undefined;
  return {
    ...span,
    timeZone: settings.lifecycle.timeZone,
    claims: forecast(span.from, span.until, { settings, isMailConfigured, claims, records, unreadable }),
  };
}

async function textIn(
  form: 'text' | 'json' | 'ics' | 'svg' | 'html',
  view: ForecastView,
  { by = 'day' }: ForecastOptions,
  { terminal }: Context,
): Promise<string> {
  switch (form) {
    case 'ics':
      return (await import('../report/forecast/calendar.ts')).forecastCalendar(view);
    case 'svg':
      return (await import('../report/forecast/timeline.ts')).forecastSvg(view);
    case 'html':
      return (await import('../report/forecast/page.ts')).forecastPage(view);
    case 'json':
    case 'text':
      return (await import('../report/forecast/text.ts')).forecastText(view, by, terminal.style);
  }
}

/** Ten years: runs of an hour each are gone through one by one. */
const farthest = 3660 * 24 * hour;

function untilOf(text: string, from: number): number {
  const seconds = toSeconds(text);
  const until = seconds === undefined ? instantOf('--until', text) : from + seconds * second;
  if (until <= from) throw new UsageError(`--until ${text}: that is not after the beginning`);
  if (until - from > farthest) throw new UsageError(`--until ${text}: that is more than ten years ahead`);
  return until;
}

/** A day counts from its midnight in UTC. */
function instantOf(option: string, text: string): number {
  const instant = parseInstant(text) ?? parseInstant(`${text}T00:00:00Z`);
  if (instant !== undefined) return instant;
  throw new UsageError(
    `${option} ${text}: write a day, an instant or, for --until, a duration, such as 2027-03-31 or 90d`,
  );
}
