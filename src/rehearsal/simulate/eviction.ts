import { matcher } from '../../sidecar/maintenance/label-selector.ts';
import type { Observation, ObservedPod } from '../../sidecar/maintenance/observation.ts';

export interface ApiAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Asked {
  readonly pod: ObservedPod | undefined;
  readonly name: string;
  readonly uid: string;
  readonly cluster: Pick<Observation, 'budgets' | 'terminatingNamespaces'>;
}

/**
 * The eviction subresource, from kubernetes `pkg/registry/core/pod/storage/eviction.go` and by its own words. Not the
 * decider's reading of it: that is what is tested with this.
 */
export function evictionAnswer({ pod, name, uid, cluster }: Asked): ApiAnswer {
  if (pod === undefined) return failure(404, `pods "${name}" not found`, { kind: 'pods' });
  if (cluster.terminatingNamespaces.includes(pod.namespace)) {
    const message = `pods "${name}" is forbidden: unable to create new content in namespace ${pod.namespace} because it is being terminated`;
    return failure(403, message, { kind: 'pods', causes: [{ reason: 'NamespaceTerminating', message }] });
  }
  if (pod.uid !== uid) {
    const message = `Operation cannot be fulfilled on pods "${name}": Precondition failed: UID in precondition: ${uid}, UID in object meta: ${pod.uid}`;
    return failure(409, message, { kind: 'pods' });
  }
  if (pod.deletionAt !== undefined || passing.includes(pod.phase)) return success;
  const budgets = cluster.budgets.filter(
    ({ namespace, selector }) => namespace === pod.namespace && matcher(selector)(pod.labels),
  );
  const [budget, ...others] = budgets;
  if (budget === undefined) return success;
  if (others.length > 0) {
    const message = 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';
    return { status: 201, body: { kind: 'Status', status: 'Failure', message, code: 500 } };
  }
  const { disruptionsAllowed = 0, currentHealthy = 0, desiredHealthy = 0 } = budget.status ?? {};
  const isSpare =
    budget.unhealthyPodEvictionPolicy === 'AlwaysAllow' || (currentHealthy >= desiredHealthy && desiredHealthy > 0);
  if (!pod.ready && isSpare) return success;
  if (budget.status === undefined || budget.status.observedGeneration < budget.generation)
    return unobserved(budget.name);
  if (disruptionsAllowed > 0) return success;
  const message = `The disruption budget ${budget.name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  return failure(429, "Cannot evict pod as it would violate the pod's disruption budget.", {
    causes: [{ reason: 'DisruptionBudget', message }],
  });
}

function unobserved(budget: string): ApiAnswer {
  const message = `The disruption budget ${budget} is still being processed by the server.`;
  return failure(429, "Cannot evict pod as it would violate the pod's disruption budget.", {
    causes: [{ reason: 'DisruptionBudget', message }],
    retryAfterSeconds: 10,
  });
}

const passing: readonly ObservedPod['phase'][] = ['Pending', 'Succeeded', 'Failed'];

const success: ApiAnswer = { status: 201, body: { kind: 'Status', status: 'Success', code: 201 } };

const reasons: Readonly<Record<number, string>> = {
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  429: 'TooManyRequests',
};

function failure(code: number, message: string, details: Readonly<Record<string, unknown>>): ApiAnswer {
  return { status: code, body: { kind: 'Status', status: 'Failure', message, reason: reasons[code], details, code } };
}
