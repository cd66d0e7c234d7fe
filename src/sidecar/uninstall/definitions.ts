import { idOf } from './belongs.ts';
import type { BlockerDraft } from './blocker.ts';
import type { Instances, SeenObject } from './observation.ts';
import { type ComponentView, done, type StepOutcome, waiting } from './view.ts';

/**
 * A CustomResourceDefinition takes every resource of its kind with it, whoever's it is; and without its operator, a
 * resource with a finalizer never goes. So before anything but custom resources goes, none may be left.
 */
export function definitionGate(
  { now, observation, going }: ComponentView,
  targets: readonly SeenObject[],
): StepOutcome {
  const definitions = targets.filter(
    ({ kind, deletedAt }) => kind === 'CustomResourceDefinition' && deletedAt === undefined,
  );
  if (definitions.length === 0) return done;
  const names = definitions.map(({ name }) => name).sort();
  const seen = names.map((name) => observation.instances.find(({ definition }) => definition === name));
  const at = 'custom resources: looking for those that are left';
  const look = { instances: names };
  if (seen.some((each) => each === undefined || each.left.length > 0 || each.unread !== undefined)) {
    const isNew = seen.some((each) => each === undefined);
    const blockers = seen.flatMap((each) => blockersOf(each, going));
    const isForOthers = blockers.length === 0 && !isNew;
    return waiting(at, { look, blockers, isForOthers, ...(isNew && { wake: [now + 1] }) });
  }
  return { ...done, look };
}

const mostNamed = 5;

function blockersOf(instances: Instances | undefined, going: ReadonlySet<string>): BlockerDraft[] {
  if (instances === undefined) return [];
  const { definition, left, unread } = instances;
  const object = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name: definition };
  if (unread !== undefined) {
    const message = `Whether any ${definition} are left cannot be read: ${unread.why}`;
    return [{ code: 'unread', who: 'operators', object, message }];
  }
  return left
    .filter(({ uid }) => !going.has(uid))
    .slice(0, mostNamed)
    .map((instance) => ({
      code: 'instances-left',
      who: 'object-owner',
      object: idOf(instance),
      message: `${instance.kind} ${named(instance)} is not to be removed and would go with CustomResourceDefinition ${definition}: its owner deletes it, git sweeps it, or the definition is kept (helm.sh/resource-policy: keep).`,
    }));
}

function named({ namespace, name }: SeenObject): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
