import { clusterTest } from '../support/cluster-test.ts';
import { changesArrive } from './line/change-steps.ts';
import { comesUp, settlesDown } from './line/first-steps.ts';
import { openFluxLine } from './line/flux-line.ts';
import { mistakesLoseNothing } from './line/mistake-steps.ts';
import { thingsComeToRest } from './line/rest-steps.ts';
import { scenario } from './line/scenario.ts';

/** In `npm test` line-flux.test.ts goes through the first and the last of these steps. */
clusterTest('one Flux follows the shipped state on two clusters, and what is put to rest comes to rest', () => {
  const steps = scenario(openFluxLine);
  comesUp(steps);
  settlesDown(steps);
  changesArrive(steps);
  thingsComeToRest(steps);
  mistakesLoseNothing(steps);
});
