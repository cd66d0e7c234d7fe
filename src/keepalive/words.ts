/** Why a page renews nothing. */
export type Refusal =
  | 'expired'
  | 'unknown-claim'
  | 'foreign'
  | 'deletion-ordered'
  | 'never-expires'
  | 'forged'
  | 'other-page'
  | 'unknown-key'
  | 'no-link'
  | 'cross-site'
  | 'old-form'
  | 'too-many'
  | 'lost'
  | 'mistake';

export interface Words {
  readonly otherLanguage: string;
  readonly languages: string;
  readonly askTitle: (claim: string) => string;
  readonly asleepTitle: (claim: string) => string;
  readonly awake: (since: string) => string;
  readonly asleep: (since: string) => string;
  readonly blind: (deadline: string) => string;
  readonly noGit: string;
  readonly asOf: (time: string) => string;
  readonly claim: string;
  readonly cluster: string;
  readonly state: string;
  readonly states: Readonly<Record<'Running' | 'Sleeping' | 'Deleted', string>>;
  readonly comparison: string;
  readonly event: string;
  readonly otherwise: string;
  readonly renewed: string;
  readonly sleep: string;
  readonly deletion: string;
  readonly button: (claim: string) => string;
  readonly effect: Readonly<Record<'Running' | 'Sleeping' | 'Deleted', string>>;
  readonly effectReviewed: string;
  readonly notNeeded: string;
  readonly doneTitle: (claim: string) => string;
  readonly done: string;
  readonly doneReviewed: string;
  readonly proposed: string;
  readonly stillAsleep: string;
  readonly close: string;
  readonly keptTitle: (claim: string) => string;
  readonly kept: (since: string) => string;
  readonly keptNext: string;
  readonly contact: string;
  readonly refusals: Readonly<Record<Refusal, { readonly title: string; readonly why: string; readonly next: string }>>;
}
