import type { Instant } from '../instant.ts';
import type { ClaimState } from '../resolve/state.ts';
import type { Link } from './link-token.ts';
import type { Standing } from './press.ts';
import type { Settled } from './renewals.ts';
import type { Sight } from './sights.ts';
import type { Refusal } from './words.ts';

/** What a page says, before it is said in any language. */
export type View =
  | {
      readonly kind: 'ask';
      readonly claim: string;
      readonly standing: Standing;
      /** What a renewal would make of it. */
      readonly renewed: Deadlines;
      readonly isReviewed: boolean;
      /** Since when it has not been possible to look again. */
      readonly asOf?: Instant;
    }
  /** Nothing but the link itself is known. */
  | { readonly kind: 'ask-blind'; readonly claim: string; readonly deadline: Instant }
  | {
      readonly kind: 'done';
      readonly claim: string;
      readonly state: ClaimState;
      readonly dates: Deadlines;
      readonly isReviewed: boolean;
    }
  | { readonly kind: 'kept'; readonly claim: string; readonly since: Instant }
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly claim?: string };

interface Deadlines {
  readonly sleep: Instant;
  readonly delete: Instant;
}

/** Before the button is pressed. */
export function viewOfSight(link: Link, sight: Sight | undefined, staleAt: Instant | undefined): View {
  const { claim, deadline } = link;
  if (sight === undefined || sight.seen.outcome.kind === 'unreadable') return { kind: 'ask-blind', claim, deadline };
  const { seen, instance } = sight;
  const { outcome, standing } = seen;
  if (outcome.kind !== 'renewed' || standing === undefined) return viewOfOutcome(link, sight);
  return {
    kind: 'ask',
    claim,
    standing,
    renewed: { sleep: outcome.sleep, delete: outcome.delete },
    isReviewed: instance.isReviewed,
    ...(staleAt !== undefined && { asOf: staleAt }),
  };
}

/** After it was pressed: the same whether this press or an earlier one did it. */
export function viewOfSettled(link: Link, settled: Settled, since: Instant): View {
  if (settled.kind === 'settled') return viewOfOutcome(link, settled);
  if (settled.kind === 'kept') return { kind: 'kept', claim: link.claim, since };
  return { kind: 'refused', refusal: 'lost', claim: link.claim };
}

function viewOfOutcome({ claim, deadline }: Link, { seen, instance }: Pick<Sight, 'seen' | 'instance'>): View {
  const { outcome, standing } = seen;
  switch (outcome.kind) {
    case 'unreadable':
      return { kind: 'ask-blind', claim, deadline };
    case 'refused':
      return { kind: 'refused', refusal: outcome.code, claim };
    default:
      return {
        kind: 'done',
        claim,
        state: standing?.state ?? 'Running',
        dates: { sleep: outcome.sleep, delete: outcome.delete },
        isReviewed: instance.isReviewed,
      };
  }
}

/** HTTP status of a page. */
export function statusOf(view: View): 200 | 202 | 400 | 403 | 404 | 409 | 410 | 429 | 500 | 503 {
  if (view.kind === 'kept') return 202;
  return view.kind === 'refused' ? refusalStatus[view.refusal] : 200;
}

const refusalStatus = {
  expired: 410,
  'unknown-claim': 404,
  foreign: 409,
  'deletion-ordered': 410,
  'never-expires': 200,
  forged: 403,
  'other-page': 403,
  'unknown-key': 403,
  'no-link': 404,
  'cross-site': 403,
  'old-form': 400,
  'too-many': 429,
  lost: 503,
  mistake: 500,
} as const satisfies Readonly<Record<Refusal, number>>;
