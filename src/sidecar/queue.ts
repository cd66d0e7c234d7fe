/** Turns to be given, each key at most once at a time and in the order in which they were asked for. */
export interface WorkQueue {
  /** Asks for a turn. False when the queue is full: then only a resync brings the key back. */
  add(key: string): boolean;
  /** The same for what has been waited for and comes once: it need not rest after the turn before. */
  hurry(key: string): boolean;
  /** Asks for a turn then, unless one comes before. */
  addAt(key: string, epochMs: number): void;
  readonly depth: number;
  /** No further turns. */
  stop(): void;
}

export interface QueueOptions {
  /** One turn; throws when it is to be repeated. */
  readonly work: (key: string) => void;
  /** How many keys may wait at once. */
  readonly limit: number;
  /** Between two turns of one key at least: what changes in bursts is looked at once. */
  readonly gapMs: number;
  readonly now: () => number;
  readonly backoffMs: (failures: number) => number;
  readonly onFailure: (key: string, error: unknown, failures: number) => void;
}

interface Entry {
  isWaiting: boolean;
  failures: number;
  /** No turn before: on a clock that does not jump. */
  notBefore: number;
  turn: NodeJS.Timeout | undefined;
  later: { readonly at: number; readonly timer: NodeJS.Timeout } | undefined;
}

/** The longest that a timer takes; a later instant is asked for again when it is over. */
const longestTimerMs = 2_000_000_000;

export function openQueue(options: QueueOptions): WorkQueue {
  return new TurnQueue(options);
}

/**
 * The API server may well be on the same machine, so turns of a key take a tenth of the time; those that are so long that
 * nobody would want to wait for the next one, a quarter.
 */
export function restAfter(ms: number): number {
  return Math.max(3 * ms, Math.min(9 * ms, longestRestMs));
}

const longestRestMs = 500;

class TurnQueue implements WorkQueue {
  readonly #options: QueueOptions;
  readonly #entries = new Map<string, Entry>();
  #depth = 0;
  #isStopped = false;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  get depth(): number {
    return this.#depth;
  }

  add(key: string): boolean {
    const { notBefore, isWaiting } = this.#entry(key);
    return isWaiting ? !this.#isStopped : this.#ask(key, notBefore - performance.now());
  }

  hurry(key: string): boolean {
    return this.#ask(key, 0);
  }

  #ask(key: string, inMs: number): boolean {
    const entry = this.#entry(key);
    if (this.#isStopped || (!entry.isWaiting && this.#depth >= this.#options.limit)) return false;
    if (!entry.isWaiting) this.#depth += 1;
    entry.isWaiting = true;
    clearTimeout(entry.turn);
    entry.turn = setTimeout(() => this.#take(key, entry), Math.max(0, inMs));
    return true;
  }

  addAt(key: string, epochMs: number): void {
    this.#later(key, epochMs - this.#options.now());
  }

  stop(): void {
    this.#isStopped = true;
    for (const { turn, later } of this.#entries.values()) {
      clearTimeout(turn);
      clearTimeout(later?.timer);
    }
  }

  #take(key: string, entry: Entry): void {
    const { work, gapMs, onFailure, backoffMs } = this.#options;
    this.#depth -= 1;
    clearTimeout(entry.later?.timer);
    Object.assign(entry, { isWaiting: false, later: undefined });
    const begun = performance.now();
    try {
      work(key);
      entry.failures = 0;
    } catch (error) {
      entry.failures += 1;
      onFailure(key, error, entry.failures);
      this.#later(key, backoffMs(entry.failures));
    }
    const end = performance.now();
    entry.notBefore = end + Math.max(gapMs, restAfter(end - begun));
  }

  /** The earliest that was asked for since the last turn. */
  #later(key: string, inMs: number): void {
    const entry = this.#entry(key);
    const ms = Math.min(Math.max(inMs, 0), longestTimerMs);
    const at = performance.now() + ms;
    if (this.#isStopped || (entry.later !== undefined && entry.later.at <= at)) return;
    clearTimeout(entry.later?.timer);
    const timer = setTimeout(() => {
      entry.later = undefined;
      this.add(key);
    }, ms);
    entry.later = { at, timer };
  }

  #entry(key: string): Entry {
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const entry: Entry = {
      isWaiting: false,
      failures: 0,
      notBefore: Number.NEGATIVE_INFINITY,
      turn: undefined,
      later: undefined,
    };
    this.#entries.set(key, entry);
    return entry;
  }
}
