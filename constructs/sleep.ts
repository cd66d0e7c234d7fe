import type { ClaimState } from '../src/resolve/state.ts';

export interface Scale {
  readonly replicas: number;
  readonly annotations: Readonly<Record<string, string>>;
}

/**
 * How many pods a workload is to have, and how it says that it sleeps: the whole difference between a running and a
 * sleeping claim's workload. The pod template stays as it is, so waking gives back the bytes from before.
 *
 * The first marker is the one that existing tools for these claims look for; the other two are vCluster's, whose
 * command line then shows the cluster as paused, does not pause it again and resumes it to the same number.
 */
export function scaleFor(state: ClaimState, replicas: number): Scale {
  if (state !== 'Sleeping') return { replicas, annotations: {} };
  return {
    replicas: 0,
    annotations: {
      'plethos.cs.hm.edu/scaled-down-replicas': `${replicas}`,
      'loft.sh/paused': 'true',
      'loft.sh/paused-replicas': `${replicas}`,
    },
  };
}
