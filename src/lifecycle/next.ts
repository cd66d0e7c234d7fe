import type { Instant } from '../instant.ts';
import type { LifecycleClaim } from './decision.ts';
import { second } from './instants.ts';
import type { Scene } from './scene.ts';
import { nextTick } from './schedules.ts';
import type { Terms } from './terms.ts';
import { lead } from './warnings.ts';

/** When time alone, with nobody doing anything, may change what is decided about a claim. */
export function nextChange(
  { time, settings }: Scene,
  claim: LifecycleClaim,
  terms: Terms | undefined,
): Instant | undefined {
  const ahead = settings.expiry.warnBefore * second + lead;
  const stage =
    terms === undefined
      ? []
      : terms.isAsleep
        ? [terms.delete - ahead, terms.delete]
        : [terms.sleep - ahead, terms.sleep];
  const tick = claim.schedules.length === 0 ? undefined : nextTick(claim, time.now);
  const coming = [...stage, ...(tick === undefined ? [] : [tick])].filter((instant) => instant > time.now);
  return coming.length === 0 ? undefined : Math.min(...coming);
}
