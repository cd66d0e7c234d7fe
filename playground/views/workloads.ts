import { type KubeObject, list } from '../../test/support/objects.ts';
import type { Line } from '../line.ts';
import type { View } from './view.ts';

interface Replicated extends KubeObject {
  readonly spec: { readonly replicas?: number };
  readonly status?: { readonly replicas?: number; readonly readyReplicas?: number };
}

export interface Workload {
  readonly wanted: number;
  readonly pods: number;
  readonly ready: number;
}

/** StatefulSets and Deployments, by kind and name: in the shipped state no two share one. */
export const workloads: View<Workload> = {
  read: async (access) => {
    const seen = new Map<string, Workload>();
    for (const kind of ['StatefulSet', 'Deployment']) {
      for (const { metadata, spec, status = {} } of await list<Replicated>(access, ['apps/v1', kind])) {
        const { replicas: pods = 0, readyReplicas: ready = 0 } = status;
        seen.set(`${kind} ${metadata.name}`, { wanted: spec.replicas ?? 1, pods, ready });
      }
    }
    return seen;
  },
  tell: (name, before, after) => {
    if (after === undefined) return [line(`${name} is gone`)];
    if (before === undefined) return [line(`${name} is there, for ${replicas(after.wanted)}`)];
    const scaled = before.wanted === after.wanted ? [] : [`${name} is scaled: ${before.wanted} → ${after.wanted}`];
    return [...scaled, ...podsSaid(name, before, after)].map(line);
  },
};

function podsSaid(name: string, before: Workload, after: Workload): readonly string[] {
  if (after.wanted === 0) return before.pods > 0 && after.pods === 0 ? [`${name} has no Pod left`] : [];
  return before.ready === after.ready ? [] : [`${name}: ${after.ready} of ${after.wanted} Pods ready`];
}

function replicas(count: number): string {
  return `${count} ${count === 1 ? 'replica' : 'replicas'}`;
}

function line(text: string): Line {
  return { who: 'cluster', text };
}
