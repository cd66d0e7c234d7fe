import type { InFlightOptions, Rest, Task } from './in-flight.ts';

/** As `InFlight`, for many subjects that share one limit: what one of them asks for drops nothing of another. */
export interface SubjectsInFlight {
  /** Begins these in this order; whatever of this subject still waited from the last time is dropped. */
  offer(subject: string, tasks: readonly Task[]): void;
  settled(rest: Rest): Promise<void>;
}

export interface SubjectsOptions extends Omit<InFlightOptions, 'onEnd'> {
  onEnd(subject: string): void;
}

export function openSubjectsInFlight({ limit, onEnd, onError }: SubjectsOptions): SubjectsInFlight {
  const running = new Map<string, Promise<void>>();
  const waiting = new Map<string, Task[]>();

  const fill = () => {
    while (running.size < limit) {
      const next = takeNext(waiting);
      if (next === undefined) return;
      const [subject, task] = next;
      running.set(task.key, run(subject, task));
    }
  };
  const run = async (subject: string, { key, run }: Task) => {
    await run().catch(onError);
    running.delete(key);
    fill();
    onEnd(subject);
  };
  return {
    offer: (subject, tasks) => {
      // Also what runs: it was decided without the outcome of that.
      const rest = tasks.filter(({ key }) => !running.has(key));
      if (rest.length === 0) waiting.delete(subject);
      else waiting.set(subject, rest);
      fill();
    },
    settled: async (rest) => {
      if (rest === 'drop') waiting.clear();
      while (running.size > 0) await Promise.all(running.values());
    },
  };
}

/** One of each subject in turn, so that one with hundreds of tasks does not keep the others waiting. */
function takeNext(waiting: Map<string, Task[]>): readonly [subject: string, task: Task] | undefined {
  for (const [subject, tasks] of waiting) {
    waiting.delete(subject);
    const [task, ...rest] = tasks;
    if (rest.length > 0) waiting.set(subject, rest);
    if (task !== undefined) return [subject, task];
  }
  return undefined;
}
