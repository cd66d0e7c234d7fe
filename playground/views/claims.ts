import { type KubeObject, list } from '../../test/support/objects.ts';
import type { View } from './view.ts';

interface Claim extends KubeObject {
  readonly spec: { readonly state: string };
  readonly status?: { readonly phase?: string };
}

export interface ClaimSeen {
  /** What is wanted, as it arrived here. */
  readonly state: string;
  /** What the sidecar says of it, as soon as it says something. */
  readonly phase: string | undefined;
}

export const claims: View<ClaimSeen> = {
  read: async (access) => {
    const found = await list<Claim>(access, ['quiesce.dev/v1alpha1', 'VClusterClaim']);
    return new Map(
      found.map(({ metadata, spec, status }) => [metadata.name, { state: spec.state, phase: status?.phase }]),
    );
  },
  tell: (name, before, after) => {
    if (after === undefined) return [{ who: 'cluster', text: `VClusterClaim ${name} is gone` }];
    if (before === undefined) return [{ who: 'cluster', text: `VClusterClaim ${name} is there: ${after.state}` }];
    return [
      ...(before.state === after.state
        ? []
        : [{ who: 'cluster' as const, text: `VClusterClaim ${name}: ${before.state} → ${after.state}` }]),
      ...(before.phase === after.phase
        ? []
        : [{ who: 'sidecar' as const, text: `VClusterClaim ${name}: ${after.phase ?? 'no phase'}` }]),
    ];
  },
};
