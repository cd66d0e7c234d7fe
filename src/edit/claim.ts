import { readDocuments } from '../load/documents.ts';
import type { ClaimState } from '../resolve/state.ts';
import { EditRefused } from './refused.ts';
import { editScalar } from './scalar.ts';

/** What the commands need to know of a claim before they touch it. */
export interface ClaimInText {
  readonly name: string;
  /** Which document of the file, from 0. */
  readonly document: number;
  /** As written, through an alias or a merge if need be; `Running` when it says nothing. */
  readonly state: string;
  readonly protected: boolean;
  readonly keepsData?: true;
  readonly neverExpires?: true;
}

/** Every VClusterClaim of a file, of our group or of the one that claims had before. Others' documents are skipped. */
export function claimsIn(text: string): readonly ClaimInText[] {
  // Read as what may hold several documents: a claim file may not, but that is for `validate` to say.
  const { documents } = readDocuments('', new TextEncoder().encode(text), 'asset');
  return documents.flatMap(({ origin, value }) => {
    const { apiVersion, kind, metadata, spec } = fieldsOf(value);
    const { name } = fieldsOf(metadata);
    if (kind !== 'VClusterClaim' || !ourGroups.test(String(apiVersion)) || typeof name !== 'string') return [];
    const { state = 'Running', protected: isProtected, keepData, expiry } = fieldsOf(spec);
    const { document } = origin;
    return [
      {
        name,
        document,
        state: String(state),
        protected: isProtected === true,
        ...(keepData === true && { keepsData: true as const }),
        ...(expiry === 'Never' && { neverExpires: true as const }),
      },
    ];
  });
}

const ourGroups = /^(?:quiesce\.dev|plethos\.cs\.hm\.edu)\//;

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** The file with another `spec.state` for one claim: the word itself changes, or one line is added below the owner. */
export function setClaimState(text: string, name: string, state: ClaimState): string {
  const claim = claimsIn(text).find((candidate) => candidate.name === name);
  if (claim === undefined) throw new EditRefused(`it has no claim "${name}" that can be read`);
  // Saying what is the default anyway would be a change without an effect.
  if (claim.state === state) return text;
  return editScalar(text, claim.document, ['spec', 'state'], state, { after: ['owner', 'owners'] });
}
