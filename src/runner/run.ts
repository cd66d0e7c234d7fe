import { decide } from '../lifecycle/decide.ts';
import type {
  ClockWitness,
  DeliveryReport,
  LifecycleDecisions,
  LifecycleInput,
  MailCapability,
} from '../lifecycle/decision.ts';
import type { AddressedMail } from '../mail/post.ts';
import type { Problem } from '../validate/finding.ts';
import { locate } from '../validate/locate.ts';
import { type CloneOptions, openClone, type StateClone } from '../writeback/clone.ts';
import { whyNoPush } from '../writeback/may-push.ts';
import type { StateAtTip } from '../writeback/state-at-tip.ts';
import { type Decision, type WriteResult, writeBack } from '../writeback/write-back.ts';
import { type Edits, editsFor } from './edits.ts';
import { messageFor } from './message.ts';
import { type ClusterAccess, type ClusterView, observeClusters } from './observe.ts';
import { openPostOffice, type PostOffice, type PostOptions } from './post.ts';
import { type Published, publishDeadlines } from './publish.ts';
import { type NewestState, readNewest } from './read-newest.ts';
import { readStateInput, type StateInput } from './state-input.ts';
import { openUnrecorded, type UnrecordedAnswer } from './unrecorded.ts';

export interface RunOptions {
  readonly git: CloneOptions;
  readonly clusters: ClusterAccess;
  readonly post: PostOptions;
  /** Epoch milliseconds, by this machine's clock. */
  readonly now: () => number;
  readonly dryRun: boolean;
  readonly onStep?: (step: 'read' | 'observe' | 'decide' | 'mail' | 'write' | 'publish') => void;
}

/** What one run saw and did. */
export interface Run {
  /** The state itself, or git, left nothing to go on. */
  readonly failed: readonly Problem[];
  /** Files that were left out, because they cannot be read. */
  readonly problems: readonly Problem[];
  readonly claims: number;
  readonly clusters: readonly ClusterView[];
  readonly complaints: readonly string[];
  readonly decisions: LifecycleDecisions;
  readonly letters: readonly AddressedMail[];
  readonly reports: readonly DeliveryReport[];
  /** What earlier runs have sent, and git had not taken: this run puts it on record, and sends nothing. */
  readonly remembered: readonly DeliveryReport[];
  readonly written?: WriteResult<Written>;
  readonly published: Published;
}

/** What stood behind one commit. */
interface Written {
  readonly input: StateInput;
  readonly decisions: LifecycleDecisions;
  readonly refused: Edits['refused'];
}

/**
 * One run: look at git and at the clusters, decide, send what is to be said first, and only then write down that it was
 * said, together with what follows. Whatever fails on the way, the next run begins anew from what is on record.
 */
export async function runLifecycle(options: RunOptions): Promise<Run> {
  const clone = openClone(options.git);
  try {
    options.onStep?.('read');
    const newest = await readNewest(clone);
    if (newest.kind === 'failed') return { ...nothingDone, failed: newest.problems };
    return await runOn(clone, newest.newest, options);
  } finally {
    clone.close();
  }
}

const nothingDone: Run = {
  failed: [],
  problems: [],
  claims: 0,
  clusters: [],
  complaints: [],
  decisions: { decisions: [], holds: [], deadlines: new Map(), next: new Map() },
  letters: [],
  reports: [],
  remembered: [],
  published: { count: 0, failures: [] },
};

async function runOn(clone: StateClone, newest: NewestState, options: RunOptions): Promise<Run> {
  const { now, onStep, dryRun } = options;
  const { state, input } = newest;
  const sight = await lookAround(newest, options);
  const { clusters, memory, remembered, post, scene, first } = sight;
  const seen = { ...nothingDone, problems: input.problems, claims: input.claims.length, clusters, remembered };
  onStep?.('mail');
  const letters = await lettersFor(state, sight);
  const { decisions } = first;
  // What cannot be put on record would be sent again by every run.
  const obstacle =
    dryRun || letters.length === 0
      ? undefined
      : await whyNoPush(clone, { commit: state.commit, review: newest.review });
  if (obstacle !== undefined) return { ...seen, decisions, failed: locate([obstacle], () => undefined) };
  const reports = dryRun ? letters.map((letter) => asAccepted(letter, now())) : await post.send(letters);
  const complaints = [...post.complaints, ...(dryRun ? [] : await keep(memory, reports))];
  onStep?.('write');
  const isNews = reports.length > 0;
  const told = { ...scene, reports: isNews ? reports : remembered, now };
  const written = await write(clone, newest, { ...told, dryRun, ...(!isNews && { first }) });
  const done = { ...seen, complaints, letters, reports, written };
  if (written.kind === 'failed') return { ...done, decisions, failed: locate([written.finding], () => undefined) };
  if (!dryRun) complaints.push(...(await forget(memory, told.reports)));
  onStep?.('publish');
  const { note } = written;
  const published = dryRun
    ? nothingDone.published
    : await publishDeadlines({ ...note.decisions, claims: note.input.claims, clusters });
  return { ...done, decisions: note.decisions, published };
}

/** All that a run knows before it does anything. */
interface Sight {
  readonly clusters: readonly ClusterView[];
  readonly memory: UnrecordedAnswer;
  readonly remembered: readonly DeliveryReport[];
  readonly post: PostOffice;
  readonly scene: Scene;
  readonly first: Decided;
}

async function lookAround({ state, input }: NewestState, options: RunOptions): Promise<Sight> {
  const { now, onStep } = options;
  onStep?.('observe');
  const clusters = await observeClusters(input.settings.clusters, options.clusters);
  const memory = await openUnrecorded(homeOf(clusters, input));
  const remembered = memory.kind === 'known' ? memory.unrecorded.reports : [];
  const post = openPostOffice(input.settings, options.post);
  const scene = { clusters, mail: capabilityOf(post.capability, memory) };
  onStep?.('decide');
  const first = await decideOn(state, input, { ...scene, reports: remembered, now });
  return { clusters, memory, remembered, post, scene, first };
}

/** None while git does not have what was sent before. */
async function lettersFor(state: StateAtTip, { remembered, first, post }: Sight): Promise<readonly AddressedMail[]> {
  const mails = first.decisions.decisions.flatMap((decision) => decision.mails);
  return mails.length === 0 || remembered.length > 0 ? [] : post.compose(state, mails);
}

function homeOf(clusters: readonly ClusterView[], { settings }: StateInput): ClusterView | undefined {
  const home = settings.clusters.find((cluster) => cluster.home);
  return clusters.find(({ name }) => name === home?.name);
}

function capabilityOf(capability: MailCapability, memory: UnrecordedAnswer): MailCapability {
  if (capability.kind !== 'ready' || memory.kind === 'known') return capability;
  return { kind: 'down', why: `nobody knows what was sent before: ${memory.why}` };
}

async function keep(memory: UnrecordedAnswer, reports: readonly DeliveryReport[]): Promise<string[]> {
  const answered = reports.filter(isAnswered);
  const why = answered.length === 0 || memory.kind === 'unknown' ? undefined : await memory.unrecorded.keep(answered);
  return why === undefined ? [] : [`Should git refuse the record of these mails, they will be sent again: ${why}`];
}

async function forget(memory: UnrecordedAnswer, reports: readonly DeliveryReport[]): Promise<string[]> {
  const why = memory.kind === 'unknown' || !reports.some(isAnswered) ? undefined : await memory.unrecorded.forget();
  return why === undefined ? [] : [`The next run will send nothing, since it does not hear of this commit: ${why}`];
}

function isAnswered({ outcome }: DeliveryReport): boolean {
  return outcome !== 'deferred';
}

/** What does not change between attempts to write. */
interface Scene {
  readonly clusters: readonly ClusterView[];
  readonly mail: MailCapability;
}

interface DecideOptions extends Scene {
  readonly reports: readonly DeliveryReport[];
  readonly now: () => number;
}

interface Decided {
  readonly input: StateInput;
  readonly decisions: LifecycleDecisions;
}

/** What is decided about claims that were not read is a hint that they have to be, and no more. */
async function decideOn(state: StateAtTip, input: StateInput, options: DecideOptions): Promise<Decided> {
  const decisions = decide(options.now(), inputFor(input, options));
  const names = new Set(decisions.decisions.filter(({ kind }) => kind === 'claim').map(({ name }) => name));
  const files = input.claims.filter(({ name }) => names.has(name)).map(({ origin }) => origin.file);
  const unread = files.filter((file) => input.unread.has(file));
  if (unread.length === 0) return { input, decisions };
  const answer = await readStateInput(state, new Set(unread));
  const full = answer.kind === 'ok' ? answer.input : input;
  return { input: full, decisions: decide(options.now(), inputFor(full, options)) };
}

function inputFor(input: StateInput, { clusters, mail, reports }: Omit<DecideOptions, 'now'>): LifecycleInput {
  return {
    ...input,
    mail,
    reports,
    clocks: clusters.map(({ clock }) => clock).filter((clock): clock is ClockWitness => clock !== undefined),
    clusters: new Map(clusters.map(({ name, observed }) => [name, observed])),
  };
}

/** A rehearsal shows the commit that follows when the mail server takes everything. */
function asAccepted({ mail, owner }: AddressedMail, at: number): DeliveryReport {
  return { mail, to: owner.email, at, outcome: 'accepted' };
}

interface WriteOptions extends DecideOptions {
  readonly dryRun: boolean;
  /** What was decided before, where there is nothing new to know since then. */
  readonly first?: Decided;
}

/** Decides again on whatever is the newest state by then, knowing which mails were accepted. */
async function write(
  clone: StateClone,
  newest: NewestState,
  { dryRun, first, ...options }: WriteOptions,
): Promise<WriteResult<Written>> {
  // With nothing to do for what was read, whatever came since is for the next run. What is to be put on record is not
  // known to be there until the newest state shows it.
  const isNothing = first?.decisions.decisions.length === 0 && options.reports.length === 0;
  if (isNothing && newest.review === undefined) {
    return { kind: 'nothing', note: { ...first, refused: [] }, attempts: 0 };
  }
  return writeBack<Written>(clone, {
    author: newest.input.settings.git.author,
    dryRun,
    ...(newest.review !== undefined && { review: newest.review }),
    decide: async (state): Promise<Decision<Written>> => {
      const isKnown = state.commit === newest.state.commit;
      const { input, decisions } =
        isKnown && first !== undefined
          ? first
          : await decideOn(state, isKnown ? newest.input : await inputAt(state, newest.input), options);
      const { edits, done, refused } = await editsFor(state, decisions.decisions);
      const note = { input, decisions, refused };
      if (edits.length === 0) return { kind: 'nothing', note };
      return { kind: 'write', edits, ...messageFor(done, options.reports), note };
    },
  });
}

/** Settings that somebody broke meanwhile do not keep deliveries off the record: the earlier ones stand in. */
async function inputAt(state: StateAtTip, earlier: StateInput): Promise<StateInput> {
  const answer = await readStateInput(state);
  return answer.kind === 'ok' ? answer.input : earlier;
}
