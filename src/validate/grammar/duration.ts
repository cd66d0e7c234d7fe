import { type Fault, shown } from './fault.ts';

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };
const grammar = /^([0-9]+)([smhdw])$/;
/** A hundred years: anything longer is a slip, and sums stay exact. */
const longest = 100 * 365 * 86_400;

/** `90d`, `12h`, `2w`: a whole number and one unit. Zero only where `allowZero` says so. */
export function durationFault(text: string): Fault | undefined {
  const seconds = toSeconds(text);
  if (seconds !== undefined && seconds > 0 && seconds <= longest) return undefined;
  const why =
    seconds === undefined
      ? 'a whole number and one of s, m, h, d, w'
      : seconds === 0
        ? 'it must be more than nothing'
        : 'it is longer than a hundred years';
  return {
    code: 'duration-invalid',
    message: `${shown(text)} is no valid duration: ${why}.`,
    remedy: suggestion(text),
  };
}

/** Undefined when the text is no duration. */
export function toSeconds(text: string): number | undefined {
  const match = grammar.exec(text);
  if (match === null) return undefined;
  const unit = secondsOf[match[2] ?? ''];
  return unit === undefined ? undefined : Number(match[1]) * unit;
}

/** In the largest unit that is exact, for messages: `90d`. */
export function durationText(seconds: number): string {
  for (const unit of ['d', 'h', 'm'] as const) {
    const size = secondsOf[unit] ?? 1;
    if (seconds >= size && seconds % size === 0) return `${seconds / size}${unit}`;
  }
  return `${seconds}s`;
}

function suggestion(text: string): string {
  const match = /^\s*([0-9]+)\s*([smhdw])[a-z]*\s*$/i.exec(text);
  const better = match === null ? undefined : `${match[1]}${match[2]?.toLowerCase()}`;
  return better !== undefined && better !== text && (toSeconds(better) ?? 0) > 0
    ? `Write "${better}".`
    : 'Write for example "90d", "12h" or "2w".';
}
