import type { Instant } from '../instant.ts';
import type { LifecycleRecord } from '../resolve/state.ts';
import type { LifecycleClaim } from './decision.ts';
import { atOr, second } from './instants.ts';
import type { Scene } from './scene.ts';
import { nextTick } from './schedules.ts';
import type { Terms } from './terms.ts';
import { lead } from './warnings.ts';

/** When time alone, with nobody doing anything, may change what is decided about a claim. */
export function nextChange(
  { time, settings }: Scene,
  claim: LifecycleClaim,
  { terms, record }: { readonly terms: Terms | undefined; readonly record: LifecycleRecord },
): Instant | undefined {
  const ahead = settings.expiry.warnBefore * second + lead;
  const stage =
    terms === undefined
      ? []
      : terms.isAsleep
        ? [terms.delete - ahead, terms.delete]
        : [terms.sleep - ahead, terms.sleep];
  // What is dated in the future counts from then on: an annotation that somebody wrote, a clock that had jumped.
  const dated = terms === undefined ? [] : [atOr(claim.renewedAt, undefined), atOr(record.warnedAnewFrom, undefined)];
  const tick = claim.schedules.length === 0 ? undefined : nextTick(claim, time.now);
  const coming = [...stage, ...dated, tick].flatMap((instant) =>
    instant !== undefined && instant > time.now ? instant : [],
  );
  return coming.length === 0 ? undefined : Math.min(...coming);
}
