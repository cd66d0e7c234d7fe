import type { Instant } from '../../instant.ts';
import type { UninstallAction } from './decision.ts';
import { groupOf, isBuiltInGroup, kindKey } from './kinds.ts';
import type { SeenObject, UninstallObservation } from './observation.ts';
import type { UninstallPlan } from './plan.ts';

/** What a narrow look takes from the one before: objects that need not be asked for again, and kinds that have to be. */
export interface CarryOver {
  readonly objects: readonly SeenObject[];
  /** By `kindKey`. */
  readonly kinds: ReadonlySet<string>;
}

/** What came of the actions that followed a look. */
export interface Deeds {
  /** UIDs of objects of which the API server has said that they are gone. */
  readonly gone: Set<string>;
  /** UIDs of those that it has told to go. */
  readonly going: Set<string>;
  /** Nothing else was done, and nothing was refused or overtaken. */
  isPlain: boolean;
}

export function deedsOf(actions: readonly UninstallAction[]): Deeds {
  return { gone: new Set(), going: new Set(), isPlain: actions.every(({ kind }) => kind === 'delete') };
}

export interface LastLook {
  readonly look: Pick<UninstallObservation, 'objects' | 'unread' | 'jobs' | 'releases'>;
  /** When everything in it was last asked for. */
  readonly wholeAt: Instant;
}

interface Before {
  readonly last: LastLook;
  readonly deeds: Deeds;
}

/** What is older is asked for again, whatever is known of it. */
const trustedMs = 20_000;

const volumeClaims = '/PersistentVolumeClaim';

/**
 * While nothing but deletions goes on, and each was granted, only what is on its way out can have changed by our doing.
 * All else is taken as it was, and deleted only if it still is so. Undefined: everything has to be asked for.
 */
export function carryOver(
  now: Instant,
  plan: UninstallPlan,
  { last: { look, wholeAt }, deeds: { gone, going, isPlain } }: Before,
): CarryOver | undefined {
  const isQuiet = look.unread.length + look.jobs.length + look.releases.length === 0;
  if (!isPlain || !isQuiet || now - wholeAt >= trustedMs || !isPlainPlan(plan)) return undefined;
  const left = look.objects.filter(({ uid }) => !gone.has(uid));
  const leaving = leavingAmong(look.objects, new Set([...gone, ...going]));
  const kinds = new Set(left.filter(({ uid }) => leaving.has(uid)).map(kindKey));
  for (const kind of customKinds(left)) kinds.add(kind);
  return { objects: left.filter((object) => !kinds.has(kindKey(object))), kinds };
}

/** What Jobs of others do is not known here. */
function isPlainPlan({ strategy, components }: UninstallPlan): boolean {
  const hasHooks = components.some(
    ({ hooks }) => hooks.preDelete.length + hooks.delete.length + hooks.postDelete.length > 0,
  );
  return strategy === 'Ordered' && !hasHooks;
}

/** Told to go, or taken along by something that was: by its owner or its namespace. */
function leavingAmong(objects: readonly SeenObject[], told: ReadonlySet<string>): ReadonlySet<string> {
  const leaving = new Set(told);
  for (const { uid, deletedAt } of objects) if (deletedAt !== undefined) leaving.add(uid);
  for (let grew = true; grew; ) {
    const namespaces = new Set(
      objects.filter(({ kind, uid }) => kind === 'Namespace' && leaving.has(uid)).map(({ name }) => name),
    );
    const next = objects.filter(
      ({ uid, owners, namespace = '' }) =>
        !leaving.has(uid) && (namespaces.has(namespace) || owners.some((owner) => leaving.has(owner.uid))),
    );
    for (const { uid } of next) leaving.add(uid);
    grew = next.length > 0;
  }
  return leaving;
}

/** As long as operators are at work, they make things: of their kinds, and volumes that those own. */
function customKinds(objects: readonly SeenObject[]): string[] {
  const custom = objects.filter(({ apiVersion }) => !isBuiltInGroup(groupOf(apiVersion))).map(kindKey);
  return custom.length > 0 ? [...custom, volumeClaims] : [];
}
