import { type Compared, compare } from '../compare.ts';
import { type Instant, parseInstant } from '../instant.ts';
import type { Problems } from '../located.ts';
import { printable } from '../report/escape.ts';
import type { Refused } from '../report/forms.ts';
import { type Context, UsageError } from './context.ts';
import type { Outcome } from './outcome.ts';
import { progressText } from './terminal.ts';

export interface SideOptions {
  readonly from?: string;
  readonly to?: string;
  readonly objects?: boolean;
  /** Labels of the pull request; those of `QUIESCE_LABELS` come on top. */
  readonly label?: readonly string[];
  /** Snapshots to rehearse on: `atlas.snapshot.gz`, or `atlas=FILE` where it calls its cluster otherwise. */
  readonly snapshot?: readonly string[];
  /** Instant by which they are dated. */
  readonly at?: string;
}

export interface NotCompared {
  readonly kind: 'problems';
  readonly refused: Refused;
  readonly outcome: Outcome;
}

/** The two states that the options name, compared; or what to answer where one of them cannot be. */
export async function compareForPlan(
  root: string,
  options: SideOptions,
  context: Context,
): Promise<Compared | NotCompared> {
  const { terminal, environment } = context;
  const { snapshot = [], at } = options;
  const instant = at === undefined ? undefined : instantOf(at);
  const between = { from: options.from ?? 'HEAD', to: options.to ?? 'worktree' };
  const compared = await compare({
    root,
    ...between,
    objects: options.objects === true,
    labels: [...(options.label ?? []), ...(environment.QUIESCE_LABELS ?? '').split(',')],
    // A repository without a commit is how every instance begins, as long as nobody named one.
    beginnings: options.from === undefined ? ['settings-missing', 'ref-unknown'] : ['settings-missing'],
    ...(snapshot.length > 0 && {
      rehearse: async (sides) => {
        const { rehearseOnFiles } = await import('./rehearse-on-files.ts');
        return rehearseOnFiles(sides, snapshot, {
          ...between,
          directory: context.directory,
          ...(instant !== undefined && { at: instant }),
        });
      },
    }),
    onProgress: (event) => terminal.progress(progressText(event)),
  });
  if (compared.kind === 'problems') {
    const { at, problems } = compared;
    return { kind: 'problems', refused: { at, problems }, outcome: refusal(compared, context) };
  }
  if (compared.isFirst) {
    terminal.note(`There is no state at ${printable(options.from ?? 'HEAD')} yet: compared with nothing.\n`);
  }
  return compared;
}

function instantOf(text: string): Instant {
  const instant = parseInstant(text);
  if (instant !== undefined) return instant;
  throw new UsageError(`--at ${printable(text)}: write an instant, such as 2027-03-31T12:00:00Z`);
}

function refusal({ at, problems }: Problems & { readonly at: string }, { terminal }: Context): Outcome {
  const isThere = problems.every(({ code }) => code !== 'ref-unknown' && code !== 'snapshot-refused');
  if (isThere) terminal.note(`The state ${where(at)} has problems, so there is nothing to compare.\n`);
  return { ok: false, problems, json: { at }, text: () => '' };
}

function where(ref: string): string {
  return ref === 'worktree' ? 'in the work tree' : `at ${printable(ref)}`;
}
