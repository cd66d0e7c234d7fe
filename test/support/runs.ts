const times = Number(process.env.QUIESCE_TIMES ?? 1);

/** How many random cases of a property are tried: as few as a gate has time for, or QUIESCE_TIMES as many. */
export function runs(few: number): number {
  return Math.ceil(few * times);
}
