import { groupOf, hasPods, kindKey } from '../../sidecar/uninstall/kinds.ts';
import type { SnapshotKind } from '../snapshot.ts';
import { foreground, type Objects } from './objects.ts';
import type { PicturedObject } from './pictured.ts';

export interface Stage {
  readonly objects: Objects;
  readonly kinds: readonly SnapshotKind[];
}

type Controller = (stage: Stage) => void;

/** What Kubernetes itself does about deletions. Each looks at everything, and does what it would do now. */
const controllers: readonly Controller[] = [
  scaleDown,
  releaseOwnFinalizers,
  collectGarbage,
  emptyNamespaces,
  emptyDefinitions,
  unregisterGroups,
  reclaimVolumes,
  removeEndpoints,
  letGo,
];

/** Until nothing changes any more at this moment. */
export function settle(stage: Stage): void {
  const { objects } = stage;
  while (objects.isUnsettled()) {
    objects.settling();
    for (const controller of controllers) controller(stage);
  }
}

/** A Namespace or a definition goes only when nothing is left in it. */
const emptied: readonly string[] = ['/Namespace', 'apiextensions.k8s.io/CustomResourceDefinition'];

function letGo({ objects }: Stage): void {
  for (const object of objects.all()) {
    const { uid, deletedAt, finalizers } = object;
    if (deletedAt === undefined || finalizers.length > 0 || emptied.includes(kindKey(object))) continue;
    if (objects.hasEnded(uid)) objects.remove(uid);
  }
}

/** Released by Kubernetes as soon as their reason is gone. All others are for somebody's controller. */
const released: Readonly<Record<string, (object: PicturedObject, objects: Objects) => boolean>> = {
  'kubernetes.io/pvc-protection': (claim, objects) => !isMounted(claim, objects),
  'kubernetes.io/pv-protection': ({ volume }, objects) => isUnclaimed(volume, objects),
  'external-provisioner.volume.kubernetes.io/finalizer': ({ volume }, objects) => isUnclaimed(volume, objects),
  'batch.kubernetes.io/job-tracking': ({ uid }, objects) => objects.hasEnded(uid),
  'customresourcecleanup.apiextensions.k8s.io': () => false,
};

/** No finalizer of anybody else's: Kubernetes lets go of it by itself. */
export function isKubernetesOwn(finalizer: string): boolean {
  return finalizer === foreground || Object.hasOwn(released, finalizer);
}

function releaseOwnFinalizers({ objects }: Stage): void {
  for (const object of objects.all()) {
    if (object.deletedAt === undefined || object.finalizers.length === 0) continue;
    objects.release(object.uid, (finalizer) => {
      return Object.hasOwn(released, finalizer) && released[finalizer]?.(object, objects) === true;
    });
  }
}

function isMounted({ namespace, name }: PicturedObject, objects: Objects): boolean {
  return objects
    .all()
    .some(({ pod, namespace: its }) => pod && !pod.isFinished && its === namespace && pod.claims.includes(name));
}

function isUnclaimed(volume: PicturedObject['volume'], objects: Objects): boolean {
  return volume?.claimUid === undefined || objects.isGone(volume.claimUid);
}

/** What nobody owns any more goes, and what is owned by something that waits for it. */
function collectGarbage({ objects }: Stage): void {
  const all = objects.all();
  const dependents = byOwner(all);
  for (const { uid, owners, deletedAt } of all) {
    if (deletedAt !== undefined || owners.length === 0) continue;
    const solid = owners.filter((owner) => !objects.isGone(owner.uid) && !waits(objects.get(owner.uid)));
    if (solid.length > 0) continue;
    const isAwaited = owners.some((owner) => waits(objects.get(owner.uid)));
    objects.ask(uid, 'owner', isAwaited && dependents.has(uid) ? 'Foreground' : 'Background');
  }
  for (const { uid, deletedAt, finalizers } of all) {
    if (deletedAt === undefined || !finalizers.includes(foreground)) continue;
    if (!(dependents.get(uid) ?? []).some((each) => objects.get(each.uid) !== undefined))
      objects.release(uid, (finalizer) => finalizer === foreground);
  }
}

function waits(owner: PicturedObject | undefined): boolean {
  return owner?.deletedAt !== undefined && owner.finalizers.includes(foreground);
}

function byOwner(all: readonly PicturedObject[]): ReadonlyMap<string, readonly PicturedObject[]> {
  const dependents = new Map<string, PicturedObject[]>();
  for (const object of all) {
    for (const { uid } of object.owners) {
      const known = dependents.get(uid) ?? [];
      dependents.set(uid, known);
      known.push(object);
    }
  }
  return dependents;
}

/** Pods first, as since Kubernetes 1.33: nothing is to run without what protects it. */
function emptyNamespaces({ objects }: Stage): void {
  const going = objects.all().filter((object) => kindKey(object) === '/Namespace' && object.deletedAt !== undefined);
  for (const { uid, name, finalizers } of going) {
    const content = objects.all().filter(({ namespace }) => namespace === name);
    const pods = content.filter(({ pod }) => pod !== undefined);
    for (const object of pods.length > 0 ? pods : content) objects.ask(object.uid, 'namespace');
    if (content.length === 0 && finalizers.length === 0) objects.remove(uid);
  }
}

function emptyDefinitions({ objects, kinds }: Stage): void {
  const isGoing = (object: PicturedObject) =>
    object.kind === 'CustomResourceDefinition' && object.deletedAt !== undefined;
  for (const { uid, name, finalizers } of objects.all().filter(isGoing)) {
    const kind = definedBy(name, kinds);
    const instances = kind === undefined ? [] : objects.all().filter((object) => kindKey(object) === kindKey(kind));
    for (const instance of instances) objects.ask(instance.uid, 'owner');
    if (instances.length === 0 && finalizers.every(isKubernetesOwn)) objects.remove(uid);
  }
}

/** The API server keeps an APIService for the group of a definition, and takes it back with the last one of the group. */
function unregisterGroups({ objects }: Stage): void {
  const gone = new Set(objects.departures.flatMap(({ object }) => definedGroup(object)));
  if (gone.size === 0) return;
  const all = objects.all();
  for (const group of all.flatMap(definedGroup)) gone.delete(group);
  for (const { uid, kind, name, labels } of all) {
    const isKept = kind === 'APIService' && labels['kube-aggregator.kubernetes.io/automanaged'] === 'true';
    if (isKept && gone.has(afterFirstDot(name))) objects.ask(uid, 'owner');
  }
}

function definedGroup({ kind, name }: PicturedObject): string[] {
  return kind === 'CustomResourceDefinition' ? [afterFirstDot(name)] : [];
}

/** The group in `widgets.shop.example.com` and in `v1.shop.example.com`. */
function afterFirstDot(name: string): string {
  return name.slice(name.indexOf('.') + 1);
}

/** By the name of its definition, `widgets.shop.example.com`. */
export function definedBy(definition: string, kinds: readonly SnapshotKind[]): SnapshotKind | undefined {
  return kinds.find(({ plural, apiVersion }) => `${plural}.${groupOf(apiVersion)}` === definition);
}

function reclaimVolumes({ objects }: Stage): void {
  for (const { uid, volume } of objects.all()) {
    if (volume?.isReclaimed !== true || volume.claimUid === undefined) continue;
    if (objects.isGone(volume.claimUid)) objects.ask(uid, 'owner');
  }
}

/** Those that are kept for a Service and not written by hand; slices are owned by theirs. */
function removeEndpoints({ objects }: Stage): void {
  const all = objects.all();
  const services = new Set(all.filter(isService).map(({ namespace, name }) => `${namespace}/${name}`));
  for (const object of all) {
    const isKept = object.labels['endpoints.kubernetes.io/managed-by'] !== undefined;
    if (kindKey(object) === '/Endpoints' && isKept && !services.has(`${object.namespace}/${object.name}`)) {
      objects.ask(object.uid, 'owner');
    }
  }
}

function isService(object: PicturedObject): boolean {
  return kindKey(object) === '/Service';
}

/** Of a StatefulSet one after the other, the last one first. */
function scaleDown({ objects }: Stage): void {
  const all = objects.all();
  const dependents = byOwner(all);
  for (const owner of all) {
    if (owner.workload === undefined || owner.deletedAt !== undefined || !hasPods(owner)) continue;
    const pods = podsOf(owner, dependents);
    const { workload } = owner;
    if (workload.observed !== pods.length || workload.observedGeneration !== workload.generation) {
      const ready = Math.min(workload.ready, pods.length);
      const seen = { observed: pods.length, ready, observedGeneration: workload.generation };
      objects.change(owner.uid, { workload: { ...workload, ...seen } });
    }
    const surplus = pods
      .sort((a, b) => ordinalOf(b) - ordinalOf(a))
      .slice(0, Math.max(0, pods.length - workload.replicas));
    const isOrdered = owner.kind === 'StatefulSet';
    if (isOrdered && surplus.some(({ deletedAt }) => deletedAt !== undefined)) continue;
    for (const { uid } of isOrdered ? surplus.slice(0, 1) : surplus) objects.ask(uid, 'owner');
  }
}

/** Its own, and those of its ReplicaSets. */
function podsOf({ uid }: PicturedObject, dependents: ReadonlyMap<string, readonly PicturedObject[]>): PicturedObject[] {
  return (dependents.get(uid) ?? []).flatMap((object) =>
    object.pod === undefined ? podsOf(object, dependents) : [object],
  );
}

function ordinalOf({ name }: PicturedObject): number {
  return Number(/\d+$/.exec(name)?.[0] ?? 0);
}
