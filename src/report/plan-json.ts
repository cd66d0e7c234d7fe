import type { Plan } from '../plan/plan.ts';

/** The plan for programs. The source lines stay out: a program that wants them has the file and the line. */
export function planJson(plan: Plan): object {
  return {
    ...plan,
    changes: plan.changes.map(({ place, ...change }) => {
      if (place === undefined) return change;
      const { excerpt: _, ...where } = place;
      return { ...change, place: where };
    }),
  };
}
