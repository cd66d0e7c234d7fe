/** A clock that stands still until it is told, for programs that take the time as an argument. */
export interface Clock {
  now(): Date;
  set(instant: string): void;
  /** Also backwards, as a machine's clock may jump. */
  advance(by: {
    readonly days?: number;
    readonly hours?: number;
    readonly minutes?: number;
    readonly seconds?: number;
  }): void;
}

export function clockAt(instant: string): Clock {
  let now = parse(instant);
  return {
    now: () => new Date(now),
    set: (instant) => {
      now = parse(instant);
    },
    advance: ({ days = 0, hours = 0, minutes = 0, seconds = 0 }) => {
      now += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
    },
  };
}

/** With its zone, so that no test depends on that of the machine. */
function parse(instant: string): number {
  const time = /(Z|[+-]\d\d:\d\d)$/.test(instant) ? Date.parse(instant) : Number.NaN;
  if (Number.isNaN(time)) throw new Error(`"${instant}" is no instant such as 2026-03-01T09:00:00Z`);
  return time;
}
