import type { Cluster } from '../test/support/cluster.ts';
import type { Program } from '../test/support/program.ts';
import type { Line } from './line.ts';
import type { View } from './views/view.ts';

/** What brings `out/` to the cluster. */
export interface Applier {
  readonly programs: readonly Program[];
  /** What it is at, one of its objects each. */
  readonly view: View<Applied>;
  /** As a forge's webhook would, so that nobody waits for its next look at git. Paths in the repository. */
  notify(changed: readonly string[]): Promise<void>;
  /** Lets some of its objects look again now. */
  nudge(names: readonly string[]): Promise<void>;
}

export interface Applied {
  /** Everything is as git says, and well. */
  readonly settled: boolean;
  /** Differs for each time that something was applied; empty before the first time. */
  readonly applied: string;
  /** What was applied last, and what could not be; for people. */
  readonly said: string;
  readonly failed: boolean;
}

/** What one look at an object of the applier shows; undefined: it is at work. */
export type Outcome = Omit<Applied, 'settled'> | undefined;

/** While it is at work again, what came of the time before stands. */
export function rememberOutcomes(): (name: string, settled: boolean, outcome: Outcome) => readonly [string, Applied] {
  const last = new Map<string, Exclude<Outcome, undefined>>();
  const none = { applied: '', said: '', failed: false };
  return (name, settled, outcome) => {
    if (outcome !== undefined) last.set(name, outcome);
    return [name, { settled, ...(last.get(name) ?? none) }];
  };
}

/** The same words for both: what an applier has to say of one of its objects. */
export function tellApplied(who: Line['who']): View<Applied>['tell'] {
  const line = (text: string, tone?: Line['tone']) => [{ who, text, ...(tone !== undefined && { tone }) }];
  return (name, before, after) => {
    if (after === undefined) return line(`${name} is gone`);
    if (after.applied === (before?.applied ?? '')) return [];
    return line(`${name}: ${after.said}`, after.failed ? 'bad' : undefined);
  };
}

export type StartApplier = (cluster: Cluster) => Promise<Applier>;
