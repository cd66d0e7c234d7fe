import { resolve } from 'node:path';
import { parseInstant } from '../instant.ts';
import type { Problems } from '../located.ts';
import { counted } from '../plan/change.ts';
import type { Rehearsal } from '../rehearsal/rehearsal.ts';
import type { Snapshot } from '../rehearsal/snapshot.ts';
import { printable } from '../report/escape.ts';
import { type Context, findRoot, type Status, UsageError } from './context.ts';
import { finish } from './outcome.ts';
import { readSnapshotFile } from './snapshot-file.ts';
import { progressText } from './terminal.ts';

export interface RehearseOptions {
  readonly snapshot?: readonly string[];
  readonly from?: string;
  readonly to?: string;
  /** Host cluster that the snapshot is of, if it calls it otherwise. */
  readonly cluster?: string;
  readonly at?: string;
  readonly json?: boolean;
}

/** `quiesce rehearse` */
export async function rehearseChange(options: RehearseOptions, context: Context): Promise<Status> {
  const { terminal } = context;
  const files = options.snapshot ?? [];
  if (files.length === 0) throw new UsageError('name a snapshot: --snapshot atlas.snapshot.gz');
  if (files.length > 1 && options.cluster !== undefined) {
    throw new UsageError('--cluster says what one snapshot is of, and there are several');
  }
  const rehearsals: Rehearsal[] = [];
  for (const file of files) {
    const read = readSnapshotFile(resolve(context.directory, file));
    if (read.kind === 'refused') return refuse(file, read, options, context);
    if (options.at === undefined) noteAge(file, read.snapshot, context);
    const answer = await rehearseOn(read.snapshot, options, context);
    if (answer.kind === 'problems') {
      return finish(
        { ok: false, problems: answer.problems, json: { at: answer.at }, text: () => '' },
        jsonOf(options),
        context,
      );
    }
    rehearsals.push(answer.rehearsal);
  }
  const { rehearsalText } = await import('../report/rehearsal/text.ts');
  const text = () => `${rehearsals.map((each) => rehearsalText(each, terminal.style).trimEnd()).join('\n\n')}\n`;
  return finish({ ok: true, problems: [], json: { rehearsals }, text }, jsonOf(options), context);
}

function jsonOf({ json }: RehearseOptions): { readonly json?: boolean } {
  return json === undefined ? {} : { json };
}

async function rehearseOn(
  snapshot: Snapshot,
  options: RehearseOptions,
  { directory, terminal }: Context,
): Promise<{ readonly kind: 'ok'; readonly rehearsal: Rehearsal } | (Problems & { readonly at: string })> {
  const { rehearse } = await import('../rehearse.ts');
  const at = options.at === undefined ? undefined : instantOf(options.at);
  const answer = await rehearse({
    root: findRoot(directory),
    from: options.from ?? 'HEAD',
    to: options.to ?? 'worktree',
    beginnings: options.from === undefined ? ['settings-missing', 'ref-unknown'] : ['settings-missing'],
    snapshot,
    ...(options.cluster !== undefined && { cluster: options.cluster }),
    ...(at !== undefined && { at }),
    onProgress: (event) => terminal.progress(progressText(event)),
  });
  if (answer.kind !== 'unknown-cluster') return answer;
  const known = answer.clusters.map(printable).join(', ');
  throw new UsageError(
    `the snapshot is of a cluster ${printable(answer.cluster)}, which the settings do not have: say with --cluster which of these it is: ${known}`,
  );
}

const hour = 3_600_000;

/** Beside the answer, which is the same for the same input. */
function noteAge(file: string, { takenAt }: Snapshot, { terminal }: Context): void {
  const hours = Math.floor((Date.now() - takenAt) / hour);
  if (hours < 1) return;
  const age = hours < 48 ? counted(hours, 'hour') : counted(Math.floor(hours / 24), 'day');
  terminal.note(`${printable(file)} is ${age} old: what runs now may be something else.\n`);
}

function instantOf(text: string): number {
  const instant = parseInstant(text);
  if (instant !== undefined) return instant;
  throw new UsageError(`--at ${printable(text)}: write an instant, such as 2027-03-31T12:00:00Z`);
}

function refuse(
  file: string,
  { why, remedy }: { readonly why: string; readonly remedy: string },
  { json }: RehearseOptions,
  { terminal }: Context,
): Status {
  if (json === true) terminal.answer(`${JSON.stringify({ ok: false, snapshot: file, why, remedy }, undefined, 2)}\n`);
  else terminal.note(`${printable(`${file}: ${why} ${remedy}`)}\n`);
  return 1;
}
