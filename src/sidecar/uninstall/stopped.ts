import { objectsByComponent } from './belongs.ts';
import type { BlockerDraft } from './blocker.ts';
import { allKinds, groupOf, isBuiltInGroup } from './kinds.ts';
import type { UninstallObservation, Unread } from './observation.ts';
import type { UninstallPlan } from './plan.ts';
import { type StepOutcome, waiting } from './view.ts';

/** Nothing is done while it is not known what is there, or may not be done. */
export function stopped(plan: UninstallPlan, observation: UninstallObservation): StepOutcome | undefined {
  const drafts = [...unconfirmed(plan), ...unreadOnes(plan, observation)];
  return drafts.length === 0 ? undefined : waiting('waiting', { blockers: drafts, look: { depth: 'full' } });
}

/** Nothing could be looked at. */
export function isBlind({ unread }: Pick<UninstallObservation, 'unread'>): boolean {
  return unread.some(({ what }) => what === allKinds);
}

function unconfirmed({ strategy, confirmed, subject, components }: UninstallPlan): BlockerDraft[] {
  if (confirmed) return [];
  const why =
    strategy === 'Quick'
      ? 'Quick deletion drops finalizers'
      : components.some(({ persistentVolumeClaims }) => persistentVolumeClaims === 'Delete')
        ? 'Deleting volumes'
        : undefined;
  if (why === undefined) return [];
  const message = `${why} and asks for a confirmation: write the name ${subject.name} as "confirm" in git.`;
  return [{ code: 'confirm-missing', who: 'object-owner', permanent: true, message }];
}

/** Kinds that may hold something of ours. One that an APIService of ours serves goes with that. */
function unreadOnes(plan: UninstallPlan, { unread, unserved, objects }: UninstallObservation): BlockerDraft[] {
  const groups = groupsOf(plan);
  const own = new Set(
    [...objectsByComponent(plan, objects).values()]
      .flat()
      .filter(({ kind }) => kind === 'APIService')
      .map(({ name }) => name.slice(name.indexOf('.') + 1)),
  );
  const isOfConcern = (group: string) => !own.has(group) && (groups === undefined || groups.has(group));
  const lists = unread.filter(({ what }) => isOfConcern(groupOf(what)) || isBuiltInGroup(groupOf(what)));
  const discoveries = groups === undefined ? [] : unserved.filter(({ what }) => isOfConcern(groupOf(`${what}/`)));
  return [...lists, ...discoveries].map(unreadBlocker);
}

/** Undefined: what was rendered is not known, so it may be of any group. */
function groupsOf({ components }: UninstallPlan): ReadonlySet<string> | undefined {
  // What left git was of some group as well, but whether any is left is not worth stopping everything else.
  const known = components.filter(({ renderedOnly }) => renderedOnly !== true);
  if (known.some(({ listed }) => listed.length === 0)) return undefined;
  return new Set(
    known.flatMap(({ listed, sweeps }) => [
      ...listed.map(({ apiVersion }) => groupOf(apiVersion)),
      ...sweeps.flatMap(({ apiGroups }) => apiGroups),
    ]),
  );
}

function unreadBlocker({ what, status, why }: Unread): BlockerDraft {
  return {
    code: status === 403 ? 'forbidden' : 'unread',
    who: 'operators',
    object: {
      apiVersion: what.slice(0, what.lastIndexOf('/')) || 'v1',
      kind: what.slice(what.lastIndexOf('/') + 1) || what,
      name: '*',
    },
    message: `Whether anything of ours is left among ${what} is not known, so nothing is done: ${why}`.slice(0, 1000),
  };
}
