import type { Author } from '../commit/commit-object.ts';
import type { Instant } from '../instant.ts';
import type { StateChange } from '../lifecycle/decision.ts';
import { textOf } from '../lifecycle/instants.ts';
import { compareText } from '../plan/change.ts';
import type { Owner } from '../resolve/state.ts';

export interface WrittenRenewal {
  readonly claim: string;
  readonly deadlines: { readonly sleep: Instant; readonly delete: Instant };
  /** Of a claim whose deletion was ordered after the press: it is taken back. */
  readonly state?: StateChange;
  /** Who pressed the button, where known. */
  readonly owner?: Owner;
}

export interface CommitWords {
  readonly subject: string;
  readonly body: readonly string[];
  readonly coAuthors: readonly Author[];
}

/** What `git log` says of renewals; there is at least one. By name, whoever pressed first. */
export function renewalMessage(written: readonly WrittenRenewal[]): CommitWords {
  const renewals = [...written].sort((a, b) => compareText(a.claim, b.claim));
  const names = renewals.map(({ claim }) => claim);
  const coAuthors = new Map(renewals.flatMap(({ owner }) => (owner === undefined ? [] : [[owner.email, owner]])));
  return {
    subject: names.length > 3 ? `Renew ${names.length} claims` : `Renew ${listed(names)}`,
    body: renewals.map(lineOf),
    coAuthors: [...coAuthors.values()].map(({ name, email }) => ({ name, email })),
  };
}

function lineOf({ claim, deadlines, owner, state }: WrittenRenewal): string {
  const by = owner === undefined ? '' : `, by ${owner.name}`;
  const back = state === undefined ? '' : ' Its deletion was ordered after that press, and is taken back.';
  return `${claim} is renewed${by}: put to sleep after ${dayOf(deadlines.sleep)}, deleted after ${dayOf(deadlines.delete)}.${back}`;
}

function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

function dayOf(instant: Instant): string {
  return textOf(instant).slice(0, 10);
}
