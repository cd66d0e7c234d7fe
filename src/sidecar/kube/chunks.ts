import type { IncomingMessage } from 'node:http';

/** Nothing came for too long: the other side may be gone without a word. */
export class Silence extends Error {
  override readonly name = 'Silence';
}

/** The answer as it comes; throws Silence when it pauses for longer than that. */
export async function* chunks(answer: IncomingMessage, silenceMs: number): AsyncGenerator<Buffer> {
  const timer = setTimeout(() => answer.destroy(new Silence(`nothing for ${silenceMs} ms`)), silenceMs);
  try {
    for await (const chunk of answer) {
      timer.refresh();
      yield chunk as Buffer;
    }
  } finally {
    clearTimeout(timer);
  }
}

/** What lies between two newlines; the last one counts only if it is complete. */
export async function* lines(parts: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  for await (const chunk of parts) {
    let from = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, from)) {
      yield textOf([...rest, chunk.subarray(from, end)]);
      rest = [];
      from = end + 1;
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
  }
}

/** Most texts lie in one part: no copy is made of it, which V8 would let lie outside of its heap for long. */
export function textOf(parts: readonly Buffer[]): string {
  const [only] = parts;
  return only !== undefined && parts.length === 1 ? only.toString('utf8') : Buffer.concat(parts).toString('utf8');
}
