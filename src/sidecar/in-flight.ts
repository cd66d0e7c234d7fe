/**
 * What was begun and is not over: nothing is begun twice, and no more than so many at once. What finds no room waits,
 * until the next pass says anew what is to be done.
 */
export interface InFlight {
  /** Begins these in this order; whatever still waited from the last time is dropped. */
  offer(tasks: readonly Task[]): void;
  readonly size: number;
  /** Over when nothing is under way. What waits is begun first, or dropped. */
  settled(rest: Rest): Promise<void>;
}

export type Rest = 'begin' | 'drop';

export interface Task {
  readonly key: string;
  readonly run: () => Promise<void>;
}

export interface InFlightOptions {
  readonly limit: number;
  /** After each that is over, whichever way. */
  onEnd(): void;
  /** What a task did not handle itself: a mistake of ours. */
  onError(error: unknown): void;
}

export function openInFlight({ limit, onEnd, onError }: InFlightOptions): InFlight {
  const running = new Map<string, Promise<void>>();
  let waiting: Task[] = [];

  const fill = () => {
    while (running.size < limit) {
      const task = waiting.shift();
      if (task === undefined) return;
      running.set(task.key, run(task));
    }
  };
  const run = async ({ key, run }: Task) => {
    await run().catch(onError);
    running.delete(key);
    fill();
    onEnd();
  };
  return {
    offer: (tasks) => {
      // Not only when its turn comes: what was decided while it was under way was decided without its outcome.
      waiting = tasks.filter(({ key }) => !running.has(key));
      fill();
    },
    get size() {
      return running.size;
    },
    settled: async (rest) => {
      if (rest === 'drop') waiting = [];
      while (running.size > 0) await Promise.all(running.values());
    },
  };
}
