import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Lived } from './worker.ts';

export interface LiveThrough {
  readonly seeds: readonly number[];
  readonly processes: number;
  readonly onLived: (lived: Lived) => void;
}

/**
 * Lives through the worlds of these seeds in processes of their own, from one bundle: in a module of a test, each call of
 * another module goes through a proxy, and it takes twice the time.
 */
export async function liveThrough({ seeds, processes, onLived }: LiveThrough): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'quiesce-simulation-'));
  try {
    const program = join(folder, 'worker.mjs');
    const worker = fileURLToPath(new URL('./worker.ts', import.meta.url));
    await build({ entryPoints: [worker], outfile: program, bundle: true, platform: 'node', format: 'esm' });
    const left = [...seeds];
    await Promise.all(Array.from({ length: processes }, async () => work(program, left, onLived)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function work(program: string, left: number[], onLived: (lived: Lived) => void): Promise<void> {
  // What lives for one decision shall not be copied about.
  const child = fork(program, { execArgv: ['--max-semi-space-size=32'] });
  const exit = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`a simulation ended with ${signal ?? code}`);
  });
  try {
    for (let seed = left.shift(); seed !== undefined; seed = left.shift()) {
      child.send(seed);
      const [lived] = (await Promise.race([once(child, 'message'), exit])) as [Lived];
      onLived(lived);
    }
  } finally {
    exit.catch(() => undefined);
    child.kill();
  }
}
