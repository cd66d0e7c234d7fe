/**
 * The time as the API server has it, which is the time of everything that it writes down. Between its answers a clock
 * goes on that does not jump: neither a wrong clock of this machine nor a correction of it moves a deadline.
 */
export interface ServerClock {
  /** The Date header of an answer. */
  heard(date: string | undefined): void;
  /** Epoch milliseconds; this machine's clock while nothing was heard. */
  now(): number;
}

export interface ServerClockOptions {
  readonly local: () => number;
  readonly monotonic: () => number;
}

/** The header has whole seconds, and answers take a while: less than this is no difference. */
const toleranceMs = 2000;

export function openServerClock({ local, monotonic }: ServerClockOptions): ServerClock {
  let anchor: { readonly server: number; readonly at: number } | undefined;
  const now = () => (anchor === undefined ? local() : anchor.server + (monotonic() - anchor.at));
  return {
    now,
    heard: (date) => {
      // In the middle of the second that it names.
      const server = Date.parse(date ?? '') + 500;
      if (Number.isNaN(server)) return;
      if (anchor === undefined && Math.abs(local() - server) <= toleranceMs)
        anchor = { server: local(), at: monotonic() };
      else if (Math.abs(now() - server) > toleranceMs) anchor = { server, at: monotonic() };
    },
  };
}
