import { counted } from './change.ts';
import { type Said, claimTitle as title } from './claim-rules.ts';
import { type Danger, danger } from './danger.ts';
import { type Difference, differences } from './differences.ts';
import type { ClaimFacts } from './facts.ts';
import { amountOf, compareQuantities } from './quantity.ts';

/** What is inside of a claim: how much may run in it, when it runs, and how it is configured. */

type Rule = (before: ClaimFacts, after: ClaimFacts) => Said | undefined;

const quota: Rule = (before, after) => {
  const changed = differences(before.quota ?? {}, after.quota ?? {}).filter(
    ({ was, is }) => was === undefined || is === undefined || compareQuantities(was, is) !== 0,
  );
  if (changed.length === 0) return undefined;
  return {
    kind: 'quota-changed',
    text: `${title(after)} may use ${listed(changed, 'without a limit')}.`,
    dangers: [...(changed.some(isLess) ? danger('quota-reduced', lessQuota) : []), ...tooTight(after)],
  };
};

const lessQuota =
  'quota reduced: what runs goes on, but whatever is beyond the quota does not start again once it has ended';

function isLess({ was, is }: Difference): boolean {
  if (is === undefined) return false;
  return was === undefined || (compareQuantities(is, was) ?? 0) < 0;
}

/** Quotas of the namespace count its control plane as well. */
function tooTight({ quota = {}, requests = {}, replicas }: ClaimFacts): readonly Danger[] {
  const asked = [
    ...['pods', 'count/pods'].map((name) => ({ name, amount: replicas })),
    ...Object.entries(requests).flatMap(([resource, amount]) =>
      [resource, `requests.${resource}`].map((name) => ({ name, amount: (amountOf(amount) ?? 0) * replicas })),
    ),
  ];
  const short = asked.filter(({ name, amount }) => amount > (amountOf(quota[name] ?? '') ?? Number.POSITIVE_INFINITY));
  if (short.length === 0) return [];
  const names = short.map(({ name }) => name).join(', ');
  return danger(
    'ha-reduced',
    `HA reduced: this leaves no room for its ${counted(replicas, 'control-plane replica')} (${names})`,
  );
}

const schedules: Rule = (before, after) => {
  const [was, is] = [before.timetable ?? [], after.timetable ?? []];
  if (was.join('\n') === is.join('\n')) return undefined;
  const text =
    is.length === 0
      ? `${title(after)} has no sleep schedule any more; before, it ${inWords(was)}.`
      : `${title(after)} ${inWords(is)}${was.length === 0 ? '' : `; before, it ${inWords(was)}`}.`;
  return { kind: 'schedules-changed', text };
};

/** Each entry is a phrase that goes on after the name of the claim. */
function inWords(timetable: readonly string[]): string {
  return timetable.join('; and ');
}

const values: Rule = (before, after) => {
  const changed = differences(before.values ?? {}, after.values ?? {});
  if (changed.length === 0) return undefined;
  return { kind: 'changed', text: `${title(after)} gets other values: ${listed(changed, 'is gone')}.` };
};

/** As many as a sentence bears. */
const mostListed = 5;

function listed(all: readonly Difference[], absent: string): string {
  const shown = all.slice(0, mostListed).map(({ key, was, is }) => {
    if (is === undefined) return `${key} ${absent} (before, ${was})`;
    return `${key} ${is}${was === undefined ? '' : ` in place of ${was}`}`;
  });
  const more = all.length > mostListed ? ` and ${all.length - mostListed} more` : '';
  return `${shown.join(', ')}${more}`;
}

export const claimContentRules: readonly Rule[] = [quota, schedules, values];
