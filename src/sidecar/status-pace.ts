/** Counts of Pods change many times a second while a hundred of them leave; nobody reads that fast. */
const statusEveryMs = 1000;
const firstPauseMs = 2000;
const longestPauseMs = 60_000;

/** By UID of what the status is of. */
export interface StatusPace {
  /** If not, a pass is asked for when it may. */
  mayWrite(uid: string): boolean;
  written(uid: string): void;
  failed(uid: string): void;
}

export function openStatusPace(again: (inMs: number) => void): StatusPace {
  const paces = new Map<string, { readonly until: number; readonly failures: number }>();
  return {
    mayWrite: (uid) => {
      const wait = (paces.get(uid)?.until ?? 0) - performance.now();
      if (wait > 0) again(wait);
      return wait <= 0;
    },
    written: (uid) => paces.set(uid, { until: performance.now() + statusEveryMs, failures: 0 }),
    failed: (uid) => {
      const failures = (paces.get(uid)?.failures ?? 0) + 1;
      const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** (failures - 1));
      paces.set(uid, { until: performance.now() + pause, failures });
    },
  };
}
