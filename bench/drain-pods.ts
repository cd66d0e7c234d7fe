import { type AuditLine, sidecarUser } from '../test/cluster/sidecar/audit.ts';
import type { Access } from '../test/support/access.ts';
import { call } from '../test/support/api.ts';
import { type KubeObject, list } from '../test/support/objects.ts';
import { waitFor } from '../test/support/wait.ts';
import { pod, type Workload } from '../test/support/workloads.ts';

export const shop = 'shop';

/** Every pod is in one of so many: several programs can share a node. */
export const batches = 5;

export function batch(index: number): string {
  return `batch=${index % batches}`;
}

/** So many Pods that live on a node and take their grace period to end. */
export function podsOf(names: string, count: number, node: string, graceSeconds: number, spec = {}): Workload[] {
  return Array.from({ length: count }, (_, index) =>
    pod({
      name: `${names}-${index}`,
      namespace: shop,
      pod: {
        behaviour: 'slow-shutdown',
        graceSeconds,
        labels: { batch: String(index % batches) },
        spec: { nodeName: node, ...spec },
      },
    }),
  );
}

const atOnce = 16;

/** Over when all of them run. */
export async function createPods(access: Access, pods: readonly Workload[]): Promise<void> {
  const left = [...pods];
  const path = `/api/v1/namespaces/${shop}/pods`;
  const work = async () => {
    for (let body = left.pop(); body !== undefined; body = left.pop()) {
      await call(access, { method: 'POST', path, body });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  await waitFor(`${pods.length} pods to run`, { seconds: 300, everyMs: 1000 }, async () => {
    const fieldSelector = 'status.phase!=Running';
    const waiting = await list<KubeObject>(access, ['v1', 'Pod'], { namespace: shop, fieldSelector });
    return waiting.length === 0 ? { met: true } : { seen: `${waiting.length} do not run yet` };
  });
}

/** Over when none is left. */
export async function waitUntilEmpty(access: Access, seconds: number): Promise<void> {
  await waitFor('the pods to be gone', { seconds, everyMs: 500 }, async () => {
    const left = await list<KubeObject>(access, ['v1', 'Pod'], { namespace: shop });
    return left.length === 0 ? { met: true } : { seen: `${left.length} pods are left` };
  });
}

/** When the last Pod was gone, in seconds after `begun`: its kubelet let go of it. */
export function secondsToEmpty(lines: readonly AuditLine[], begun: number): number {
  const gone = lines.filter(
    ({ user, verb, resource, subresource, namespace, answered }) =>
      verb === 'delete' &&
      resource === 'pods' &&
      !subresource &&
      namespace === shop &&
      user === 'admin' &&
      answered >= begun,
  );
  return (Math.max(...gone.map(({ answered }) => answered)) - begun) / 1000;
}

/** What somebody has asked of the API server since; renewing the Lease has nothing to do with what is done. */
export function requestsSince(lines: readonly AuditLine[], begun: number, user = sidecarUser): AuditLine[] {
  return lines.filter((line) => line.user === user && line.received >= begun && line.resource !== 'leases');
}
