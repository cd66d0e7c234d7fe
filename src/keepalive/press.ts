import type { Instant } from '../instant.ts';
import type { RenewalRefusal } from '../lifecycle/renewal.ts';
import type { InstantParts, Language } from '../mail/language.ts';
import type { ClaimState } from '../resolve/state.ts';
import type { Link } from './link-token.ts';

/** A press of the button: kept on disk until git has what follows from it. */
export interface Press {
  /** Of its link: pressing again is the same request. */
  readonly id: string;
  readonly link: Link;
  /** What counts for the renewal, however much later it is written. */
  readonly at: Instant;
}

/** As they came; the order of what is written follows from what was asked alone. */
export function byTime(a: Press, b: Press): number {
  return a.at - b.at || (a.id < b.id ? -1 : 1);
}

/** What a press does, or would do. */
export type Outcome =
  | { readonly kind: 'renewed' | 'alreadyRenewed'; readonly sleep: Instant; readonly delete: Instant }
  | { readonly kind: 'refused'; readonly code: RenewalRefusal }
  /** The claim's file or its record cannot be read just now: nothing is decided. */
  | { readonly kind: 'unreadable' };

/** How a claim stands, for the page. */
export interface Standing {
  readonly cluster: string;
  readonly state: ClaimState;
  /** When it is put to sleep, and when its deletion is ordered, if nobody renews it. */
  readonly sleep: Instant;
  readonly delete: Instant;
  /** Last renewal, else when it was first seen. */
  readonly since: Instant;
}

/** What the page shows of one link. */
export interface Seen {
  readonly outcome: Outcome;
  /** Absent for what does not expire, or is not there. */
  readonly standing?: Standing;
  /** Of the owner whose link it is. */
  readonly language?: Language;
  /** Every instant of the above, as the page says it in its languages, in the owner's zone. */
  readonly dates: Dates;
}

/** By instant. Said where git is worked with: what knows of time zones is a sixth of what the page may have of memory. */
export type Dates = Readonly<Record<Instant, Readonly<Record<Language, InstantParts>>>>;

/** Of the settings. */
export interface Instance {
  readonly name: string;
  readonly language: Language;
  /** Mail address of the operators. */
  readonly contact?: string;
  /** Renewals are proposed in a pull request, and count when it is merged. */
  readonly isReviewed: boolean;
}

export type LookAnswer =
  | { readonly kind: 'seen'; readonly instance: Instance; readonly byId: Readonly<Record<string, Seen>> }
  | Unreachable;

export type RenewAnswer =
  | {
      readonly kind: 'written';
      /** Absent where nothing had to be written. */
      readonly commit?: string;
      readonly instance: Instance;
      readonly byId: Readonly<Record<string, Seen>>;
    }
  | Unreachable;

/** Git could not be read or written; trying again is always safe. */
export interface Unreachable {
  readonly kind: 'failed';
  /** Of the Problem. */
  readonly code: string;
  readonly message: string;
}
