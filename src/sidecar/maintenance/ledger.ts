import { type BudgetView, budgetKey } from './budgets.ts';

/**
 * What is left of each budget within one decision: nodes share budgets, and what one takes another must not. The next
 * decision begins with what the API server says then.
 */
export class BudgetLedger {
  readonly #spent = new Map<string, number>();

  /** Whether a pod may go as far as budgets are concerned; if so, it is counted. */
  take(view: BudgetView): boolean {
    if (view.kind === 'free') return true;
    if (view.kind !== 'allows') return false;
    const key = budgetKey(view.budget);
    const spent = this.#spent.get(key) ?? 0;
    if (spent >= (view.budget.status?.disruptionsAllowed ?? 0)) return false;
    this.#spent.set(key, spent + 1);
    return true;
  }

  /** All of them or none. */
  takeAll(views: readonly BudgetView[]): boolean {
    const taken: BudgetView[] = [];
    for (const view of views) {
      if (!this.take(view)) {
        for (const each of taken) this.#giveBack(each);
        return false;
      }
      taken.push(view);
    }
    return true;
  }

  #giveBack(view: BudgetView): void {
    if (view.kind !== 'allows') return;
    const key = budgetKey(view.budget);
    this.#spent.set(key, (this.#spent.get(key) ?? 0) - 1);
  }
}
