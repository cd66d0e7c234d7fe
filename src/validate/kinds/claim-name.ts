import type { BackingStore } from '../../resolve/state.ts';
import { type Fault, shown } from '../grammar/fault.ts';

interface Budget {
  readonly what: string;
  readonly limit: number;
  /** What is put before and after the claim's name. */
  readonly around: readonly [before: string, after: string];
  /** The store that brings such an object along; any where absent. */
  readonly store?: BackingStore;
}

/** What a claim's name becomes part of. */
const budgets: readonly Budget[] = [
  // Pods of a StatefulSet carry <name>-<ten characters> as a label value.
  { what: 'name of a StatefulSet', limit: 52, around: ['', ''] },
  { what: 'name of the etcd StatefulSet', limit: 52, around: ['', '-etcd'], store: 'deployedEtcd' },
  { what: 'name of a Helm release', limit: 53, around: ['', ''] },
  { what: 'name of the headless Service', limit: 63, around: ['', '-headless'] },
  { what: 'name of the headless etcd Service', limit: 63, around: ['', '-etcd-headless'], store: 'deployedEtcd' },
  { what: 'name of the namespace', limit: 63, around: ['vcluster-', ''] },
  { what: 'first label of the host name', limit: 63, around: ['', ''] },
];

/** For the tightest budget only: to keep it is to keep the others. */
export function nameBudgetFault(name: string, store: BackingStore): Fault | undefined {
  const room = ({ limit, around: [before, after] }: Budget): number => limit - before.length - after.length;
  const [budget] = budgets
    .filter((each) => each.store === undefined || each.store === store)
    .sort((a, b) => room(a) - room(b));
  if (budget === undefined || name.length <= room(budget)) return undefined;
  const [before, after] = budget.around;
  return {
    code: 'claim-name-budget',
    message: `${shown(name)} has ${name.length} characters; as ${budget.what} ("${before}<name>${after}") it may have ${room(budget)}.`,
    remedy: `Shorten it by ${name.length - room(budget)}.`,
  };
}
