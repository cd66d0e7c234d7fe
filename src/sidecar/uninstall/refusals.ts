import type { Instant } from '../../instant.ts';
import type { BlockerDraft } from './blocker.ts';
import type { Refusal } from './observation.ts';
import type { ObjectId } from './plan.ts';

const firstPauseMs = 1000;
const longestPauseMs = 60_000;

/** What failed is tried again after twice as long each time, and not before the API server wants it. */
export function retryAt({ at, attempts, retryAfterSeconds = 0 }: Refusal): Instant {
  const pause = Math.max(retryAfterSeconds * 1000, firstPauseMs * 2 ** Math.min(attempts - 1, 30));
  return at + Math.min(longestPauseMs, pause);
}

/** A failure that the next attempt may undo is no news until it repeats. */
const newsFrom = 2;

export function refusalBlocker(what: string, object: ObjectId, refusal: Refusal): BlockerDraft[] {
  const { status, attempts, text } = refusal;
  const code = codeOf(refusal);
  if (attempts < newsFrom && code !== 'webhook-refused' && code !== 'forbidden') return [];
  return [
    {
      code,
      who: code === 'webhook-refused' ? 'controller' : 'operators',
      object,
      message: `${what} is refused (${status === 0 ? 'no answer' : `HTTP ${status}`}): ${text}`.slice(0, 1000),
    },
  ];
}

/**
 * The API server puts a webhook's refusal and its own failure to reach one into the same codes as its own answers; only
 * its words tell them apart (`k8s.io/apiserver/pkg/admission/plugin/webhook/errors`).
 */
function codeOf({ status, text }: Pick<Refusal, 'status' | 'text'>): BlockerDraft['code'] {
  if (/admission webhook ".+" denied|failed calling webhook|ValidatingAdmissionPolicy/.test(text)) {
    return 'webhook-refused';
  }
  if (status === 401 || status === 403) return 'forbidden';
  if (status === 0 || status === 429 || status >= 500) return 'server-error';
  return 'refused';
}
