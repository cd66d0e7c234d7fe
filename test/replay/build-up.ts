import { syncedObjects, syncedPod } from '../cluster/claims/host.ts';
import { configMap } from '../cluster/uninstall/objects.ts';
import type { Access } from '../support/access.ts';
import { addNodes } from '../support/nodes.ts';
import { apply, id, type KubeObject, patch, read } from '../support/objects.ts';
import { waitFor } from '../support/wait.ts';
import type { FoundPod, Shown } from './look.ts';
import type { Mounts } from './mounts.ts';
import type { RandomClaim } from './random-claims.ts';
import type { Mirror, RandomChange, RandomCluster } from './random-cluster.ts';
import { watchToTheEnd } from './watch.ts';

interface Beginning {
  /** What is compiled of the state before the change. */
  readonly before: readonly KubeObject[];
  readonly mounts: Mounts;
}

/** Everything as it is before the change, come to rest. */
export async function buildUp(access: Access, cluster: RandomCluster, { before, mounts }: Beginning): Promise<void> {
  await addNodes(access, ...cluster.nodes);
  for (const object of [...before, ...cluster.objects]) await applyPatiently(access, object);
  for (const mirror of cluster.mirrors) await applyPatiently(access, await ownedByItsNode(access, mirror));
  await furnish(access, cluster.change);
  const { isAtRest } = await watchToTheEnd(access, {
    restSeconds: (shown, pods) => (isSettled(cluster.change, shown) && !pods.some(isStarting) ? 2 : undefined),
    limitSeconds: 90,
    mounts,
  });
  if (!isAtRest) throw new Error('it does not come to rest');
}

/** As kubelets write what they run by themselves. */
async function ownedByItsNode(access: Access, mirror: Mirror): Promise<KubeObject> {
  const { nodeName } = mirror.spec;
  const uid = (await read(access, id('v1', 'Node', nodeName)))?.metadata.uid ?? '';
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name: nodeName, uid, controller: true }];
  return { ...mirror, metadata: { ...mirror.metadata, ownerReferences } };
}

/** A kind is served, and a namespace furnished, a moment after it is there. */
export async function applyPatiently(access: Access, object: KubeObject): Promise<void> {
  await waitFor(`${object.kind} ${object.metadata.name} to be applied`, { seconds: 40 }, async () => {
    await apply(access, object);
    return { met: true };
  });
}

async function furnish(access: Access, change: RandomChange): Promise<void> {
  switch (change.kind) {
    case 'maintenance':
      return;
    case 'claims':
      for (const claim of change.claims) await furnishClaim(access, claim);
      return;
    case 'installation':
      for (const object of change.installation.others) await applyPatiently(access, object);
      for (const { object, patch: body } of change.installation.changes) await patch(access, object, body);
  }
}

async function furnishClaim(access: Access, { name, synced, isUsed, hasGuest }: RandomClaim): Promise<void> {
  const namespace = `vcluster-${name}`;
  const guest = configMap('guest');
  const pods = synced.map(({ name: pod, ...parts }) => syncedPod(name, pod, parts));
  const objects: readonly KubeObject[] = [
    ...pods,
    ...(isUsed ? await syncedObjects(access, name) : []),
    ...(isUsed ? [{ apiVersion: 'v1', kind: 'Secret', metadata: { name: `vc-${name}`, namespace } }] : []),
    ...(hasGuest ? [{ ...guest, metadata: { ...guest.metadata, namespace } }] : []),
  ];
  for (const object of objects) await applyPatiently(access, object);
}

/** Else it would be another cluster when the change comes, a moment after the snapshot. */
function isStarting({ node, phase, isGoing }: FoundPod): boolean {
  return node !== undefined && phase === 'Pending' && !isGoing;
}

function isSettled(change: RandomChange, shown: Shown): boolean {
  switch (change.kind) {
    case 'maintenance':
      return areReached(shown) && shown.block?.nodes?.length === change.block.before.cidrBlocks.length;
    case 'claims':
      return change.claims.every(({ name }) => shown.claims[name]?.phase === 'Running');
    case 'installation':
      return shown.installations[change.installation.name]?.phase !== undefined;
  }
}

function areReached({ block }: Shown): boolean {
  return (block?.nodes ?? []).every(({ phase }) => phase === 'InMaintenance');
}
