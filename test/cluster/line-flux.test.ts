import { clusterTest } from '../support/cluster-test.ts';
import { changesArrive } from './line/change-steps.ts';
import { comesUp } from './line/first-steps.ts';
import { openFluxLine } from './line/flux-line.ts';
import { mistakesLoseNothing } from './line/mistake-steps.ts';
import { scenario } from './line/scenario.ts';

/** How things come to rest with Flux is in line-flux.soak.ts: the sidecar and the runner are the same ones as with Argo CD. */
clusterTest('one Flux follows the shipped state on two clusters', () => {
  const steps = scenario(openFluxLine);
  comesUp(steps);
  changesArrive(steps);
  mistakesLoseNothing(steps);
});
