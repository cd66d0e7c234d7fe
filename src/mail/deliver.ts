import type { Letter } from './letter.ts';
import type { Smtp } from './smtp.ts';
import type { SmtpFailure } from './smtp-failure.ts';

/** What became of a letter. Delivered means that the mail server has accepted it; what comes then is not ours to see. */
export type Delivery =
  | { readonly kind: 'accepted'; readonly letter: Letter; readonly at: Date }
  | ({ readonly letter: Letter; readonly attempts: number } & SmtpFailure);

export interface DeliverOptions {
  readonly now: () => Date;
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Letters under way at the same time. */
  readonly parallel: number;
  /** Milliseconds before each further attempt. */
  readonly delays?: readonly number[];
  /** As soon as it is known what became of a letter. */
  readonly onDelivery?: (delivery: Delivery) => void;
}

/**
 * Long enough for a server that is busy or restarts. Greylisting asks for more, which the next run of the lifecycle
 * runner gives: what waits here is not on record yet, and would be sent again after a crash.
 */
const defaultDelays: readonly number[] = [5_000, 20_000, 60_000];

/**
 * Sends letters, those that were put off again after a while. Once the server itself fails, the rest of that round is
 * not tried: five hundred letters would meet the same silence one after another. Answers are in the order asked.
 */
export async function deliver(
  smtp: Smtp,
  letters: readonly Letter[],
  options: DeliverOptions,
): Promise<readonly Delivery[]> {
  const { delays = defaultDelays, wait } = options;
  const results = new Map<Letter, Delivery>();
  let left = letters;
  for (let attempt = 1; ; attempt += 1) {
    await sendRound(smtp, left, { ...options, attempt, results });
    left = letters.filter((letter) => results.get(letter)?.kind === 'deferred');
    const delay = delays[attempt - 1];
    if (left.length === 0 || delay === undefined) break;
    await wait(delay);
  }
  return letters.flatMap((letter) => results.get(letter) ?? []);
}

interface Round extends DeliverOptions {
  readonly attempt: number;
  readonly results: Map<Letter, Delivery>;
}

async function sendRound(smtp: Smtp, letters: readonly Letter[], round: Round): Promise<void> {
  const { attempt, results, now, parallel, onDelivery } = round;
  const queue = [...letters];
  let broken: SmtpFailure | undefined;
  const settle = (letter: Letter, failure: SmtpFailure | undefined, attempts: number): void => {
    const delivery: Delivery =
      failure === undefined ? { kind: 'accepted', letter, at: now() } : { ...failure, letter, attempts };
    results.set(letter, delivery);
    onDelivery?.(delivery);
  };
  const worker = async (): Promise<void> => {
    for (let letter = queue.shift(); letter !== undefined; letter = queue.shift()) {
      if (broken !== undefined) settle(letter, broken, attempt - 1);
      else {
        const failure = await smtp.send(letter);
        if (failure?.about === 'server') broken ??= failure;
        settle(letter, failure, attempt);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, letters.length) }, worker));
}
