import type { Instant } from '../../instant.ts';
import { instantText, parseInstant } from '../../instant.ts';

/** The CRDs promise at least every 30 s while work runs. */
const heartbeatPause = 20_000;

/** As it is shown, until it is time for it to move. */
export function heartbeat(now: Instant, shown: string | undefined): string {
  const last = parseInstant(shown);
  return instantText(last === undefined || last > now || now - last >= heartbeatPause ? now : last);
}

export function nextHeartbeat(now: Instant, beat: string | undefined): Instant[] {
  return beat === undefined ? [] : [(parseInstant(beat) ?? now) + heartbeatPause];
}

/** Since when something is as it is: since it was first shown so, and never in the future. */
export function sinceShown(now: Instant, isAsShown: boolean, shown: string | undefined): string {
  const since = isAsShown ? parseInstant(shown) : undefined;
  return instantText(Math.min(now, since ?? now));
}
