import type { Instant } from '../../instant.ts';
import type { BlockerDraft } from '../maintenance/blocker-draft.ts';
import type { ObservedPod } from './observation.ts';
import type { ClaimPhase, ClaimReason } from './status.ts';

/** Where a claim is, by what is observed now, and what follows from it. */
export interface Standing {
  readonly phase: ClaimPhase;
  readonly reason: ClaimReason;
  readonly message: string;
  /** It is what git asks for. */
  readonly isReached: boolean;
  /** In words, while something is under way that is ours to do. */
  readonly step?: string;
  readonly blockers: readonly BlockerDraft[];
  /** Pods that the virtual cluster has synced, to be deleted now. */
  readonly sweep?: readonly ObservedPod[];
  /** Since when nothing of it has run. */
  readonly quietSince?: Instant;
  /** When time alone changes what is to be said or done. */
  readonly again?: readonly Instant[];
}
