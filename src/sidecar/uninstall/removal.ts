import { idOf, isNamed, keyOf } from './belongs.ts';
import type { BlockerDraft } from './blocker.ts';
import { dataGuard } from './data.ts';
import type { UninstallAction } from './decision.ts';
import { definitionGate } from './definitions.ts';
import { hasPods, rankOf, type Stage, stageOf, stages } from './kinds.ts';
import type { SeenObject } from './observation.ts';
import { refusalBlocker, retryAt } from './refusals.ts';
import { isStaying } from './staying.ts';
import { isWaitingForDependents, stuckBlockers } from './stuck.ts';
import { type ComponentView, done, type StepOutcome, together, waiting } from './view.ts';

/** Everything of these stages that is not to stay, stage by stage; each waits until the one before is gone. */
export function removeObjects(view: ComponentView, which: (stage: Stage) => boolean): StepOutcome {
  const targets = view.objects.filter((object) => !isStaying(view.plan, view.component, object));
  const outcomes: StepOutcome[] = [];
  for (const stage of stages.filter(which)) {
    const outcome = removeStage(view, targets, stage);
    outcomes.push(outcome);
    if (!outcome.isDone) break;
  }
  return together(outcomes);
}

function removeStage(view: ComponentView, targets: readonly SeenObject[], stage: Stage): StepOutcome {
  const here = targets.filter((object) => effectiveStage(object, stage) === stage);
  const gate = stage === 'custom resources' ? definitionGate(view, targets) : done;
  if (here.length === 0) return gate;
  const parts = inOrder(here).map((object) => removeObject(view, object, here));
  return { ...together([gate, ...parts]), at: `${stage}: ${here.length} left` };
}

/** A webhook that nobody answers refuses every change of what it matches, ours included: it goes before anything. */
function effectiveStage(object: SeenObject, asked: Stage): Stage {
  return asked === 'dead webhooks' && isDeadWebhook(object) ? asked : stageOf(object);
}

function isDeadWebhook({ kind, details }: SeenObject): boolean {
  if (!kind.endsWith('WebhookConfiguration') || details?.kind !== 'called') return false;
  return details.others === 0 && details.services.some(({ alive }) => !alive);
}

/** A total order, so that the same look always leads to the same requests. */
function inOrder(objects: readonly SeenObject[]): SeenObject[] {
  return [...objects].sort((a, b) => rankOf(a) - rankOf(b) || (keyOf(a) < keyOf(b) ? -1 : 1));
}

function removeObject(view: ComponentView, object: SeenObject, here: readonly SeenObject[]): StepOutcome {
  if (object.deletedAt !== undefined) return going(view, object);
  const owner = here.find(({ uid }) => object.owners.some((each) => each.uid === uid));
  if (owner !== undefined) return waiting(`${object.kind} ${object.name} goes with ${owner.kind} ${owner.name}`);
  const guard = dataGuard(view, object);
  if (guard !== undefined) return guard;
  return askToGo(view, object);
}

/** Unless it was refused a moment ago. */
export function askToGo(view: ComponentView, object: SeenObject): StepOutcome {
  const { now, observation, component } = view;
  const at = `${object.kind} ${object.name}`;
  const refusal = observation.refusals[object.uid];
  const due = refusal === undefined ? now : retryAt(refusal);
  const blockers = [
    ...(refusal === undefined ? [] : refusalBlocker(`Deleting ${at}`, idOf(object), refusal)),
    ...madeAnew(view, object),
  ];
  if (now < due) return waiting(at, { blockers, wake: [due] });
  return waiting(at, { blockers, actions: [deletion(component.name, object)] });
}

function going({ now, observation }: ComponentView, object: SeenObject): StepOutcome {
  const { namespace } = object;
  const beside = observation.contents.filter((content) => content.namespace === namespace).at(-1)?.objects ?? [];
  const asks = namespace !== undefined && isWaitingForDependents(now, object);
  return waiting('', {
    blockers: stuckBlockers(now, object, beside),
    ...(asks && { look: { contents: [namespace] } }),
  });
}

function deletion(component: string, object: SeenObject): UninstallAction {
  return {
    kind: 'delete',
    component,
    object: idOf(object),
    uid: object.uid,
    ...(object.isCarried === true && { resourceVersion: object.resourceVersion }),
    propagation: hasPods(object) ? 'Foreground' : 'Background',
  };
}

/** One that came back once was perhaps on its way already. */
const suspicious = 2;

/** Somebody makes anew what we delete: an applier that still renders it, an operator, a script. */
function madeAnew({ observation, component }: ComponentView, object: SeenObject): BlockerDraft[] {
  if ((observation.deletions[keyOf(object)] ?? 0) < suspicious) return [];
  const isListed = component.listed.some((id) => isNamed(id, object));
  const message = `${object.kind} ${object.name} was deleted ${observation.deletions[keyOf(object)]} times, and somebody makes it anew.`;
  return [{ code: 'made-anew', who: isListed ? 'applier' : 'controller', object: idOf(object), message }];
}
