import type { Access } from '../support/access.ts';
import { id, list, type ObjectId, patch, remove } from '../support/objects.ts';
import { waitFor } from '../support/wait.ts';
import { type Found, lookAtEverything } from './look.ts';
import type { RandomCluster } from './random-cluster.ts';

/** Nothing is left of it: the next one is to find the cluster as it was. `base`: what was there before, by UID. */
export async function clearAway(access: Access, { nodes }: RandomCluster, base: ReadonlySet<string>): Promise<void> {
  await waitFor('everything of it to be gone', { seconds: 120, everyMs: 300 }, async () => {
    const { objects } = await lookAtEverything(access);
    const left = objects.filter((object) => !base.has(object.uid) && !isKubernetesOwn(object));
    if (left.length === 0) return { met: true };
    for (const object of left.sort((a, b) => rankOf(a) - rankOf(b))) await clear(access, object);
    return { seen: left.map(({ kind, name }) => `${kind} ${name}`).join(', ') };
  });
  if (nodes.length === 0) throw new Error('a cluster without nodes');
}

/** Made by Kubernetes for itself, and made again. */
function isKubernetesOwn({ kind, namespace, name }: Found): boolean {
  return namespace === 'kube-system' || name === 'kube-root-ca.crt' || kind === 'Endpoints' || kind === 'EndpointSlice';
}

/** What makes others goes first; nodes go last, so that kubelets are there for their Pods. */
const order: readonly string[] = ['VClusterClaim', 'Installation', 'MaintenanceBlock', 'Namespace', 'Pod'];

function rankOf({ kind }: Found): number {
  if (kind === 'Node') return order.length + 1;
  const rank = order.indexOf(kind);
  return rank < 0 ? order.length : rank;
}

async function clear(access: Access, object: Found): Promise<void> {
  const { apiVersion, kind, namespace, name, finalizers, isGoing } = object;
  const itself: ObjectId = id(apiVersion, kind, name, namespace);
  const isPod = kind === 'Pod';
  const release = finalizers.filter((finalizer) => finalizer.includes('.') && !finalizer.startsWith('kubernetes.io/'));
  if (release.length > 0) {
    const rest = finalizers.filter((finalizer) => !release.includes(finalizer));
    if (isGoing || isPod || kind.endsWith('Claim') || kind === 'Installation') {
      await patch(access, itself, { metadata: { finalizers: rest.length > 0 ? rest : null } }).catch(() => undefined);
    }
  }
  if (kind === 'Node' && (await list(access, ['v1', 'Pod'], { fieldSelector: `spec.nodeName=${name}` })).length > 0)
    return;
  if (!isGoing || isPod) {
    const options = isPod ? { gracePeriodSeconds: 0 } : { propagationPolicy: 'Background' as const };
    await remove(access, itself, options).catch(() => undefined);
  }
}
