import { it } from 'vitest';
import { clusterTest } from '../support/cluster-test.ts';
import { leavesNothingBehind } from './ended-early.ts';
import { walksThrough } from './walk-through.ts';

/** With Argo CD it takes a minute longer to start: playground.soak.ts, which has more of this one, too. */
clusterTest('a playground with Flux', () => {
  walksThrough({ options: ['--flux'], slept: /flux +campus\.atlas\.claim\.registrar-portal: applied [0-9a-f]{7}/ });
});

clusterTest('a playground that is ended while it starts', () => {
  it('by kill -9 of the npm that started it leaves nothing behind', { timeout: 180_000 }, () =>
    leavesNothingBehind('SIGKILL', ['npm', 'run', '--silent', 'playground', '--']),
  );
});
