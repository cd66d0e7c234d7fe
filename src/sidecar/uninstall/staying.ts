import { isRetained } from './data.ts';
import { isDataKind } from './kinds.ts';
import type { SeenObject } from './observation.ts';
import type { PlannedComponent, UninstallPlan } from './plan.ts';
import { isKept } from './resource-policy.ts';

/**
 * Ours, and not to be removed: kept by policy, or left to the Jobs that a component has in place of the default. Of
 * what those leave behind, only what is swept is for us.
 */
export function isStaying(plan: UninstallPlan, component: PlannedComponent, object: SeenObject): boolean {
  if (isKept(object) || isRetained(plan, component, object)) return true;
  return component.hooks.delete.length > 0 && !isSwept(component.name, object) && !isDataKind(object);
}

function isSwept(component: string, { sweptBy = [] }: SeenObject): boolean {
  return sweptBy.includes(component);
}
