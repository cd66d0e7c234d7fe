import { idOf, isNamed, keyOf, objectsByComponent } from './belongs.ts';
import type { SeenObject, UninstallObservation } from './observation.ts';
import type { ObjectId, UninstallPlan } from './plan.ts';

/** As many as the CRDs have room for. */
const most = 500;

/**
 * What is still there when nothing more is to go, each once, in a total order: what policies keep, namespaces that hold
 * something of anybody's, objects of a rendered name that are not ours (they lost our labels, or somebody else made
 * them), and webhooks or APIServices that call what is gone.
 */
export function leftoversOf(plan: UninstallPlan, observation: UninstallObservation): ObjectId[] {
  const ours = [...objectsByComponent(plan, observation.objects).values()].flat();
  const named = observation.objects.filter((object) => isRendered(plan, object) && !isStaying(plan, object));
  const dangling = observation.objects.filter((object) => isDangling(plan, object));
  const byKey = new Map([...ours, ...named, ...dangling].map((object) => [keyOf(object), idOf(object)]));
  return [...byKey]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, id]) => id)
    .slice(0, most);
}

function isRendered({ components }: UninstallPlan, object: SeenObject): boolean {
  return components.some(({ listed }) => listed.some((id) => isNamed(id, object)));
}

function isStaying({ components }: UninstallPlan, object: SeenObject): boolean {
  return components.some(({ keep }) => keep.listed.some((id) => isNamed(id, object)));
}

function isDangling(plan: UninstallPlan, { details }: SeenObject): boolean {
  if (details?.kind !== 'called') return false;
  return details.services.some(
    ({ alive, namespace, name }) =>
      !alive &&
      plan.components.some(({ listed }) =>
        listed.some((id) => isNamed(id, { apiVersion: 'v1', kind: 'Service', namespace, name })),
      ),
  );
}
