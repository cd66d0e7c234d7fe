import type { ClaimAt } from './claim-files.ts';
import { type ClaimStateOptions, changeClaims } from './claim-state.ts';
import { type Context, findRoot, type Status } from './context.ts';
import { deletionOrdered } from './deletion-ordered.ts';
import { publishedDeadlines } from './published-deadlines.ts';

/** `quiesce wake NAME…` */
export async function wake(names: readonly string[], options: ClaimStateOptions, context: Context): Promise<Status> {
  const words = { done: 'is to run', already: 'is running already' };
  const root = findRoot(context.directory);
  const note = (claim: ClaimAt) => whatStands(root, claim);
  return changeClaims(names, { state: 'Running', ...words, refuse: deletionOrdered, note }, options, context);
}

/** Waking does not renew: whoever wakes a claim shall not learn that from its deletion. */
function whatStands(root: string, claim: ClaimAt): string | undefined {
  if (claim.protected || claim.neverExpires === true) return undefined;
  const deadlines = publishedDeadlines(root, claim.name);
  if (deadlines?.delete === undefined) return undefined;
  const { sleep, delete: end, isInGrace } = deadlines;
  const stays = 'waking does not renew it, the link in its mails does';
  if (isInGrace || sleep === undefined) return `Its deletion on ${end} stands: ${stays}.`;
  return `It is to be put to sleep on ${sleep} and deleted on ${end}: ${stays}.`;
}
