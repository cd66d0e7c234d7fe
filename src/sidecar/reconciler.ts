import type { Rest } from './in-flight.ts';
import type { Change, Slim } from './kube/cache.ts';
import type { Kind } from './world.ts';

/**
 * One loop of the sidecar: observe → decide → act, for each of its subjects. The program gives it its turns; a pass that
 * fails is repeated later, and every pass starts from what is observed then.
 */
export interface Reconciler<Observation, Decision> {
  /** A word, for logs and metrics. */
  readonly name: string;
  /** Its subjects now, for the resync. A subject that went away since is to be observed once more all the same. */
  keys(): Iterable<string>;
  /** Subjects that a change of the cluster may matter to. */
  concerns(kind: Kind, change: Change<Slim>): Iterable<string>;
  /** From what is known here, without a request. Nothing: not enough is known for any decision. */
  observe(key: string): Observation | undefined;
  /** Pure. */
  decide(now: number, observation: Observation): Decision;
  /** Begins what was decided and does not wait for it: what ends later gives its subject another turn. */
  act(decision: Decision): void;
  /** When to decide again if nothing changes before, in epoch milliseconds. */
  again(decision: Decision): number | undefined;
  /** What it would do, in words; one line each. */
  tell(decision: Decision): readonly string[];
  /** For a single pass: over when there is something to observe. Those that watch everything have no need of it. */
  read?(key: string): Promise<void>;
  /** Over when nothing that `act` began is under way. What finds no room yet is begun first, or dropped. */
  settled(rest: Rest): Promise<void>;
}

/** The same without its types: what the program needs of any of them. */
export interface Loop extends Pick<Reconciler<never, never>, 'name' | 'keys' | 'concerns' | 'settled'> {
  pass(key: string): Pass;
  read(key: string): Promise<void>;
  /** What a pass would do, without doing it. */
  rehearse(key: string): Rehearsal;
}

/** Not yet is a value: too little is known for a decision. */
type Pass = { readonly kind: 'decided'; readonly again: number | undefined } | { readonly kind: 'unknown' };

export interface Rehearsal {
  readonly decision: unknown;
  readonly lines: readonly string[];
}

export function loopOf<Observation, Decision>(reconciler: Reconciler<Observation, Decision>, now: () => number): Loop {
  const decide = (key: string): Decision | undefined => {
    const observation = reconciler.observe(key);
    return observation === undefined ? undefined : reconciler.decide(now(), observation);
  };
  return {
    name: reconciler.name,
    keys: () => reconciler.keys(),
    concerns: (kind, change) => reconciler.concerns(kind, change),
    settled: (rest) => reconciler.settled(rest),
    read: async (key) => reconciler.read?.(key),
    pass: (key) => {
      const decision = decide(key);
      if (decision === undefined) return { kind: 'unknown' };
      reconciler.act(decision);
      return { kind: 'decided', again: reconciler.again(decision) };
    },
    rehearse: (key) => {
      const decision = decide(key);
      return { decision, lines: decision === undefined ? [] : reconciler.tell(decision) };
    },
  };
}
