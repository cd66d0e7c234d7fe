import type { Log } from '../sidecar/log.ts';
import type { KeptPresses } from './kept-presses.ts';
import { byTime, type Instance, type Press, type Seen } from './press.ts';
import type { StateClient } from './state-client.ts';

/** What became of a press. */
export type Settled =
  | { readonly kind: 'settled'; readonly seen: Seen; readonly instance: Instance }
  /** It is on disk, and is carried out as soon as git can be reached. */
  | { readonly kind: 'kept' }
  /** It could neither be kept nor carried out: the person has to press again. */
  | { readonly kind: 'lost' };

export interface Renewals {
  /** Answers when git has it, or after `answerMs`, whichever comes first. */
  press(press: Press): Promise<Settled>;
  isWaiting(id: string): boolean;
  waiting(): readonly Press[];
  /** Ends the attempt that is under way, and begins no other one. */
  stop(): Promise<void>;
}

export interface RenewalsOptions {
  readonly kept: KeptPresses;
  readonly client: StateClient;
  readonly log: Log;
  readonly wait: (milliseconds: number, stop: AbortSignal) => Promise<void>;
  readonly random: () => number;
  /** So long others may still join a commit. */
  readonly gatherMs: number;
  readonly answerMs: number;
  readonly onAttempt?: (outcome: 'written' | 'nothing' | 'failed', presses: number) => void;
  /** As soon as git has it. */
  readonly onSettled?: (press: Press, seen: Seen, instance: Instance) => void;
}

/** Enough for any burst of people, and small enough for one message between two processes. */
const largestBatch = 500;
const shortestPauseMs = 2_000;
const longestPauseMs = 300_000;

type Answer = (settled: Settled) => void;

/** Presses that come together, or while another commit is made, go into one commit. */
export function openRenewals(options: RenewalsOptions): Renewals {
  const pending = new Map(options.kept.list().map((press) => [press.id, press]));
  const answers = new Map<string, Answer[]>();
  const stop = new AbortController();
  let wake: () => void = () => undefined;
  const work = async (): Promise<void> => {
    for (let failures = 0; !stop.signal.aborted; ) {
      if (pending.size === 0) await new Promise<void>((done) => (wake = done));
      await options.wait(options.gatherMs, stop.signal);
      if (stop.signal.aborted) return;
      const isDone = await attempt(options, pending, answers);
      failures = isDone ? 0 : failures + 1;
      if (!isDone) await options.wait(pauseAfter(failures, options.random), stop.signal);
    }
  };
  const working = work();
  return {
    press: async (press) => {
      // Kept first: whoever gets an answer can rely on it, whatever happens then.
      const isKept = await keep(options, press);
      const first = pending.get(press.id) ?? press;
      pending.set(press.id, first);
      const settled = await answered(answers, press.id, options.answerMs, () => wake());
      if (isKept || settled.kind !== 'kept') return settled;
      pending.delete(press.id);
      return { kind: 'lost' };
    },
    isWaiting: (id) => pending.has(id),
    waiting: () => [...pending.values()],
    stop: async () => {
      stop.abort();
      wake();
      await working;
    },
  };
}

async function keep({ kept, log }: RenewalsOptions, press: Press): Promise<boolean> {
  try {
    await kept.keep(press);
    return true;
  } catch (error) {
    log.error({ error, claim: press.link.claim }, 'a renewal cannot be kept on disk');
    return false;
  }
}

/** Whether the next attempt may follow at once. */
async function attempt(
  options: RenewalsOptions,
  pending: Map<string, Press>,
  answers: Map<string, Answer[]>,
): Promise<boolean> {
  const { client, log, kept, onAttempt, onSettled } = options;
  const batch = [...pending.values()].sort(byTime).slice(0, largestBatch);
  const answer = await client.renew(batch);
  if (answer.kind === 'failed') {
    onAttempt?.('failed', batch.length);
    log.error({ code: answer.code, presses: batch.length }, `renewals wait: ${answer.message}`);
    for (const { id } of batch) tell(answers, id, { kind: 'kept' });
    return false;
  }
  onAttempt?.(answer.commit === undefined ? 'nothing' : 'written', batch.length);
  let isDone = true;
  for (const press of batch) {
    const seen = answer.byId[press.id];
    if (seen === undefined || seen.outcome.kind === 'unreadable') {
      log.error({ claim: press.link.claim }, 'a renewal waits: the claim or its record has errors');
      tell(answers, press.id, { kind: 'kept' });
      isDone = false;
      continue;
    }
    pending.delete(press.id);
    await kept.forget(press.id).catch((error: unknown) => log.warn({ error }, 'a renewal that is done stays on disk'));
    onSettled?.(press, seen, answer.instance);
    log.info({ claim: press.link.claim, outcome: outcomeOf(seen), commit: answer.commit }, 'the button was pressed');
    tell(answers, press.id, { kind: 'settled', seen, instance: answer.instance });
  }
  return isDone;
}

function outcomeOf({ outcome }: Seen): string {
  return outcome.kind === 'refused' ? outcome.code : outcome.kind;
}

async function answered(
  answers: Map<string, Answer[]>,
  id: string,
  answerMs: number,
  begin: () => void,
): Promise<Settled> {
  return new Promise((done) => {
    const timer = setTimeout(() => done({ kind: 'kept' }), answerMs);
    const answer: Answer = (settled) => {
      clearTimeout(timer);
      done(settled);
    };
    answers.set(id, [...(answers.get(id) ?? []), answer]);
    begin();
  });
}

function tell(answers: Map<string, Answer[]>, id: string, settled: Settled): void {
  for (const answer of answers.get(id) ?? []) answer(settled);
  answers.delete(id);
}

/** Doubled each time, and spread, so that several pages do not come back together. */
function pauseAfter(failures: number, random: () => number): number {
  return Math.min(shortestPauseMs * 2 ** (failures - 1), longestPauseMs) * (0.75 + random() / 2);
}
