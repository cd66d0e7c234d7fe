import type { LifecycleRecord } from '../resolve/state.ts';
import type { ObservedResource } from './decision.ts';
import { type Draft, held, recorded } from './draft.ts';
import { atOr, textOf } from './instants.ts';
import type { Scene } from './scene.ts';

/** Phases that last; the others only say that something is under way. */
const lasting = ['Running', 'Asleep', 'Installed', 'DeleteError'];

/** What the cluster last said, as far as it is news. */
export function observe(draft: Draft, resource: ObservedResource | undefined, now: number): Draft {
  if (resource?.phase === undefined || !lasting.includes(resource.phase)) return draft;
  const { phase, reason, since = now } = resource;
  const failed =
    phase === 'DeleteError'
      ? held(draft, {
          code: 'uninstall-failed',
          message: `Its uninstall failed${reason === undefined ? '' : `: ${reason}`}.`,
        })
      : draft;
  const known = draft.record.observed;
  if (known?.phase === phase && known.reason === reason) return failed;
  const because = reason === undefined ? {} : { reason };
  const observed = { phase, since: textOf(since), ...because };
  return recorded(failed, { observed }, { kind: 'observed', phase, ...because });
}

/** `kubectl delete vcc` is an order to delete like any other, once; a protected claim is not deleted. */
export function heedKubectl(draft: Draft, { claim, resource, time }: Scene): Draft {
  const asked = resource?.deletionAsked;
  if (asked === undefined || draft.state === 'Deleted') return draft;
  if (claim.protected) {
    const message = `${claim.name} is protected: "kubectl delete" of it is not carried out.`;
    return held(draft, { code: 'claim-protected', message });
  }
  // Somebody has taken an order back since: what was asked for before that is settled.
  if (asked <= (atOr(draft.record.deletion?.withdrawnAt, undefined) ?? Number.NEGATIVE_INFINITY)) return draft;
  const deletion = { at: textOf(time.now), by: 'Kubectl' } as const;
  return { ...recorded(draft, { deletion }, { kind: 'deletionOrdered', by: 'Kubectl' }), state: 'Deleted' };
}

/** Orders that people gave or took back by editing the claim. */
export function noteOrders(draft: Draft, { claim, time }: Scene): Draft {
  const { deletion } = draft.record;
  const isOrdered = deletion !== undefined && deletion.withdrawnAt === undefined;
  if ((claim.state === 'Deleted') === isOrdered) return draft;
  const now = textOf(time.now);
  if (!isOrdered) {
    const order = { at: now, by: 'Person' } as const;
    return recorded(draft, { deletion: order }, { kind: 'deletionOrdered', by: 'Person' });
  }
  // Whoever takes it back shall not find it ordered again within the hour: it is warned about anew.
  const change = { deletion: { ...deletion, withdrawnAt: now }, warnings: [], warnedAnewFrom: now };
  return recorded(draft, change, { kind: 'deletionWithdrawn' });
}

/** What is left to say of something whose uninstall was completed: who it was, and how it ended. */
export function endOf(
  record: LifecycleRecord,
  uninstalled: NonNullable<ObservedResource['uninstalled']>,
): LifecycleRecord {
  const { origin, name, identity, firstSeen, deletion } = record;
  return {
    origin,
    name,
    ...(identity !== undefined && { identity }),
    ...(firstSeen !== undefined && { firstSeen }),
    renewals: [],
    warnings: [],
    notices: [],
    rejections: [],
    ...(deletion !== undefined && { deletion }),
    uninstalled: { at: textOf(uninstalled.at), data: uninstalled.data },
  };
}
