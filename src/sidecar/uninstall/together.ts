import type { Instant } from '../../instant.ts';

/** From so many on that are under way, they are looked at together, at common instants. */
const many = 8;
/** A look at everything, or into a namespace, costs a hundred lists, which serve all who ask for them at once. */
const wholeEveryMs = 10_000;
const narrowEveryMs = 4000;

/** When looks at many subjects begin, so that their lists are shared. */
export interface Together {
  /** Of this subject, whose look is due. Once it is named, it stays. */
  beginsAt(name: string, now: Instant, isNarrow: boolean): Instant;
  begun(name: string): void;
  /** Nothing is to be looked at any more. */
  over(name: string): void;
}

export function openTogether(): Together {
  const underWay = new Set<string>();
  const named = new Map<string, Instant>();
  return {
    beginsAt: (name, now, isNarrow) => {
      underWay.add(name);
      if (underWay.size < many) return now;
      const every = isNarrow ? narrowEveryMs : wholeEveryMs;
      const at = named.get(name) ?? Math.ceil(now / every) * every;
      named.set(name, at);
      return at;
    },
    begun: (name) => named.delete(name),
    over: (name) => {
      underWay.delete(name);
      named.delete(name);
    },
  };
}
