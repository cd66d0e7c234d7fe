import type { Instant } from '../instant.ts';
import type { LifecycleRecord, Settings } from '../resolve/state.ts';
import type { Deadlines, LifecycleClaim, StateChange } from './decision.ts';

/** What goes into `renew`, and what comes out of it. */

export interface RenewalRequest {
  /** From the token. */
  readonly identity: string;
  readonly deadline: Instant;
  readonly issuedAt: Instant;
  /** Who pressed the button, where the token says so: an owner's address. */
  readonly by?: string;
}

export interface RenewalSubject {
  readonly claim: LifecycleClaim | undefined;
  readonly record: LifecycleRecord | undefined;
  readonly settings: Pick<Settings, 'expiry'>;
}

export type Renewal =
  | {
      readonly kind: 'renewed';
      readonly record: LifecycleRecord;
      readonly deadlines: Deadlines;
      /** Where the deletion was ordered after the press, because git could not be written before: it is taken back. */
      readonly state?: StateChange;
    }
  /** Nothing to write: this link, or a later renewal than it, has done it already. The answer is the same. */
  | { readonly kind: 'alreadyRenewed'; readonly deadlines: Deadlines }
  | { readonly kind: 'refused'; readonly code: RenewalRefusal };

export type RenewalRefusal =
  /** The deadline has passed. */
  | 'expired'
  /** No such claim: deleted or renamed. */
  | 'unknown-claim'
  /** Another claim has this name now. */
  | 'foreign'
  | 'deletion-ordered'
  /** `Never` or protected: there is nothing to renew. */
  | 'never-expires';
