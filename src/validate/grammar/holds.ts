import type { z } from 'zod';
import type { Fault } from './fault.ts';

type Faults = Fault | readonly Fault[] | undefined;

/**
 * A grammar as a check of a zod schema. The fault travels in the issue's `params` (see `parse.ts`), so that values and
 * structure are reported together, in one pass, each under its own code.
 */
export function holds<T>(grammar: (value: T) => Faults): z.core.CheckFn<T> {
  return (payload) => {
    const found = grammar(payload.value);
    if (found === undefined) return;
    for (const fault of Array.isArray(found) ? (found as readonly Fault[]) : [found as Fault]) {
      payload.issues.push({
        code: 'custom',
        input: payload.value,
        message: fault.message,
        path: [...(fault.path ?? [])],
        params: { fault },
        continue: true,
      });
    }
  };
}
