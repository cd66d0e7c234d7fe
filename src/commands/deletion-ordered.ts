import { at, type Finding } from '../validate/finding.ts';
import type { ClaimAt } from './claim-files.ts';

/** Once merged, the order to delete may be under way: neither sleeping nor waking is how to take it back. */
export function deletionOrdered(claim: ClaimAt): Finding | undefined {
  if (claim.state !== 'Deleted') return undefined;
  return {
    code: 'claim-deletion-ordered',
    at: at(claim, ['spec', 'state']),
    message: `"${claim.name}" is ordered to be deleted.`,
    remedy: `If that is not merged yet, take it back with "git restore ${claim.file}"; afterwards its uninstall may have begun, and what it deleted does not come back.`,
  };
}
