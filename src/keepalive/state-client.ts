import { type ChildProcess, fork } from 'node:child_process';
import type { LookAnswer, Press, RenewAnswer, Unreachable } from './press.ts';
import type { StateQuestion } from './state-worker.ts';

/** Git, as the page reaches it: through a process that runs while it is needed. */
export interface StateClient {
  look(presses: readonly Press[]): Promise<LookAnswer>;
  renew(presses: readonly Press[]): Promise<RenewAnswer>;
  /** Over when the process is gone. */
  close(): Promise<void>;
}

export interface StateClientOptions {
  /** Module and arguments that start the process. */
  readonly command: readonly [string, ...string[]];
  readonly environment: NodeJS.ProcessEnv;
  /** After so long without a question the process ends, and its memory is free. */
  readonly idleMs: number;
  /** After so long without an answer it is ended; nobody knows then what became of the question. */
  readonly answerMs: number;
  readonly onStart?: () => void;
}

/** The process is started when it is first asked, and again after it has ended for whatever reason. */
export function openStateClient(options: StateClientOptions): StateClient {
  let worker: Worker | undefined;
  const ask = async <Answer>(kind: StateQuestion['kind'], presses: readonly Press[]): Promise<Answer | Unreachable> => {
    if (worker === undefined || worker.isOver()) {
      worker = startWorker(options);
      options.onStart?.();
    }
    return worker.ask(kind, presses) as Promise<Answer | Unreachable>;
  };
  return {
    look: async (presses) => ask<LookAnswer>('look', presses),
    renew: async (presses) => ask<RenewAnswer>('renew', presses),
    close: async () => worker?.end(),
  };
}

interface Worker {
  isOver(): boolean;
  ask(kind: StateQuestion['kind'], presses: readonly Press[]): Promise<unknown>;
  end(): Promise<void>;
}

function startWorker({ command, environment, idleMs, answerMs }: StateClientOptions): Worker {
  const [file, ...args] = command;
  const child = fork(file, args, { env: environment, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const questions = openQuestions(child);
  const ended = new Promise<void>((done) => {
    child.once('error', (error) => {
      questions.giveUp(`git's process could not be started: ${error.message}`);
      done();
    });
    child.once('exit', (code, signal) => {
      questions.giveUp(`git's process ended with ${signal ?? `code ${code}`}`);
      done();
    });
  });
  const idle = idleTimer(child, idleMs, () => questions.closeIfIdle());
  const endAfterAll = (): NodeJS.Timeout => setTimeout(() => child.kill('SIGKILL'), answerMs);
  return {
    isOver: () => questions.isOver(),
    ask: async (kind, presses) => {
      idle.refresh();
      const timer = endAfterAll();
      return questions.ask(kind, presses).finally(() => clearTimeout(timer));
    },
    end: async () => {
      clearTimeout(idle);
      if (child.connected) child.disconnect();
      const timer = endAfterAll();
      await ended;
      clearTimeout(timer);
    },
  };
}

interface Questions extends Pick<Worker, 'ask' | 'isOver'> {
  /** No answer will come any more: each open question gets this one. */
  giveUp(message: string): void;
  /** Whether nothing is open; then nothing may be asked from now on. */
  closeIfIdle(): boolean;
}

function openQuestions(child: ChildProcess): Questions {
  const waiting = new Map<number, (answer: unknown) => void>();
  let asked = 0;
  let isOver = false;
  const giveUp = (message: string): void => {
    isOver = true;
    for (const answer of waiting.values()) answer({ kind: 'failed', code: 'worker-ended', message });
    waiting.clear();
  };
  child.on('message', ({ number, answer }: { readonly number: number; readonly answer: unknown }) => {
    waiting.get(number)?.(answer);
    waiting.delete(number);
  });
  return {
    giveUp,
    isOver: () => isOver,
    closeIfIdle: () => {
      isOver ||= waiting.size === 0;
      return isOver;
    },
    ask: async (kind, presses) => {
      asked += 1;
      const number = asked;
      const answer = new Promise<unknown>((done) => waiting.set(number, done));
      child.send({ number, kind, presses } satisfies StateQuestion, (error) => {
        if (error !== null) giveUp(`git's process does not listen: ${error.message}`);
      });
      return answer;
    },
  };
}

/** `close` says whether nothing is under way; else the timer runs once more. */
function idleTimer(child: ChildProcess, idleMs: number, close: () => boolean): NodeJS.Timeout {
  const timer = setTimeout(() => {
    if (!close()) timer.refresh();
    else if (child.connected) child.disconnect();
  }, idleMs);
  timer.unref();
  return timer;
}
