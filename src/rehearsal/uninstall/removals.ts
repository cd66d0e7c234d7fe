import type { Hash } from '../../resolve/tools.ts';
import type { ObservedClaim } from '../../sidecar/claims/observation.ts';
import type { ObservedInstallation } from '../../sidecar/installations/observation.ts';
import { driftPlanOf } from '../../sidecar/installations/plan.ts';
import { objectsByComponent } from '../../sidecar/uninstall/belongs.ts';
import type { ObjectId } from '../../sidecar/uninstall/plan.ts';
import type { SleepRehearsal, UninstallRehearsal } from '../rehearsal.ts';
import type { Snapshot } from '../snapshot.ts';
import { claimActor, type WantedClaim } from './claim-actor.ts';
import { type Course, follow, releaseAll } from './course.ts';
import { installationActor, type RemovingActor, type WantedInstallation } from './installation-actor.ts';
import type { Scene } from './look.ts';
import { Objects, type Pace, quickest, slowest } from './objects.ts';
import { blockersOf, deletedIn, keptOf, takes } from './outcome.ts';
import { type PicturedObject, picture } from './pictured.ts';
import { rehearseSleep } from './sleep.ts';

/** What git will say, as the resources have it. */
export interface Wanted {
  readonly claims: readonly WantedClaim[];
  readonly installations: readonly WantedInstallation[];
}

interface RehearsedRemovals {
  readonly uninstalls: readonly UninstallRehearsal[];
  readonly sleeps: readonly SleepRehearsal[];
  /** Of which the cluster has no resource yet: nothing is known of them. */
  readonly unknown: readonly string[];
}

/** What becomes of claims and installations that are to sleep or to go. What is as git wants it is not in the result. */
export function rehearseRemovals(snapshot: Snapshot, wanted: Wanted, hash: Hash): RehearsedRemovals {
  const all = picture(snapshot);
  const unknown: string[] = [];
  const existing = <T extends { readonly name: string }>(kind: string, list: readonly T[], name: string) => {
    const found = list.find((each) => each.name === name);
    if (found === undefined) unknown.push(`${kind} ${name}`);
    return found;
  };
  const claims = [...wanted.claims].filter(({ spec }) => spec.state !== 'Running').sort(byName);
  const sleeps: SleepRehearsal[] = [];
  const uninstalls: UninstallRehearsal[] = [];
  for (const claim of claims) {
    const found = existing('VClusterClaim', snapshot.claims, claim.name);
    if (found === undefined) continue;
    const objects = ofClaim(all, found);
    if (claim.spec.state === 'Deleted') uninstalls.push(...claimUninstall(snapshot, objects, { found, claim, hash }));
    else sleeps.push(...rehearseSleep((pace) => sceneOf(snapshot, objects, pace), { found, claim, hash }));
  }
  for (const installation of [...wanted.installations].sort(byName)) {
    const isGoing = installation.spec.state === 'Deleted';
    const found = isGoing
      ? existing('Installation', snapshot.installations, installation.name)
      : snapshot.installations.find(({ name }) => name === installation.name);
    if (found === undefined) continue;
    const others = wanted.installations.filter(({ name }) => name !== installation.name).flatMap(listedIn);
    uninstalls.push(...installationUninstall(snapshot, all, { found, installation, others }));
  }
  return { uninstalls: uninstalls.sort(bySubject), sleeps, unknown: unknown.sort() };
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}

function bySubject(a: UninstallRehearsal, b: UninstallRehearsal): number {
  return `${a.subject.kind}/${a.subject.name}` < `${b.subject.kind}/${b.subject.name}` ? -1 : 1;
}

function listedIn({ spec }: WantedInstallation): readonly ObjectId[] {
  return spec.components.flatMap(({ objects }) => objects ?? []);
}

function sceneOf(snapshot: Snapshot, objects: readonly PicturedObject[], pace: Pace): Scene {
  const { takenAt, kinds, unserved, releases, unread } = snapshot;
  return {
    objects: new Objects(objects, takenAt, pace),
    kinds,
    unserved,
    releases: releases.map(({ objects: names = [], hooks = [], ...release }) => ({
      ...release,
      objects: names,
      hooks,
    })),
    // What whoever took the snapshot may not list, the sidecar may.
    unread: unread.filter(({ status }) => status !== 403 && status !== 401),
  };
}

/** Of thousands of claims, each with its own namespace only. */
function ofClaim(all: readonly PicturedObject[], { name, spec: { namespace } }: ObservedClaim): PicturedObject[] {
  const volumeClaims = new Set(all.filter((object) => object.namespace === namespace).map(({ uid }) => uid));
  return all.filter((object) => {
    if (object.namespace !== undefined) return object.namespace === namespace;
    const { labels, volume } = object;
    if (object.kind === 'Namespace') return object.name === namespace;
    if (volume?.claimUid !== undefined) return volumeClaims.has(volume.claimUid);
    return labels['quiesce.dev/claim'] === name || labels['vcluster.loft.sh/managed-by'] !== undefined;
  });
}

interface ClaimCase {
  readonly found: ObservedClaim;
  readonly claim: WantedClaim;
  readonly hash: Hash;
}

function claimUninstall(
  snapshot: Snapshot,
  objects: readonly PicturedObject[],
  { found, claim, hash }: ClaimCase,
): UninstallRehearsal[] {
  return rehearse(snapshot, objects, {
    subject: { kind: 'VClusterClaim', name: claim.name },
    strategy: 'Ordered',
    isNew: found.spec.state !== 'Deleted',
    actor: () => claimActor(found, claim, hash),
  });
}

interface InstallationCase {
  readonly found: ObservedInstallation;
  readonly installation: WantedInstallation;
  readonly others: readonly ObjectId[];
}

function installationUninstall(
  snapshot: Snapshot,
  objects: readonly PicturedObject[],
  { found, installation, others }: InstallationCase,
): UninstallRehearsal[] {
  const { name, spec } = installation;
  const isPartial = spec.state !== 'Deleted';
  if (isPartial && !leavesSomething(objects, { found, installation, others })) return [];
  return rehearse(snapshot, objects, {
    subject: { kind: 'Installation', name },
    strategy: isPartial ? 'Ordered' : spec.deletion.strategy,
    isNew: isPartial || found.spec.state !== 'Deleted',
    ...(isPartial && { isPartial }),
    actor: () => installationActor(found, installation, others),
  });
}

/** What git does not list any more. */
function leavesSomething(
  objects: readonly PicturedObject[],
  { found, installation, others }: InstallationCase,
): boolean {
  const plan = driftPlanOf({ ...found, spec: installation.spec }, others);
  return plan !== undefined && [...objectsByComponent(plan, objects).values()].some((each) => each.length > 0);
}

interface Case extends Pick<UninstallRehearsal, 'subject' | 'strategy' | 'isNew' | 'isPartial'> {
  readonly actor: () => RemovingActor;
}

function rehearse(
  snapshot: Snapshot,
  objects: readonly PicturedObject[],
  { actor: open, ...about }: Case,
): UninstallRehearsal[] {
  const scene = sceneOf(snapshot, objects, quickest);
  const actor = open();
  const quick = follow(actor, scene);
  const word = actor.lastWord();
  if (word === undefined) return [];
  const slow = follow(open(), sceneOf(snapshot, objects, slowest));
  const deleted = deletedIn(quick, quick.departures);
  const { phase = 'Deleting', orphaned = [] } = word.status;
  const later = quick.isOver ? undefined : goesLater(actor, scene, quick);
  return [
    {
      ...about,
      ends: phase,
      takes: takes(quick, slow),
      deleted,
      kept: keptOf(actor.lastWord() ?? word),
      orphaned,
      hooks: quick.deeds.hooks,
      releases: quick.deeds.releases.map(({ namespace, name }) => ({ namespace, name })),
      blockers: blockersOf(quick, slow),
      ...(later !== undefined && later.length > 0 && { later }),
    },
  ];
}

/** If everybody released what he holds. */
function goesLater(actor: RemovingActor, scene: Scene, quick: Course) {
  const before = scene.objects.departures.length;
  const isReleased = releaseAll(scene);
  if (!isReleased) return [];
  const rest = follow(actor, scene);
  const deeds = { ...rest.deeds, orders: [...quick.deeds.orders, ...rest.deeds.orders] };
  return deletedIn({ deeds }, rest.departures.slice(before));
}
