import type { ClaimShape, ClaimText } from './claim-props.ts';

/** Finds what was rendered for a claim, on every object of it, also those without a namespace. */
export const claimLabel = 'quiesce.dev/claim';

/**
 * Labels as vCluster's own chart sets them: its command line finds virtual clusters and their versions by these. On the
 * objects only: in a pod template, one more or another value would replace the pods.
 */
export function chartLabels(shape: ClaimShape, text: ClaimText, app = 'vcluster'): Record<string, string> {
  return {
    app,
    chart: `vcluster-${shape.version}`.replace(/[+@]/g, '_').slice(0, 63),
    release: text.name,
    heritage: 'Quiesce',
    [claimLabel]: text.name,
  };
}

/** Immutable in StatefulSets and Deployments: the same for ever. */
export function podLabels(text: ClaimText, app = 'vcluster'): Record<string, string> {
  return { app, release: text.name };
}
