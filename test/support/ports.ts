import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { ProgramEnded } from './program.ts';
import type { Look } from './wait.ts';

const attempts = 5;

export type ChoosePorts = (count: number) => Promise<readonly number[]>;

/**
 * Starts programs on ports that the system says are free. Between that answer and the program's own listening another
 * process may take one; then all of it is tried again on others. What a failed start has started it must have stopped.
 */
export async function onFreePorts<T>(
  count: number,
  start: (ports: readonly number[]) => Promise<T>,
  choose: ChoosePorts = freePorts,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(await choose(count));
    } catch (error) {
      if (!(error instanceof ProgramEnded && error.portTaken) || attempt === attempts) throw error;
    }
  }
}

/** All held at once, so that no two are the same. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

/** A look for a wait: every address, `PORT/PATH`, says it is well. */
export async function answersHttp(addresses: Readonly<Record<string, string>>): Promise<Look<true>> {
  const seen: string[] = [];
  for (const [name, address] of Object.entries(addresses)) {
    const status = await fetch(`http://127.0.0.1:${address}`, { signal: AbortSignal.timeout(3000) }).then(
      (answer) => answer.status,
      () => undefined,
    );
    if (status !== 200) seen.push(`${name}: ${status === undefined ? 'no answer' : `status ${status}`}`);
  }
  return seen.length === 0 ? { met: true } : { seen: seen.join(', ') };
}
