import type { Problem } from '../validate/finding.ts';
import { locate } from '../validate/locate.ts';
import type { StateClone } from '../writeback/clone.ts';
import { readState, type StateAtTip } from '../writeback/state-at-tip.ts';
import { readStateInput, type StateInput } from './state-input.ts';

export interface NewestState {
  readonly state: StateAtTip;
  readonly input: StateInput;
  /** Branch that writes go to, where the settings ask for pull requests. */
  readonly review?: string;
}

type Answer =
  | { readonly kind: 'ok'; readonly newest: NewestState }
  | { readonly kind: 'failed'; readonly problems: readonly Problem[] };

/** Where the settings ask for pull requests, what was proposed before counts as well. */
export async function readNewest(clone: StateClone): Promise<Answer> {
  const first = await readOne(clone, undefined);
  if (first.kind === 'failed') return first;
  const { push, pullRequestBranch } = first.newest.input.settings.git.state;
  return push === 'branch' ? readOne(clone, pullRequestBranch) : first;
}

/** Author of a merge that is only looked at, and never pushed. */
const nobody = { name: 'Quiesce', email: 'quiesce@localhost' };

async function readOne(clone: StateClone, review: string | undefined): Promise<Answer> {
  const answer = await readState(clone, { author: nobody, ...(review !== undefined && { review }) });
  if (answer.kind === 'failed') return { kind: 'failed', problems: locate([answer.finding], () => undefined) };
  const { state } = answer;
  const read = await readStateInput(state);
  if (read.kind === 'problems') return { kind: 'failed', problems: read.problems };
  return { kind: 'ok', newest: { state, input: read.input, ...(review !== undefined && { review }) } };
}
