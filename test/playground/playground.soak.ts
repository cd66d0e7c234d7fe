import { it } from 'vitest';
import { argocdTest, clusterTest } from '../support/cluster-test.ts';
import { leavesNothingBehind } from './ended-early.ts';
import { walksThrough } from './walk-through.ts';

/** With Flux, to the end of a deletion. */
await import('./playground.test.ts');

argocdTest('a playground with Argo CD', () => {
  walksThrough({
    options: [],
    slept: /argo cd +campus\.atlas\.claim\.registrar-portal: synced [0-9a-f]{7}; StatefulSet registrar-portal/,
    kept: /thesis-edge-caching: synced [0-9a-f]{7}; .*keeps \d+ objects that git no longer has/,
  });
});

clusterTest('a playground that is ended while it starts', () => {
  it('by Ctrl-C leaves nothing behind', () => leavesNothingBehind('SIGINT'));
  it('by kill -9 leaves nothing behind', () => leavesNothingBehind('SIGKILL'));
});
