import { belongs, dataLabels, idOf, isClaimOf } from './belongs.ts';
import type { BlockerDraft } from './blocker.ts';
import { isDataKind } from './kinds.ts';
import type { SeenObject } from './observation.ts';
import type { PlannedComponent, UninstallPlan } from './plan.ts';
import { type ComponentView, type StepOutcome, waiting } from './view.ts';

/** Unless git says twice that it may go, data stays. */
export function isRetained(plan: UninstallPlan, component: PlannedComponent, object: SeenObject): boolean {
  return isDataKind(object) && !mayLose(plan, component);
}

function mayLose({ confirmed }: UninstallPlan, { persistentVolumeClaims }: PlannedComponent): boolean {
  return persistentVolumeClaims === 'Delete' && confirmed;
}

/** What has to happen before this object may go, for the sake of volume claims; nothing: it may. */
export function dataGuard(view: ComponentView, object: SeenObject): StepOutcome | undefined {
  const collected = collectedWith(view, object);
  if (collected.length > 0) return waiting('', { blockers: collected });
  const unmarked = unmarkedClaims(view, object);
  if (unmarked.length === 0) return undefined;
  const labels = dataLabels(view.plan, view.component.name);
  return waiting('', {
    actions: unmarked.map((claim) => ({
      kind: 'markData',
      component: view.component.name,
      object: idOf(claim),
      uid: claim.uid,
      resourceVersion: claim.resourceVersion,
      labels,
    })),
  });
}

/**
 * Which claims are a StatefulSet's is told by its templates alone, and those go with it: so its claims are marked
 * before. A name like `data-my-db-0` may belong to `my-db` or, with a template `data-my`, to `db`.
 */
function unmarkedClaims({ plan, component, observation }: ComponentView, object: SeenObject): SeenObject[] {
  const { namespace, name, details } = object;
  if (details?.kind !== 'statefulSet' || namespace === undefined || component.renderedOnly === true) return [];
  const templates = details.templates.map((template) => ({ namespace, template, statefulSet: name }));
  return observation.objects.filter(
    (claim) => templates.some((template) => isClaimOf(template, claim)) && !belongs(plan, component, claim),
  );
}

/** The garbage collector asks for no policy: data that is owned by what goes would go with it. */
function collectedWith({ plan, component, observation }: ComponentView, owner: SeenObject): BlockerDraft[] {
  if (mayLose(plan, component)) return [];
  return observation.objects
    .filter((object) => isDataKind(object) && object.owners.some(({ uid }) => uid === owner.uid))
    .map((object) => ({
      code: 'data-owned',
      who: 'workload-owner',
      permanent: true,
      object: idOf(object),
      message: `${object.kind} ${object.name} is owned by ${owner.kind} ${owner.name} and would be deleted with it, though data is to be retained: remove the owner reference (of a StatefulSet: persistentVolumeClaimRetentionPolicy), or write persistentVolumeClaims: Delete.`,
    }));
}
