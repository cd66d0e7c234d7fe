import { hookLabels, idOf, isNamed, objectsByComponent } from './belongs.ts';
import { isDataKind, kindKey } from './kinds.ts';
import type { NamespaceContent, SeenObject } from './observation.ts';
import type { UninstallPlan } from './plan.ts';
import { isStaying } from './staying.ts';
import { dependentsOf } from './stuck.ts';

/** What is in a namespace, by whose it is. */
export interface Sorted {
  /** Ours, what it owns, and what we have made. */
  readonly ours: readonly SeenObject[];
  /** Neither nobody's nor ours to remove: they keep the namespace. */
  readonly foreign: readonly SeenObject[];
  /** Neither, but on the way out, or owned by something that is not there: the garbage collector's, perhaps. */
  readonly passing: readonly SeenObject[];
}

export function sortContent(plan: UninstallPlan, { objects }: NamespaceContent): Sorted {
  const byComponent = objectsByComponent(plan, objects);
  const staying = new Set(
    plan.components.flatMap((component) => {
      const own = byComponent.get(component.name) ?? [];
      return own.filter((object) => isStaying(plan, component, object)).map(({ uid }) => uid);
    }),
  );
  const going = [...byComponent.values()].flat().filter(({ uid }) => !staying.has(uid));
  const roots = new Set([...going, ...objects.filter((object) => isOurJob(plan, object))].map(({ uid }) => uid));
  const rooted = objects.filter(({ uid }) => roots.has(uid));
  const derived = new Set(rooted.flatMap((root) => dependentsOf(root, objects)).map(({ uid }) => uid));
  const isOurs = (object: SeenObject) =>
    roots.has(object.uid) || (derived.has(object.uid) && !staying.has(object.uid) && !isDataKind(object));
  const rest = objects.filter((object) => !isOurs(object) && !isNobodys(plan, object, objects));
  const present = new Set(objects.map(({ uid }) => uid));
  const isPassing = ({ deletedAt, owners }: SeenObject) =>
    deletedAt !== undefined || (owners.length > 0 && owners.every(({ uid }) => !present.has(uid)));
  return {
    ours: objects.filter(isOurs),
    foreign: rest.filter((object) => !isPassing(object)),
    passing: rest.filter(isPassing),
  };
}

function isOurJob({ subject }: UninstallPlan, { labels }: SeenObject): boolean {
  return labels[hookLabels.subject] === subject.name && labels[hookLabels.run] !== undefined;
}

/** What every namespace has, and what Kubernetes keeps beside other objects. */
function isNobodys(plan: UninstallPlan, object: SeenObject, beside: readonly SeenObject[]): boolean {
  switch (kindKey(object)) {
    case '/ServiceAccount':
      return object.name === 'default';
    case '/ConfigMap':
      return object.name === 'kube-root-ca.crt';
    case '/Event':
    case 'events.k8s.io/Event':
    case 'coordination.k8s.io/Lease':
      return true;
    case '/Endpoints':
    case 'discovery.k8s.io/EndpointSlice':
      return isOfService(plan, object, beside);
    default:
      return false;
  }
}

/** Written by hand, they are somebody's way to a machine outside. */
function isOfService(plan: UninstallPlan, object: SeenObject, beside: readonly SeenObject[]): boolean {
  const { namespace, labels, name } = object;
  if (labels['endpoints.kubernetes.io/managed-by'] !== undefined) return true;
  const manager = labels['endpointslice.kubernetes.io/managed-by'];
  if (manager?.endsWith('.k8s.io')) return true;
  const service = { apiVersion: 'v1', kind: 'Service', ...(namespace !== undefined && { namespace }), name };
  const isThere = beside.some((other) => isNamed(service, other));
  return isThere || plan.components.some(({ listed }) => listed.some((id) => isNamed(id, service)));
}

export function namesOf(objects: readonly SeenObject[], most: number): string {
  const names = objects.slice(0, most).map((object) => `${object.kind} ${idOf(object).name}`);
  return objects.length > most ? `${names.join(', ')} and ${objects.length - most} more` : names.join(', ');
}
