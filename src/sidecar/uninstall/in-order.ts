import { removeComponent } from './component.ts';
import type { PlannedComponent, UninstallPlan } from './plan.ts';
import { type ComponentView, type StepOutcome, waiting } from './view.ts';

/** Each after those that need it, as many side by side as the plan allows. */
export function removeInOrder(plan: UninstallPlan, views: readonly ComponentView[]): ReadonlyMap<string, StepOutcome> {
  const outcomes = new Map<string, StepOutcome>();
  const names = new Set(plan.components.map(({ name }) => name));
  let open = 0;
  for (let grew = true; grew; ) {
    grew = false;
    for (const view of views) {
      const { component } = view;
      if (outcomes.has(component.name) || open >= plan.parallel || !isItsTurn(component, names, outcomes)) continue;
      const outcome = removeComponent(view);
      outcomes.set(component.name, outcome);
      if (!outcome.isDone && outcome.isForOthers !== true) open += 1;
      grew = true;
    }
  }
  return outcomes;
}

/** The compiler refuses one; a resource that was written by hand may have it all the same. */
export function cycleAmong(views: readonly ComponentView[], outcomes: ReadonlyMap<string, StepOutcome>): StepOutcome[] {
  const left = views.filter(({ component }) => !outcomes.has(component.name)).map(({ component }) => component.name);
  if (left.length === 0 || [...outcomes.values()].some(({ isDone }) => !isDone)) return [];
  const message = `These components wait for each other, so none of them can go first: ${left.join(', ')}.`;
  return [
    waiting('waiting', { blockers: [{ code: 'dependency-cycle', who: 'object-owner', permanent: true, message }] }),
  ];
}

function isItsTurn(
  { after }: PlannedComponent,
  names: ReadonlySet<string>,
  outcomes: ReadonlyMap<string, StepOutcome>,
): boolean {
  return after.every((name) => !names.has(name) || outcomes.get(name)?.isDone === true);
}
