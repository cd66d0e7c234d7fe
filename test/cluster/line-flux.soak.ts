import { clusterTest } from '../support/cluster-test.ts';
import { changesArrive } from './line/change-steps.ts';
import { comesUp } from './line/first-steps.ts';
import { openFluxLine } from './line/flux-line.ts';
import { mistakesLoseNothing } from './line/mistake-steps.ts';
import { thingsComeToRest } from './line/rest-steps.ts';
import { scenario } from './line/scenario.ts';

clusterTest('one Flux follows the shipped state on two clusters, and what is put to rest comes to rest', () => {
  const steps = scenario(openFluxLine);
  comesUp(steps);
  changesArrive(steps);
  thingsComeToRest(steps);
  mistakesLoseNothing(steps);
});
