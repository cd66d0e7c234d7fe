import { setClaimState } from '../../src/edit/claim.ts';
import { appendToList } from '../../src/edit/scalar.ts';
import type { ClaimState } from '../../src/resolve/state.ts';
import { type CloneOptions, openClone, type StateClone } from '../../src/writeback/clone.ts';
import { type Decide, type WriteRequest, type WriteResult, writeBack } from '../../src/writeback/write-back.ts';
import type { Workshop } from '../support/temp-repo.ts';

export const author = { name: 'Quiesce', email: 'quiesce@example.com' };

/** A claim as a person writes it. */
export function claimText(name: string, state = 'Running'): string {
  return `# ${name} is for the lecture
apiVersion: quiesce.dev/v1alpha1
kind: VClusterClaim
metadata:
  name: ${name}
spec:
  owner: {name: "Ada", email: ada@example.com} # ask her first
  state: ${state}   # until summer
`;
}

export const adaFile = 'state/claims/ada.yaml';

/** Puts one claim into a state, unless it is in it. */
export function setState(name: string, state: ClaimState): Decide<string> {
  return async (at) => {
    const path = `state/claims/${name}.yaml`;
    const text = await at.text(path);
    if (text === undefined) return { kind: 'nothing', note: 'no such claim' };
    const edited = setClaimState(text, name, state);
    if (edited === text) return { kind: 'nothing', note: 'it is so already' };
    return { kind: 'write', edits: [{ path, text: edited }], subject: `${state} ${name}`, body: [], note: 'done' };
  };
}

/** A renewal, which must be there once, whatever happens. */
export function renew(name: string, at: string): Decide<string> {
  return async (state) => {
    const path = `state/records/${name}.yaml`;
    const text = (await state.text(path)) ?? recordText(name);
    if (text.includes(`at: ${JSON.stringify(at)}`)) return { kind: 'nothing', note: 'it is so already' };
    const edits = [{ path, text: appendToList(text, 0, ['spec', 'renewals'], { at }) }];
    return { kind: 'write', edits, subject: `Renew ${name}`, body: [], note: 'done' };
  };
}

export function recordText(name: string): string {
  return `# Written by the lifecycle runner.
apiVersion: quiesce.dev/v1alpha1
kind: Record
metadata:
  name: ${name}
spec:
  firstSeen: "2026-01-01T00:00:00Z"
`;
}

export function cloneOf(shop: Workshop, url: string, options: Partial<CloneOptions> = {}): StateClone {
  return openClone({ url, branch: 'main', work: shop.path('work'), environment: shop.env, ...options });
}

/** `writeBack` with a retry that does not wait. */
export async function writeIn(
  clone: StateClone,
  decide: Decide<string>,
  options: Partial<WriteRequest<string>> = {},
): Promise<WriteResult<string>> {
  return writeBack(clone, { decide, author, retry: { attempts: 4, delay: () => 1 }, ...options });
}
