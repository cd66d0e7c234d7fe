import { clusterTest } from '../support/cluster-test.ts';
import { comesUp } from './line/first-steps.ts';
import { openFluxLine } from './line/flux-line.ts';
import { aDeletedApplierLosesNothing } from './line/mistake-steps.ts';
import { scenario } from './line/scenario.ts';

/** The other steps with Flux are in line-flux.soak.ts; Argo CD goes through all of them in line-argocd.test.ts. */
clusterTest('one Flux brings up the shipped state on two clusters, and may be deleted', () => {
  const steps = scenario(openFluxLine);
  comesUp(steps);
  aDeletedApplierLosesNothing(steps);
});
