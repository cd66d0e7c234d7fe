const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** As `kubectl get` shows ages: the two largest units, and only as fine as matters. */
export function span(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 2 * minute) return `${seconds}s`;
  if (seconds < hour) return joined(seconds, [minute, 'm'], [1, 's'], 10 * minute);
  if (seconds < 2 * day) return joined(seconds, [hour, 'h'], [minute, 'm'], 8 * hour);
  return joined(seconds, [day, 'd'], [hour, 'h'], 8 * day);
}

type Unit = readonly [seconds: number, letter: string];

function joined(seconds: number, [large, a]: Unit, [small, b]: Unit, fineUntil: number): string {
  const rest = Math.floor((seconds % large) / small);
  const whole = `${Math.floor(seconds / large)}${a}`;
  return rest === 0 || seconds >= fineUntil ? whole : `${whole}${rest}${b}`;
}

export function instantFrom(text: string | undefined): number | undefined {
  const instant = Date.parse(text ?? '');
  return Number.isNaN(instant) ? undefined : instant;
}
