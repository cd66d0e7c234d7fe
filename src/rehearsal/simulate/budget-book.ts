import { matcher } from '../../sidecar/maintenance/label-selector.ts';
import type { ObservedBudget, ObservedPod } from '../../sidecar/maintenance/observation.ts';
import { compareNamed } from '../../sidecar/maintenance/order.ts';
import { budgetStatus } from './budgets.ts';
import type { Workload } from './cluster.ts';

interface Entry {
  readonly asWritten: ObservedBudget;
  readonly matches: (labels: ObservedPod['labels']) => boolean;
  /** By UID. */
  readonly pods: Map<string, ObservedPod>;
  /** As it is now; absent: something has changed since. */
  current: ObservedBudget | undefined;
}

/** Budgets and the pods they are about, kept up as pods come and go: a status is worked out when somebody asks. */
export class BudgetBook {
  readonly #byNamespace = new Map<string, Entry[]>();
  readonly #entries: Entry[];
  readonly #scaleOf: (owner: string) => Workload['scale'];

  constructor(budgets: readonly ObservedBudget[], scaleOf: (owner: string) => Workload['scale']) {
    this.#scaleOf = scaleOf;
    this.#entries = [...budgets].sort(compareNamed).map((asWritten) => ({
      asWritten,
      matches: matcher(asWritten.selector),
      pods: new Map(),
      current: undefined,
    }));
    for (const entry of this.#entries) {
      const { namespace } = entry.asWritten;
      const others = this.#byNamespace.get(namespace);
      if (others === undefined) this.#byNamespace.set(namespace, [entry]);
      else others.push(entry);
    }
  }

  set(pod: ObservedPod): void {
    for (const entry of this.#of(pod)) {
      entry.pods.set(pod.uid, pod);
      entry.current = undefined;
    }
  }

  delete(pod: ObservedPod): void {
    for (const entry of this.#of(pod)) {
      entry.pods.delete(pod.uid);
      entry.current = undefined;
    }
  }

  all(): readonly ObservedBudget[] {
    return this.#entries.map((entry) => this.#read(entry));
  }

  of(pod: ObservedPod): readonly ObservedBudget[] {
    return this.#of(pod).map((entry) => this.#read(entry));
  }

  #of({ namespace, labels }: ObservedPod): Entry[] {
    return (this.#byNamespace.get(namespace) ?? []).filter(({ matches }) => matches(labels));
  }

  #read(entry: Entry): ObservedBudget {
    if (entry.current !== undefined) return entry.current;
    const { status: _, ...rest } = entry.asWritten;
    const status = budgetStatus(entry.asWritten, [...entry.pods.values()], this.#scaleOf);
    entry.current = { ...rest, ...(status !== undefined && { status }) };
    return entry.current;
  }
}
