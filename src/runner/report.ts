import { counted } from '../plan/change.ts';
import { printable } from '../report/escape.ts';
import { holdLines } from './edits.ts';
import type { Run } from './run.ts';

/** Numbers of one run, for its last log line and for whoever scrapes that. */
export interface RunSummary {
  readonly claims: number;
  readonly clustersKnown: number;
  readonly clustersUnknown: number;
  readonly filesUnread: number;
  readonly mailsAccepted: number;
  readonly mailsDeferred: number;
  readonly mailsRejected: number;
  /** Of earlier runs, sent and not on record when this one began. */
  readonly mailsRemembered: number;
  readonly filesWritten: number;
  readonly asleep: number;
  readonly woken: number;
  readonly deletionsOrdered: number;
  readonly holds: number;
  readonly deadlinesPublished: number;
  /** RFC 3339: when time alone next changes a decision. */
  readonly next?: string;
}

export function summaryOf(run: Run): RunSummary {
  const { decisions, clusters, reports, published, written } = run;
  const outcomes = (outcome: string): number => reports.filter((report) => report.outcome === outcome).length;
  const states = (to: string): number => decisions.decisions.filter(({ state }) => state?.to === to).length;
  const known = clusters.filter(({ observed }) => observed.kind === 'known').length;
  return {
    claims: run.claims,
    clustersKnown: known,
    clustersUnknown: clusters.length - known,
    filesUnread: run.problems.length,
    mailsAccepted: outcomes('accepted'),
    mailsDeferred: outcomes('deferred'),
    mailsRejected: outcomes('rejected'),
    mailsRemembered: run.remembered.length,
    filesWritten: written?.kind === 'written' ? written.paths.length : 0,
    asleep: states('Sleeping'),
    woken: states('Running'),
    deletionsOrdered: states('Deleted'),
    holds: holdsOf(run).length,
    deadlinesPublished: published.count,
    ...(decisions.next.size > 0 && { next: new Date(earliest(decisions.next.values())).toISOString() }),
  };
}

/** Of ten thousand: too many for the arguments of Math.min. */
function earliest(instants: Iterable<number>): number {
  let first = Number.POSITIVE_INFINITY;
  for (const instant of instants) first = Math.min(first, instant);
  return first;
}

/**
 * Whether the run did what a run is for. What waits for a person about one claim (a refused address, a file that cannot
 * be read) is told and does not fail every run from then on.
 */
export function isComplete({ failed, clusters, reports, published, written }: Run): boolean {
  const areKnown = clusters.every(({ observed }) => observed.kind === 'known');
  const arePutOff = reports.some(({ outcome }) => outcome === 'deferred');
  return failed.length === 0 && written !== undefined && areKnown && !arePutOff && published.failures.length === 0;
}

function holdsOf({ decisions }: Run) {
  const named = decisions.decisions.flatMap(({ name, holds }) => holds.map((hold) => ({ ...hold, name })));
  return [...decisions.holds, ...named];
}

export function runJson(run: Run, dryRun: boolean): object {
  const { written, decisions, clusters, letters, complaints, published, failed, problems } = run;
  return {
    ok: isComplete(run),
    dryRun,
    summary: summaryOf(run),
    problems: [...failed, ...problems],
    complaints,
    clusters: clusters.map(({ name, observed }) => ({
      name,
      known: observed.kind === 'known',
      ...(observed.kind === 'unknown' && { why: observed.why }),
    })),
    mails: mailsOf(run, dryRun),
    ...(dryRun && { letters: letters.map(({ letter }) => ({ to: letter.to.email, text: letter.text })) }),
    decisions: decisions.decisions.map(({ name, kind, state, remove, events, holds }) => ({
      kind,
      name,
      ...(state !== undefined && { state }),
      ...(remove !== undefined && { remove }),
      events,
      holds,
    })),
    holds: decisions.holds,
    ...(written !== undefined && { commit: commitJson(written) }),
    published,
  };
}

function mailsOf({ letters, reports }: Run, dryRun: boolean) {
  return letters.map(({ mail, owner, letter }) => {
    const report = reports.find((each) => each.mail === mail && each.to === owner.email);
    const { outcome, reply } = report ?? {};
    return {
      claim: mail.claim,
      kind: mail.kind,
      to: owner.email,
      subject: letter.subject,
      ...(!dryRun && outcome !== undefined && { outcome }),
      ...(reply !== undefined && { reply }),
    };
  });
}

function commitJson(written: NonNullable<Run['written']>): object {
  if (written.kind === 'written') {
    const { kind, commit, branch, subject, paths, attempts } = written;
    return { kind, commit, branch, subject, paths, attempts };
  }
  if (written.kind === 'would-write') {
    const { kind, subject, body, edits } = written;
    return { kind, subject, body, edits: edits.map(({ path, text }) => ({ path, text: text ?? null })) };
  }
  return { kind: written.kind };
}

/** What a person wants to know of a run. */
export function runText(run: Run, dryRun: boolean): string {
  const mails = mailsOf(run, dryRun).map(
    ({ to, claim, subject, outcome }) => `${to} (${claim}): ${subject}${outcome === undefined ? '' : `: ${outcome}`}`,
  );
  const holds = holdLines(holdsOf(run));
  const unknown = run.clusters.flatMap(({ name, observed }) =>
    observed.kind === 'unknown' ? [`${name}: ${observed.why}`] : [],
  );
  const sections = [
    section(dryRun ? 'Would send' : 'Mails', mails),
    section('Of earlier runs, not on record so far: nothing is sent before it is', rememberedOf(run)),
    commitText(run),
    section('Held back', holds),
    section('Cannot be seen, so nothing is decided for them', unknown),
    section('To look at', [...run.complaints, ...refusedOf(run), ...run.published.failures]),
  ].filter((text) => text !== '');
  return sections.length === 0 ? 'There is nothing to do.\n' : sections.join('\n');
}

function rememberedOf({ remembered }: Run): string[] {
  return remembered.map(({ mail, to, outcome }) => `${to} (${mail.claim}): ${outcome}`);
}

function refusedOf({ written }: Run): string[] {
  if (written === undefined || written.kind === 'failed') return [];
  return written.note.refused.map(({ file, why }) => `${file} has to be edited by hand: ${why}.`);
}

function commitText({ written }: Run): string {
  if (written?.kind === 'would-write') {
    const files = written.edits.map(({ path, text }) => `${text === undefined ? '-' : '~'} ${path}`);
    return section(`Would commit: ${printable(written.subject)}`, [...written.body, ...files]);
  }
  if (written?.kind !== 'written') return '';
  const { commit, branch, subject, paths } = written;
  return `Committed ${commit.slice(0, 12)} to ${branch}: ${printable(subject)}\n  ${counted(paths.length, 'file')} changed.\n`;
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${title}:\n${lines.map((line) => `  ${printable(line)}\n`).join('')}`;
}
