import { at, type Finding } from '../validate/finding.ts';
import type { ClaimAt } from './claim-files.ts';
import { type ClaimStateOptions, changeClaims } from './claim-state.ts';
import { type Context, type Status, UsageError } from './context.ts';
import type { Terminal } from './terminal.ts';

export interface DeleteOptions extends ClaimStateOptions {
  readonly yes?: boolean;
}

/** `quiesce delete NAME…` */
export async function deleteClaims(
  names: readonly string[],
  options: DeleteOptions,
  context: Context,
): Promise<Status> {
  const { terminal } = context;
  if (options.yes !== true && options.dryRun !== true && !terminal.interactive) {
    throw new UsageError('without a terminal to ask on, "quiesce delete" needs --yes');
  }
  const words = { done: 'is to be deleted', already: 'is ordered to be deleted already' };
  const confirm =
    options.yes === true ? {} : { confirm: (claims: readonly ClaimAt[]) => askForNames(claims, terminal) };
  return changeClaims(names, { state: 'Deleted', ...words, refuse: protectedClaim, ...confirm }, options, context);
}

function protectedClaim(claim: ClaimAt): Finding | undefined {
  if (!claim.protected) return undefined;
  return {
    code: 'claim-protected-deleted',
    at: at(claim, ['spec', 'protected']),
    message: `"${claim.name}" is protected.`,
    remedy: 'Remove `protected` in a change of its own, have that merged, then delete the claim.',
  };
}

async function askForNames(claims: readonly ClaimAt[], { ask, note, noteStyle }: Terminal): Promise<boolean> {
  for (const { name, file, keepsData } of claims) {
    const data = keepsData === true ? 'its volumes are kept' : 'its data is lost';
    note(`${noteStyle.bold(name)} (${file}): everything in it will be uninstalled and ${data}.\n`);
    const answer = await ask(`Type its name to order the deletion: `);
    if (answer?.trim() !== name) return false;
  }
  return true;
}
