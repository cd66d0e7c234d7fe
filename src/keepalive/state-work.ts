import type { Author } from '../commit/commit-object.ts';
import { setClaimState } from '../edit/claim.ts';
import type { Instant } from '../instant.ts';
import { renew } from '../lifecycle/renew.ts';
import { deadlinesOf, termsOf } from '../lifecycle/terms.ts';
import { instantParts } from '../mail/language.ts';
import type { LifecycleRecord, Owner, Settings } from '../resolve/state.ts';
import type { StateClone } from '../writeback/clone.ts';
import { recordText } from '../writeback/record-text.ts';
import { readState, type StateAtTip } from '../writeback/state-at-tip.ts';
import { type Decision, writeBack } from '../writeback/write-back.ts';
import { ownerMark } from './link-token.ts';
import type { Instance, LookAnswer, Outcome, Press, RenewAnswer, Seen, Standing, Unreachable } from './press.ts';
import { renewalMessage, type WrittenRenewal } from './renewal-message.ts';
import { recordFile, type Subject, settingsAt, subjectAt } from './subject.ts';

/** What pressing would do at this instant, link by link: the page shows what the button is going to do. */
export async function look(clone: StateClone, presses: readonly Press[]): Promise<LookAnswer> {
  const opened = await openNewest(clone);
  if (opened.kind === 'failed') return opened;
  const { state, settings } = opened;
  const byId: Record<string, Seen> = {};
  for (const press of presses) byId[press.id] = (await pressOn(state, settings, press, new Map())).seen;
  return { kind: 'seen', instance: instanceOf(settings), byId };
}

/** Writes what follows from the presses, all in one commit; those that the state has already are answered the same. */
export async function renewAll(clone: StateClone, presses: readonly Press[]): Promise<RenewAnswer> {
  const opened = await openNewest(clone);
  if (opened.kind === 'failed') return opened;
  const { author } = opened.settings.git;
  const review = reviewOf(opened.settings);
  const result = await writeBack<Note>(clone, {
    author,
    ...(review !== undefined && { review }),
    decide: async (state) => decideOn(state, presses),
  });
  if (result.kind === 'failed') return unreachable(result.finding);
  if (result.note.settings === undefined) return brokenSettings;
  return {
    kind: 'written',
    ...(result.kind === 'written' && { commit: result.commit }),
    instance: instanceOf(result.note.settings),
    byId: result.note.byId,
  };
}

interface Note {
  /** Absent where the settings have errors. */
  readonly settings: Settings | undefined;
  readonly byId: Readonly<Record<string, Seen>>;
}

async function decideOn(state: StateAtTip, presses: readonly Press[]): Promise<Decision<Note>> {
  const settings = await settingsAt(state);
  if (settings === undefined) return { kind: 'nothing', note: { settings, byId: {} } };
  const records = new Map<string, LifecycleRecord>();
  const byId: Record<string, Seen> = {};
  const written: WrittenRenewal[] = [];
  for (const press of presses) {
    const { seen, renewal } = await pressOn(state, settings, press, records);
    byId[press.id] = seen;
    if (renewal !== undefined) written.push(renewal);
  }
  const note = { settings, byId };
  if (written.length === 0) return { kind: 'nothing', note };
  const edits = [];
  for (const [name, record] of records) {
    const path = recordFile(name);
    edits.push({ path, text: recordText(await state.text(path), record) });
  }
  for (const { claim, state: change } of written) {
    if (change === undefined) continue;
    edits.push({ path: change.file, text: setClaimState((await state.text(change.file)) ?? '', claim, change.to) });
  }
  return { kind: 'write', edits, note, ...renewalMessage(written) };
}

interface Pressed {
  readonly seen: Seen;
  /** What is to be written. */
  readonly renewal?: WrittenRenewal;
}

/** `records` holds those that earlier presses of the same commit have changed; a renewal is added to it. */
async function pressOn(
  state: StateAtTip,
  settings: Settings,
  { link, at }: Press,
  records: Map<string, LifecycleRecord>,
): Promise<Pressed> {
  const answer = await subjectAt(state, link.claim, settings);
  if (answer.kind === 'unreadable') return { seen: { outcome: answer, dates: {} } };
  const subject = { ...answer.subject, record: records.get(link.claim) ?? answer.subject.record, settings };
  const owner = ownerOf(subject, link.owner);
  const { identity, deadline, issuedAt } = link;
  const request = { identity, deadline, issuedAt, ...(owner !== undefined && { by: owner.email }) };
  const renewal = renew(at, subject, request);
  const outcome: Outcome =
    renewal.kind === 'refused'
      ? renewal
      : { kind: renewal.kind, sleep: renewal.deadlines.sleep, delete: renewal.deadlines.delete };
  const seen = seenBy(owner, settings, { outcome, ...standingOf(at, subject) });
  if (renewal.kind !== 'renewed') return { seen };
  records.set(link.claim, renewal.record);
  const { deadlines, state: change } = renewal;
  const renewed = { claim: link.claim, deadlines, ...(owner !== undefined && { owner }) };
  return { seen, renewal: { ...renewed, ...(change !== undefined && { state: change }) } };
}

function standingOf(
  now: Instant,
  { claim, record, settings }: Subject & { readonly settings: Settings },
): { readonly standing?: Standing } {
  if (claim === undefined || record === undefined) return {};
  const terms = termsOf(now, { claim, record, settings });
  if (terms === undefined) return {};
  const { sleep, delete: end } = deadlinesOf(terms, claim, settings);
  const { cluster, state } = claim;
  return { standing: { cluster, state, sleep, delete: end, since: terms.since } };
}

function ownerOf({ claim }: Subject, mark: string | undefined): Owner | undefined {
  return mark === undefined ? undefined : claim?.owners.find(({ email }) => ownerMark(email) === mark);
}

function seenBy(
  owner: Owner | undefined,
  settings: Settings,
  { outcome, standing }: Pick<Seen, 'outcome' | 'standing'>,
): Seen {
  const instants = [
    ...(standing === undefined ? [] : [standing.since, standing.sleep, standing.delete]),
    ...('sleep' in outcome ? [outcome.sleep, outcome.delete] : []),
  ];
  const timeZone = owner?.timeZone ?? settings.lifecycle.timeZone;
  const said = (at: Instant) => ({
    en: instantParts(new Date(at), { language: 'en', timeZone }),
    de: instantParts(new Date(at), { language: 'de', timeZone }),
  });
  return {
    outcome,
    ...(standing !== undefined && { standing }),
    ...(owner?.language !== undefined && { language: owner.language }),
    dates: Object.fromEntries(instants.map((at) => [at, said(at)])),
  };
}

type Opened = { readonly kind: 'opened'; readonly state: StateAtTip; readonly settings: Settings } | Unreachable;

/** Whoever commits before the settings are read: only merges that are never pushed. */
const nobody: Author = { name: 'Quiesce', email: 'quiesce@localhost' };

/** With renewals in a pull request, what it proposes counts as done: the same button must not be pressed twice. */
async function openNewest(clone: StateClone): Promise<Opened> {
  const base = await readState(clone, { author: nobody });
  if (base.kind === 'failed') return unreachable(base.finding);
  const settings = await settingsAt(base.state);
  if (settings === undefined) return brokenSettings;
  const review = reviewOf(settings);
  if (review === undefined) return { kind: 'opened', state: base.state, settings };
  const proposed = await readState(clone, { author: settings.git.author, review });
  return proposed.kind === 'failed'
    ? unreachable(proposed.finding)
    : { kind: 'opened', state: proposed.state, settings };
}

function reviewOf({ git }: Settings): string | undefined {
  return git.state.push === 'branch' ? git.state.pullRequestBranch : undefined;
}

const brokenSettings: Unreachable = {
  kind: 'failed',
  code: 'settings-missing',
  message: 'state/settings.yaml is missing or has errors: "quiesce validate" shows them.',
};

function unreachable({ code, message }: { readonly code: string; readonly message: string }): Unreachable {
  return { kind: 'failed', code, message };
}

function instanceOf(settings: Settings): Instance {
  const { name, mail, git } = settings;
  return {
    name,
    language: mail?.language ?? 'en',
    ...(mail !== undefined && { contact: mail.replyTo ?? mail.from }),
    isReviewed: git.state.push === 'branch',
  };
}
