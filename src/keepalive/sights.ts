import type { Instant } from '../instant.ts';
import type { Instance, Press, Seen } from './press.ts';
import type { StateClient } from './state-client.ts';

/** What is known of a link when its page is shown. */
export interface Sight {
  readonly seen: Seen;
  readonly instance: Instance;
  readonly at: Instant;
}

export interface Sights {
  /** Undefined when git could not be asked in time and was not before. */
  see(press: Press): Promise<Sight | undefined>;
  learn(id: string, seen: Seen, instance: Instance): void;
  /** Asks for nothing but the settings. */
  warm(): Promise<void>;
  /** The last of the settings, whatever link was asked for. */
  instance(): Instance | undefined;
  /** Why git could not be asked the last time. */
  trouble(): string | undefined;
}

export interface SightsOptions {
  readonly client: StateClient;
  readonly now: () => Instant;
  /** Younger ones are shown without asking. */
  readonly freshMs: number;
  /** Younger ones are shown at once, while git is asked for the next to come. */
  readonly usableMs: number;
  /** People do not wait longer than that for the page. */
  readonly patienceMs: number;
}

/** Links; each takes about half a kilobyte. */
const most = 4_000;
const largestBatch = 200;
/** After a failure git is left alone for so long. */
const pauseMs = 5_000;

export function openSights(options: SightsOptions): Sights {
  const { now, freshMs, usableMs, patienceMs } = options;
  const known = new Map<string, Sight>();
  let latest: Instance | undefined;
  let failure: { readonly said: string; readonly at: Instant } | undefined;
  const learn: Sights['learn'] = (id, seen, instance) => {
    latest = instance;
    known.delete(id);
    known.set(id, { seen, instance, at: now() });
    if (known.size > most) known.delete(known.keys().next().value ?? '');
  };
  const ask = async (presses: readonly Press[]): Promise<void> => {
    const answer = await options.client.look(presses);
    failure = answer.kind === 'failed' ? { said: answer.message, at: now() } : undefined;
    if (answer.kind === 'failed') return;
    latest = answer.instance;
    for (const [id, seen] of Object.entries(answer.byId)) learn(id, seen, answer.instance);
  };
  const want = together(ask);
  return {
    learn,
    warm: async () => ask([]),
    instance: () => latest,
    trouble: () => failure?.said,
    see: async (press) => {
      const before = known.get(press.id);
      const age = before === undefined ? Number.POSITIVE_INFINITY : now() - before.at;
      if (age < freshMs || (failure !== undefined && now() - failure.at < pauseMs)) return before;
      const asked = want(press);
      if (age >= usableMs) await inTime(asked, patienceMs);
      return known.get(press.id);
    },
  };
}

/** Links that are asked for while git is being asked are asked for together, next. */
function together(ask: (presses: readonly Press[]) => Promise<void>): (press: Press) => Promise<void> {
  const wanted = new Map<string, Wanted>();
  let isAsking = false;
  const work = async (): Promise<void> => {
    isAsking = true;
    while (wanted.size > 0) {
      const batch = [...wanted.values()].slice(0, largestBatch);
      for (const { press } of batch) wanted.delete(press.id);
      await ask(batch.map(({ press }) => press));
      for (const { done } of batch) done();
    }
    isAsking = false;
  };
  return (press) => {
    const waiting = wanted.get(press.id) ?? newlyWanted(press);
    wanted.set(press.id, waiting);
    // It never throws: what fails is an answer.
    if (!isAsking) void work();
    return waiting.asked;
  };
}

interface Wanted {
  readonly press: Press;
  readonly asked: Promise<void>;
  done(): void;
}

function newlyWanted(press: Press): Wanted {
  const { promise: asked, resolve: done } = withResolvers();
  return { press, asked, done };
}

function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

async function inTime(work: Promise<void>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((done) => {
    timer = setTimeout(done, milliseconds);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
