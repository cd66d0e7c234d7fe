import { removeJobs, runHooks } from './hooks.ts';
import type { Stage } from './kinds.ts';
import { uninstallRelease } from './release.ts';
import { removeObjects } from './removal.ts';
import { checkPolicies } from './resource-policy.ts';
import { type ComponentView, type StepOutcome, together } from './view.ts';

type Step = (view: ComponentView) => StepOutcome;

/** How one component goes. Each step is looked at anew from the first one on, and the first that is not done is it. */
const steps: readonly Step[] = [
  checkPolicies,
  runHooks('preDelete'),
  uninstallRelease,
  runHooks('delete'),
  (view) => removeObjects(view, (stage) => !isHeldBack(view, stage)),
  runHooks('postDelete'),
  (view) => removeObjects(view, (stage) => isHeldBack(view, stage)),
  removeJobs,
];

/** A hook that runs as somebody needs what that one may do, to the end. */
function isHeldBack({ component }: ComponentView, stage: Stage): boolean {
  return (
    stage === 'permissions' && component.hooks.postDelete.some(({ serviceAccount }) => serviceAccount !== undefined)
  );
}

export function removeComponent(view: ComponentView): StepOutcome {
  const outcomes: StepOutcome[] = [];
  for (const step of steps) {
    const outcome = step(view);
    outcomes.push(outcome);
    if (!outcome.isDone) break;
  }
  return together(outcomes);
}
