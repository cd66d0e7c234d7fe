import type { Instant } from '../instant.ts';
import type { Claim, ClaimState, Installation, LifecycleRecord, Owner, Settings } from '../resolve/state.ts';

/**
 * What goes into the lifecycle decider and what comes out of it: plain data, instants in milliseconds since 1970.
 *
 *     decide(now, input) → for each claim: an edit of its file, a new record, mails, what is held back and why
 *     renew(now, subject, request) → what pressing the button does (renewal.ts)
 *
 * A run: `decide`; send the mails; `decide` again with the reports of what became of them; write states and records of
 * that in ONE commit; push. When the push is refused: fetch, and `decide` on the new tip with the same reports: what was
 * accepted once is not sent again. Notices (`asleep`, `deletionOrdered`) are owed once the state edit is in the tree, so
 * they come from the next run, or from one more round.
 */

// --- in ---

export interface LifecycleInput {
  readonly settings: Pick<Settings, 'expiry' | 'lifecycle'>;
  readonly mail: MailCapability;
  /** Of this run so far: folded into the records, and not asked for again. */
  readonly reports: readonly DeliveryReport[];
  /**
   * What other machines say of the time: API servers by the `Date` of their answers. Without any, and when one of them
   * differs, nothing expires and nobody is warned: a clock that jumped must not cost anybody a week.
   */
  readonly clocks: readonly ClockWitness[];
  readonly claims: readonly LifecycleClaim[];
  readonly installations: readonly LifecycleInstallation[];
  /** By name of the claim or installation. */
  readonly records: ReadonlyMap<string, LifecycleRecord>;
  /** Names (stems of files) whose record is there but cannot be read: nothing is done about them. */
  readonly unreadable: ReadonlySet<string>;
  /** By name of the host cluster; one that is missing counts as unknown. */
  readonly clusters: ReadonlyMap<string, ObservedCluster>;
  /**
   * Names of claims and installations in the inventory of the last compile; undefined when that is not known. A record
   * may go only when the output has forgotten what it tells of.
   */
  readonly compiled: ReadonlySet<string> | undefined;
}

export interface ClockWitness {
  /** For people: which machine. */
  readonly from: string;
  /** By how many milliseconds its clock is ahead of ours. */
  readonly ahead: number;
}

export type LifecycleClaim = Pick<
  Claim,
  | 'origin'
  | 'name'
  | 'cluster'
  | 'owners'
  | 'state'
  | 'expiry'
  | 'extendedUntil'
  | 'schedules'
  | 'protected'
  | 'identity'
  | 'renewedAt'
>;

export type LifecycleInstallation = Pick<Installation, 'origin' | 'name' | 'cluster' | 'state'>;

/** `down`: configured, but the server does not answer at all, so no mail is asked for in this run. */
export type MailCapability =
  | { readonly kind: 'ready' | 'notConfigured' }
  | { readonly kind: 'down'; readonly why: string };

export type ObservedCluster =
  | { readonly kind: 'unknown'; readonly why: string }
  | {
      readonly kind: 'known';
      readonly claims: ReadonlyMap<string, ObservedResource>;
      readonly installations: ReadonlyMap<string, ObservedResource>;
    };

/** A VClusterClaim or Installation resource, as its sidecar reports it. */
export interface ObservedResource {
  /** `deletionTimestamp`: somebody asked for its deletion with kubectl. */
  readonly deletionAsked?: Instant;
  readonly phase?: string;
  readonly reason?: string;
  /** Since when it has been in that phase. */
  readonly since?: Instant;
  /**
   * Present when the sidecar reports that nothing is left to uninstall, and the report is about this generation of a spec
   * whose state is Deleted.
   */
  readonly uninstalled?: { readonly at: Instant; readonly data: 'Deleted' | 'Kept' };
  /** `status.deadlines` as last published: git restored from a backup may know earlier ones. */
  readonly deadlines?: { readonly sleep?: Instant; readonly delete?: Instant };
}

// --- out ---

export interface LifecycleDecisions {
  /** Sorted by name; only claims and installations about which there is something to do or to say. */
  readonly decisions: readonly Decision[];
  /** What holds back the whole run. */
  readonly holds: readonly Hold[];
  /** For `status.deadlines` of every claim that expires, by name. */
  readonly deadlines: ReadonlyMap<string, Deadlines>;
  /** When time alone changes what is decided about a claim, by name; none for a claim that time does nothing to. */
  readonly next: ReadonlyMap<string, Instant>;
}

export interface Decision {
  readonly kind: 'claim' | 'installation' | 'record';
  readonly name: string;
  /** Another `spec.state` for the claim. */
  readonly state?: StateChange;
  /** The claim's or installation's file goes: its uninstall was completed. */
  readonly remove?: { readonly file: string };
  /** The whole record as it is to be from now on, or that its file goes. */
  readonly record?:
    | { readonly kind: 'write'; readonly record: LifecycleRecord }
    | { readonly kind: 'remove'; readonly file: string };
  readonly mails: readonly Mail[];
  /** Why something that is due is not done. */
  readonly holds: readonly Hold[];
  /** What happens by this decision, for the commit message. */
  readonly events: readonly LifecycleEvent[];
}

export interface StateChange {
  readonly file: string;
  readonly from: ClaimState;
  readonly to: ClaimState;
}

export type LifecycleEvent =
  | { readonly kind: 'firstSeen' }
  | { readonly kind: 'deadlinesMoved'; readonly sleep: Instant; readonly delete: Instant }
  /** It no longer expires: `Never`, or protected. */
  | { readonly kind: 'exempted' }
  | { readonly kind: 'expired'; readonly deadline: Instant }
  | { readonly kind: 'scheduled'; readonly to: 'Running' | 'Sleeping'; readonly schedule: ScheduleTick }
  /** A tick found it as it wants it, or comes under expiry's sleep: remembered, nothing changed. */
  | { readonly kind: 'tickPassed'; readonly schedule: ScheduleTick }
  | { readonly kind: 'deletionOrdered'; readonly by: DeletionBy; readonly deadline?: Instant }
  | { readonly kind: 'deletionWithdrawn' }
  | { readonly kind: 'observed'; readonly phase: string; readonly reason?: string }
  | { readonly kind: 'uninstalled'; readonly at: Instant; readonly data: 'Deleted' | 'Kept' }
  | { readonly kind: 'recordEnded' };

type DeletionBy = 'Expiry' | 'Kubectl' | 'Person';

export interface ScheduleTick {
  readonly at: Instant;
  /** Cron line and zone, as the claim has them. */
  readonly line: string;
  readonly timeZone: string;
  /** Which of the claim's schedules, from 0. */
  readonly index: number;
  readonly does: 'sleep' | 'wake';
}

/** Published deadlines and when their warnings are due. */
export interface Deadlines {
  readonly warnSleep: Instant;
  readonly sleep: Instant;
  readonly warnDelete: Instant;
  readonly delete: Instant;
  /** The earliest of `sleep` and `delete` that is still ahead and changes something. */
  readonly next?: Instant;
}

type HoldCode =
  /** No `mail` in the settings: nothing expires. */
  | 'mail-not-configured'
  | 'mail-down'
  /** An owner's address was refused for good (5xx). */
  | 'mail-rejected'
  /** The deadline has passed and not every owner has an accepted warning that names it. */
  | 'warning-owed'
  | 'record-unreadable'
  | 'cluster-unknown'
  /** The host cluster has no such resource: what runs there is not known. */
  | 'resource-missing'
  /** Another machine differs from ours on what time it is. */
  | 'clocks-disagree'
  /** No other machine told us what time it is. */
  | 'clock-unconfirmed'
  /** The resource's status does not show the deadline yet. */
  | 'deadline-unpublished'
  /** `kubectl delete` of a protected claim is not carried out. */
  | 'claim-protected'
  /** An Installation is deleted by its state, not with kubectl. */
  | 'deletion-asked'
  /** Volumes of an earlier claim of this name were kept. */
  | 'name-blocked-by-data'
  /** `expiry.extendedUntil` asks for more than the settings allow. */
  | 'extension-capped'
  /** The sidecar reports that the uninstall failed. */
  | 'uninstall-failed';

export interface Hold {
  readonly code: HoldCode;
  /** For people: what is held back and what to do. */
  readonly message: string;
  /** Whether a sleep or a deletion that is due waits for it. */
  readonly blocks?: 'sleep' | 'deletion';
}

// --- mail ---

export type { Owner };

/** `sleepWarning` and `deletionWarning` are what sleeping and deleting depend on; the other two are notices. */
export type MailKind = 'sleepWarning' | 'asleep' | 'deletionWarning' | 'deletionOrdered';

export interface Mail {
  readonly kind: MailKind;
  readonly claim: string;
  /** Of the record: stays the same through edits of the claim. The keep-alive token is scoped to it. */
  readonly identity: string;
  readonly cluster: string;
  /** Owners who have not got it yet: one message for each. */
  readonly to: readonly Owner[];
  readonly owners: readonly Owner[];
  /**
   * What the mail names, to the second, and what its keep-alive token is scoped to: for `sleepWarning` when it is put
   * to sleep; for `asleep` and `deletionWarning` when its deletion is ordered; for `deletionOrdered` (no link) when it
   * was ordered.
   */
  readonly deadline: Instant;
  /** For `sleepWarning`: when its deletion would be ordered after that. */
  readonly deletion?: Instant;
  /** Last renewal or first sight: what the time is counted from. */
  readonly since: Instant;
  /** As it is now: one that sleeps already hears so. */
  readonly state: ClaimState;
  /** For `deletionOrdered`. */
  readonly by?: DeletionBy;
  /** For owners that name no zone of their own. */
  readonly timeZone: string;
}

/** What became of one message. Only what the server accepted counts as delivered. */
export interface DeliveryReport {
  readonly mail: Mail;
  /** Address of the owner. */
  readonly to: string;
  readonly at: Instant;
  /** `rejected`: 5xx. `deferred`: 4xx, no answer, or a line dropped after DATA; the next run sends it again. */
  readonly outcome: 'accepted' | 'rejected' | 'deferred';
  /** The server's answer, one line, without addresses of servers or secrets. */
  readonly reply?: string;
}
