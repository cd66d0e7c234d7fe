import { isCopy, isDataKind, isOurResource, kindKey } from './kinds.ts';
import type { SeenObject } from './observation.ts';
import type { ClaimTemplate, ObjectId, Ownership, PlannedComponent, UninstallPlan } from './plan.ts';

/** Put on volume claims of StatefulSets before those go, and left there: whose data it is. */
export function dataLabels({ subject }: UninstallPlan, component: string): Record<string, string> {
  const key = subject.kind === 'Installation' ? 'quiesce.dev/data-of-installation' : 'quiesce.dev/data-of-claim';
  return { [key]: subject.name, 'quiesce.dev/data-of-component': component };
}

/** On what an uninstall makes itself: its hooks' Jobs. */
export const hookLabels = {
  subject: 'quiesce.dev/uninstall-of',
  run: 'quiesce.dev/uninstall-run',
  component: 'quiesce.dev/uninstall-component',
  hook: 'quiesce.dev/uninstall-hook',
  attempt: 'quiesce.dev/uninstall-attempt',
} as const;

/** Ours, by component; of what two components find, the first one's. */
export function objectsByComponent(
  plan: UninstallPlan,
  objects: readonly SeenObject[],
): ReadonlyMap<string, readonly SeenObject[]> {
  const found = new Map<string, SeenObject[]>(plan.components.map(({ name }) => [name, []]));
  for (const object of objects) {
    const component = plan.components.find((candidate) => belongs(plan, candidate, object));
    if (component !== undefined) found.get(component.name)?.push(object);
  }
  return found;
}

export function belongs(plan: UninstallPlan, component: PlannedComponent, object: SeenObject): boolean {
  if (isOurResource(object) || isCopy(object) || object.isImported === true || stays(component, object)) return false;
  if (component.renderedOnly === true && (!object.rendered || object.owners.length > 0)) return false;
  return (
    component.own.some((own) => owns(own, object)) ||
    component.named.some((id) => isNamed(id, object)) ||
    (object.sweptBy ?? []).includes(component.name) ||
    isDataOf(plan, component, object) ||
    isCalledHere(component, object)
  );
}

function stays({ keep }: PlannedComponent, object: SeenObject): boolean {
  return keep.listed.some((id) => isNamed(id, object)) || keep.own.some((own) => owns(own, object));
}

function owns({ labels, namespace, clusterScoped, kinds }: Ownership, object: SeenObject): boolean {
  const wanted = Object.entries(labels);
  if (wanted.length === 0 || (namespace !== undefined && object.namespace !== namespace)) return false;
  if (clusterScoped === true && object.namespace !== undefined) return false;
  if (kinds !== undefined && !kinds.includes(object.kind)) return false;
  return wanted.every(([key, value]) => Object.hasOwn(object.labels, key) && object.labels[key] === value);
}

/** Whatever the version: a kind moves on from the one that it was written in. */
export function isNamed(id: ObjectId, object: ObjectId): boolean {
  return id.name === object.name && id.namespace === object.namespace && kindKey(id) === kindKey(object);
}

/** As a key in records: the same for the same name, whichever object has it. */
export function keyOf(object: ObjectId): string {
  return `${kindKey(object)} ${object.namespace ?? ''}/${object.name}`;
}

export function idOf({ apiVersion, kind, namespace, name }: ObjectId): ObjectId {
  return { apiVersion, kind, ...(namespace !== undefined && { namespace }), name };
}

function isDataOf(plan: UninstallPlan, component: PlannedComponent, object: SeenObject): boolean {
  if (!isDataKind(object)) return false;
  const isMarked = owns({ labels: dataLabels(plan, component.name) }, object);
  return isMarked || component.volumeClaims.some((template) => isClaimOf(template, object));
}

/** As the StatefulSet controller names them: `data-db-0`. */
export function isClaimOf({ namespace, template, statefulSet }: ClaimTemplate, object: ObjectId): boolean {
  const prefix = `${template}-${statefulSet}-`;
  if (object.kind !== 'PersistentVolumeClaim' || object.namespace !== namespace) return false;
  return object.name.startsWith(prefix) && /^\d+$/.test(object.name.slice(prefix.length));
}

/**
 * A webhook configuration or APIService that an operator has made itself: all that it calls is what was rendered here,
 * so when this is gone it can only fail.
 */
function isCalledHere({ listed }: PlannedComponent, { details }: SeenObject): boolean {
  if (details?.kind !== 'called' || details.others > 0 || details.services.length === 0) return false;
  return details.services.every(({ namespace, name }) =>
    listed.some((id) => isNamed(id, { apiVersion: 'v1', kind: 'Service', namespace, name })),
  );
}
