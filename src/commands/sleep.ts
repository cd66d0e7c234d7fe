import { type ClaimStateOptions, changeClaims } from './claim-state.ts';
import type { Context, Status } from './context.ts';
import { deletionOrdered } from './deletion-ordered.ts';

/** `quiesce sleep NAME…` */
export async function sleep(names: readonly string[], options: ClaimStateOptions, context: Context): Promise<Status> {
  const words = { done: 'is to sleep', already: 'is asleep already' };
  return changeClaims(names, { state: 'Sleeping', ...words, refuse: deletionOrdered }, options, context);
}
