import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gunzipSync } from 'node:zlib';

/** Argo CD's own view of one object. States are JSON; an empty one or `null` is an object that is not there. */
export interface Comparison {
  readonly group?: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** What git says. */
  readonly targetState?: string;
  /** What is there, without the differences that Argo CD is told to ignore. */
  readonly normalizedLiveState?: string;
  /** What would be there after a sync. */
  readonly predictedLiveState?: string;
  readonly modified?: boolean;
}

/**
 * The controller writes it to Redis for the web server and nowhere else. The key ends with a version of the cache's
 * format, so it is looked for.
 */
export async function comparisons(redisPort: number, application: string): Promise<readonly Comparison[]> {
  const socket = connect(redisPort, '127.0.0.1').setTimeout(5000);
  socket.once('timeout', () => socket.destroy(new Error('Redis does not answer')));
  try {
    await once(socket, 'connect');
    const keys = await ask(socket, ['KEYS', `app|managed-resources|${application}|*`]);
    const [key] = keys;
    if (key === undefined) return [];
    const [value] = await ask(socket, ['GET', key.toString()]);
    if (value === undefined) return [];
    return (JSON.parse(gunzipSync(value).toString()) ?? []) as readonly Comparison[];
  } finally {
    socket.destroy();
  }
}

/** Redis' own protocol, as far as two commands need it: strings and arrays of strings. */
async function ask(socket: Socket, command: readonly string[]): Promise<readonly Buffer[]> {
  const words = command.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
  socket.write(`*${command.length}\r\n${words.join('')}`);
  let received = Buffer.alloc(0);
  for (;;) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    received = Buffer.concat([received, chunk]);
    const values = parseReply(received);
    if (values !== undefined) return values;
  }
}

/** Undefined while there is more to come. */
function parseReply(reply: Buffer): readonly Buffer[] | undefined {
  const head = lineAt(reply, 0);
  if (head === undefined) return undefined;
  if (head.text.startsWith('-')) throw new Error(`Redis says ${head.text.slice(1)}`);
  const isArray = head.text.startsWith('*');
  const count = isArray ? Number(head.text.slice(1)) : 1;
  const values: Buffer[] = [];
  let at = isArray ? head.end : 0;
  for (let index = 0; index < count; index += 1) {
    const line = lineAt(reply, at);
    if (line === undefined) return undefined;
    const size = Number(line.text.slice(1));
    // No such key.
    if (size < 0) return values;
    if (reply.length < line.end + size + 2) return undefined;
    values.push(reply.subarray(line.end, line.end + size));
    at = line.end + size + 2;
  }
  return values;
}

function lineAt(reply: Buffer, start: number): { readonly text: string; readonly end: number } | undefined {
  const end = reply.indexOf('\r\n', start);
  return end < 0 ? undefined : { text: reply.toString('utf8', start, end), end: end + 2 };
}
