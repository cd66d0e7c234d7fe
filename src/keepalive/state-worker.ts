import { openClone } from '../writeback/clone.ts';
import type { Press, Unreachable } from './press.ts';
import { look, renewAll } from './state-work.ts';

/** What the page asks of the process that works with git. */
export interface StateQuestion {
  readonly number: number;
  readonly kind: 'look' | 'renew';
  readonly presses: readonly Press[];
}

export interface StateWorkerOptions {
  readonly url: string;
  readonly branch: string;
  readonly work: string;
  readonly credentials?: string;
}

/**
 * Reads and writes git for the page, in a process of its own: it needs the compiler's whole front half, three times the
 * memory that the page has, and only while somebody uses the page. Answers questions one after another until the page
 * closes the channel.
 */
export async function runStateWorker(options: StateWorkerOptions): Promise<void> {
  const clone = openClone(options);
  let last: Promise<void> = Promise.resolve();
  process.on('message', (question: StateQuestion) => {
    last = last.then(async () => {
      const answer = await answerTo(clone, question);
      // The page may have gone meanwhile; what was written is written, and it will find it so when it asks again.
      if (process.connected) process.send?.({ number: question.number, answer }, undefined, {}, () => undefined);
    });
  });
  await new Promise<void>((done) => process.once('disconnect', done));
  await last;
  clone.close();
}

async function answerTo(clone: Parameters<typeof look>[0], { kind, presses }: StateQuestion) {
  try {
    return kind === 'look' ? await look(clone, presses) : await renewAll(clone, presses);
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { kind: 'failed', code: 'internal', message } satisfies Unreachable;
  }
}
