import { expect, it } from 'vitest';
import { clusterTest } from '../support/cluster-test.ts';
import { waitFor } from '../support/wait.ts';
import { startSession } from './terminal-session.ts';
import { walksThrough } from './walk-through.ts';

/** With Argo CD it takes a minute longer to start: playground.soak.ts. */
clusterTest('a playground with Flux', () => {
  walksThrough({ options: ['--flux'], slept: /flux +campus\.atlas\.claim\.registrar-portal: applied [0-9a-f]{7}/ });
});

clusterTest('a playground that is ended while it starts', () => {
  it.each([
    ['by Ctrl-C', 'SIGINT', undefined],
    ['by kill -9', 'SIGKILL', undefined],
    ['by kill -9 of the npm that started it', 'SIGKILL', ['npm', 'run', '--silent', 'playground', '--']],
  ] as const)('%s leaves nothing behind', { timeout: 180_000 }, async (_how, signal, argv) => {
    const session = startSession(['--flux'], { argv });
    try {
      await session.see('control plane', 120);
      expect(session.left()).not.toEqual([]);
      session.process.kill(signal);
      await waitFor('nothing to be left', { seconds: 30 }, () => {
        const left = session.left();
        return left.length === 0 ? { met: true } : { seen: left.join(', ') };
      });
    } finally {
      session.close();
    }
  });
});
