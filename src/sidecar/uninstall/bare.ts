import type { Instant } from '../../instant.ts';
import { isNamed, keyOf } from './belongs.ts';
import { leftoversOf } from './leftovers.ts';
import { namespacesToRemove } from './namespaces.ts';
import type { SeenObject, UninstallObservation } from './observation.ts';
import type { UninstallPlan } from './plan.ts';

/** What is older may be wrong: somebody elsewhere makes things anew. */
const trustedMs = 60_000;

/**
 * When a look at everything has shown that nothing is left but namespaces that go: as soon as they are gone, all is, and
 * nobody has to look at everything once more. Undefined: no look has, or it is too long ago.
 */
export function bareSince(now: Instant, plan: UninstallPlan, observation: UninstallObservation): Instant | undefined {
  const { depth, names, at } = observation;
  const known = depth === 'full' && names ? (isBare(plan, observation) ? at : undefined) : observation.bareSince;
  return known !== undefined && now - known < trustedMs ? known : undefined;
}

function isBare(plan: UninstallPlan, observation: UninstallObservation): boolean {
  const { unread, unserved, jobs, releases, objects } = observation;
  if (unread.length + unserved.length + jobs.length + releases.length > 0) return false;
  const going = new Set(namespacesToRemove({ plan, observation }).map(keyOf));
  const left = leftoversOf(plan, observation).filter((id) => !going.has(keyOf(id)));
  const isStill = namespacesToRemove({ plan, observation }).every(({ name }) => runsNothing(name, observation));
  return left.length === 0 && isStill && !objects.some((object) => callsOurs(plan, object));
}

/** A program that still runs in it, such as an operator in its grace period, may make things anew anywhere. */
function runsNothing(namespace: string, { contents, at }: UninstallObservation): boolean {
  const seen = contents.find((content) => content.namespace === namespace && content.at >= at);
  return seen !== undefined && !seen.objects.some(({ kind }) => kind === 'Pod');
}

/** Whether anybody is behind it any more, only another look tells. */
function callsOurs({ components }: UninstallPlan, { details }: SeenObject): boolean {
  if (details?.kind !== 'called') return false;
  const services = details.services.map(({ namespace, name }) => ({
    apiVersion: 'v1',
    kind: 'Service',
    namespace,
    name,
  }));
  return components.some(({ listed }) => listed.some((id) => services.some((service) => isNamed(id, service))));
}
