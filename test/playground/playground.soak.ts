import { argocdTest } from '../support/cluster-test.ts';
import { walksThrough } from './walk-through.ts';

argocdTest('a playground with Argo CD', () => {
  walksThrough({
    options: [],
    slept: /argo cd +campus\.atlas\.claim\.registrar-portal: synced [0-9a-f]{7}; StatefulSet registrar-portal/,
    kept: /thesis-edge-caching: synced [0-9a-f]{7}; .*keeps \d+ objects that git no longer has/,
  });
});
