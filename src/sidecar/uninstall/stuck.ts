import type { Instant } from '../../instant.ts';
import { idOf } from './belongs.ts';
import type { BlockerDraft } from './blocker.ts';
import type { SeenObject } from './observation.ts';

/** So long, a controller may take for its finalizer, and a kubelet after the grace period, before it is worth a word. */
const ordinaryMs = 15_000;

/** What keeps an object that was told to go. `namespaced`: what else is in its namespace, as far as it was read. */
export function stuckBlockers(now: Instant, object: SeenObject, beside: readonly SeenObject[]): BlockerDraft[] {
  const { deletedAt, finalizers, kind } = object;
  if (deletedAt === undefined || now < deletedAt + ordinaryMs) return [];
  const base = { object: idOf(object), sinceAt: deletedAt };
  const holding = finalizers.filter((finalizer) => finalizer !== 'foregroundDeletion');
  if (holding.length > 0) {
    return holding.map((finalizer) => ({
      ...base,
      code: 'finalizer',
      who: 'controller',
      finalizer,
      message: `${kind} ${object.name} waits for the finalizer ${finalizer}: its controller has to release it.`,
    }));
  }
  if (finalizers.length > 0) return dependentBlockers(object, beside, base);
  const help = kind === 'Pod' ? ': the kubelet of its node does not answer, restart the node' : '';
  return [{ ...base, code: 'terminating', who: 'operators', message: `${kind} ${object.name} does not go${help}.` }];
}

export function isWaitingForDependents(now: Instant, { deletedAt, finalizers }: SeenObject): boolean {
  return deletedAt !== undefined && now >= deletedAt + ordinaryMs && finalizers.includes('foregroundDeletion');
}

const mostNamed = 5;

function dependentBlockers(
  owner: SeenObject,
  beside: readonly SeenObject[],
  base: Pick<BlockerDraft, 'sinceAt'>,
): BlockerDraft[] {
  const dependents = dependentsOf(owner, beside).filter((object) => dependentsOf(object, beside).length === 0);
  if (dependents.length === 0) {
    const message = `${owner.kind} ${owner.name} waits until what it owns is gone.`;
    return [{ ...base, code: 'dependents', who: 'controller', object: idOf(owner), message }];
  }
  return dependents.slice(0, mostNamed).map((dependent) => {
    const why = dependent.finalizers.length > 0 ? `, held by ${dependent.finalizers.join(', ')}` : '';
    const message = `${owner.kind} ${owner.name} waits until ${dependent.kind} ${dependent.name} is gone${why}.`;
    return { ...base, code: 'dependents', who: 'controller', object: idOf(dependent), message };
  });
}

/** Of every generation. */
export function dependentsOf(owner: SeenObject, objects: readonly SeenObject[]): SeenObject[] {
  const uids = new Set([owner.uid]);
  const found: SeenObject[] = [];
  for (let grew = true; grew; ) {
    const next = objects.filter(({ uid, owners }) => !uids.has(uid) && owners.some((each) => uids.has(each.uid)));
    for (const object of next) uids.add(object.uid);
    found.push(...next);
    grew = next.length > 0;
  }
  return found;
}
