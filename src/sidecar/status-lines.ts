import type { Style } from '../report/style.ts';
import { instantFrom, span } from './span.ts';
import type { AnyBlocker } from './status-view.ts';

export interface TextOptions {
  readonly now: number;
  readonly style: Style;
}

/** A program at work says so at least every 30 s. */
const silentMs = 90_000;

export function silenceOf(heartbeat: string | undefined, isAtWork: boolean, { now, style }: TextOptions): string[] {
  const since = instantFrom(heartbeat);
  if (!isAtWork || since === undefined || now - since < silentMs) return [];
  return [style.red(`  Nothing was heard of the sidecar for ${span(now - since)}.`)];
}

export function blockerLines(blockers: readonly AnyBlocker[], { now, style }: TextOptions): string[] {
  return blockers.map(({ code, message, who, since, permanent }) => {
    const colour = permanent === true ? style.red : style.yellow;
    const notes = [
      ...(since === undefined ? [] : [`for ${ago(since, now)}`]),
      ...(permanent === true ? ['will not pass by waiting'] : []),
      ...(who === undefined ? [] : [`to act: ${who}`]),
    ];
    return `      ${colour(code)}: ${message}${notes.length === 0 ? '' : style.dim(` (${notes.join('; ')})`)}`;
  });
}

export function ago(instant: string | undefined, now: number): string {
  const at = instantFrom(instant);
  return at === undefined ? '-' : span(Math.max(now - at, 0));
}
