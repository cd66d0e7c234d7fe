import { randomBytes } from 'node:crypto';
import type { KubeClient } from './client.ts';
import { Refused } from './failures.ts';
import { resources } from './resource.ts';

/** What people see below an object with `kubectl describe`, and with `kubectl events`. */
interface EventNote {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly action: string;
  readonly regarding: EventSubject;
  readonly related?: EventSubject;
  readonly note: string;
}

interface EventSubject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid?: string;
}

export interface Recorder {
  /** Never waits and never fails: an event that cannot be written is counted and forgotten. */
  note(note: EventNote): void;
  /** Over when everything noted so far is written, or has failed. */
  flush(): Promise<void>;
  stop(): void;
}

export interface RecorderOptions {
  readonly client: KubeClient;
  readonly controller: string;
  readonly instance: string;
  onOutcome(outcome: 'written' | 'repeated' | 'dropped' | 'failed'): void;
}

/** One event as often as it is noted within this time, with a count, as client-go has it. */
const seriesMs = 6 * 60_000;
/** The count is written not more often than this. */
const countMs = 60_000;
const mostWaiting = 1000;
const mostSeries = 2000;

interface Series {
  readonly name: string;
  readonly namespace: string;
  count: number;
  written: number;
  lastAt: number;
}

type Write = () => Promise<unknown>;

export function openRecorder(options: RecorderOptions): Recorder {
  return new SeriesRecorder(options);
}

class SeriesRecorder implements Recorder {
  readonly #options: RecorderOptions;
  readonly #known = new Map<string, Series>();
  readonly #waiting: Write[] = [];
  readonly #timer = setInterval(() => this.#sweep(), countMs).unref();
  #running: Promise<void> | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  note(note: EventNote): void {
    const key = keyOf(note);
    const series = this.#known.get(key);
    if (series !== undefined) {
      Object.assign(series, { count: series.count + 1, lastAt: performance.now() });
      this.#options.onOutcome('repeated');
      return;
    }
    if (this.#known.size >= mostSeries) this.#known.clear();
    const begun = seriesFor(note);
    this.#known.set(key, begun);
    this.#add(() => this.#options.client.read(creation(note, begun, this.#options)));
  }

  async flush(): Promise<void> {
    this.#sweep();
    await this.#running;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #add(write: Write): void {
    if (this.#waiting.length >= mostWaiting) this.#options.onOutcome('dropped');
    else this.#waiting.push(write);
    this.#running ??= this.#work();
  }

  /** One after the other: nobody waits for them, and the API server has better things to do. */
  async #work(): Promise<void> {
    for (let write = this.#waiting.shift(); write !== undefined; write = this.#waiting.shift()) {
      await write().then(
        () => this.#options.onOutcome('written'),
        () => this.#options.onOutcome('failed'),
      );
    }
    this.#running = undefined;
  }

  #sweep(): void {
    const now = performance.now();
    for (const [key, series] of this.#known) {
      if (series.count > series.written) {
        series.written = series.count;
        this.#add(() => writeCount(this.#options.client, series));
      } else if (now - series.lastAt > seriesMs) this.#known.delete(key);
    }
  }
}

function keyOf({ type, reason, action, regarding, related, note }: EventNote): string {
  return JSON.stringify([type, reason, action, regarding, related, note]);
}

function seriesFor({ regarding }: EventNote): Series {
  return {
    name: `${regarding.name.slice(0, 200)}.${randomBytes(8).toString('hex')}`,
    // Of something that has no namespace itself, Events are in this one: the API server insists.
    namespace: regarding.namespace ?? 'default',
    count: 1,
    written: 1,
    lastAt: performance.now(),
  };
}

/** Longer notes are refused. */
const longestNote = 1024;

function creation(note: EventNote, { name, namespace }: Series, { controller, instance }: RecorderOptions) {
  const body = {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name, namespace },
    eventTime: microTime(),
    reportingController: controller,
    reportingInstance: instance,
    ...note,
    note: note.note.length > longestNote ? `${note.note.slice(0, longestNote - 1)}…` : note.note,
  };
  return { verb: 'create', resource: resources.events, namespace, body } as const;
}

async function writeCount(client: KubeClient, { name, namespace, count }: Series): Promise<void> {
  const body = { series: { count, lastObservedTime: microTime() } };
  const place = { verb: 'patch', resource: resources.events, namespace, name } as const;
  try {
    await client.read({ ...place, contentType: 'application/merge-patch+json', body });
  } catch (error) {
    // Events live for an hour. What goes on for longer is seen in the status of what it is about.
    if (!(error instanceof Refused && error.status === 404)) throw error;
  }
}

function microTime(): string {
  return `${new Date().toISOString().slice(0, -1)}000Z`;
}
