import { compareText } from '../../sidecar/maintenance/order.ts';
import type { RehearsedBlocker, Span, Wait } from '../rehearsal.ts';
import { between, compareSpans } from '../span.ts';
import type { CourseRecord, Obstacle } from './record.ts';
import type { Courses } from './rehearse.ts';

/** What has passed before is the ordinary course of a drain: the sidecar counts it as stalled from then on. */
const patienceSeconds = 60;

/** Everything but what the drain waits for anyhow, the gravest first. */
export function blockersOf(node: string, courses: Courses): readonly RehearsedBlocker[] {
  return pairsOf(node, courses)
    .filter(([soonest, latest]) => (latest ?? soonest)?.blocker.code !== 'volume')
    .flatMap(([soonest, latest]) => blockerOf(soonest, latest) ?? [])
    .sort((a, b) => compareGravity(a, b) || compareText(identity(a), identity(b)));
}

/** Volumes that are still mounted when the pods are gone: stage 4. */
export function waitsOf(node: string, courses: Courses): readonly Wait[] {
  return pairsOf(node, courses)
    .flatMap(([soonest, latest]): Wait[] => {
      const { code, volume } = (latest ?? soonest)?.blocker ?? {};
      if (code !== 'volume' || volume === undefined) return [];
      return [{ what: 'volume', name: volume, lasts: lastsOf(soonest, latest) }];
    })
    .sort((a, b) => compareText(a.name, b.name));
}

type Pair = readonly [soonest: Obstacle | undefined, latest: Obstacle | undefined];

function pairsOf(node: string, { soonest, latest }: Courses): Pair[] {
  const [left, right] = [keyed(node, soonest), keyed(node, latest)];
  return [...new Set([...left.keys(), ...right.keys()])].map((key) => [left.get(key), right.get(key)]);
}

const indices = new WeakMap<CourseRecord, ReadonlyMap<string, ReadonlyMap<string, Obstacle>>>();

function keyed(node: string, course: CourseRecord): ReadonlyMap<string, Obstacle> {
  const index = indices.get(course) ?? indexOf(course);
  indices.set(course, index);
  return index.get(node) ?? new Map();
}

function indexOf({ obstacles }: CourseRecord): ReadonlyMap<string, ReadonlyMap<string, Obstacle>> {
  const index = new Map<string, Map<string, Obstacle>>();
  for (const obstacle of obstacles) {
    const known = index.get(obstacle.node) ?? new Map<string, Obstacle>();
    index.set(obstacle.node, known);
    known.set(identity(obstacle.blocker), obstacle);
  }
  return index;
}

function identity({ code, pod, pdb, object, volume, finalizer }: Omit<Obstacle['blocker'], 'since'>): string {
  return [code, pod?.namespace, pod?.name, pdb?.namespace, pdb?.name, object?.name, finalizer, volume].join(' ');
}

/** Nothing where it passes soon, whatever the pace. */
function blockerOf(soonest: Obstacle | undefined, latest: Obstacle | undefined): RehearsedBlocker | undefined {
  const obstacle = latest ?? soonest;
  if (obstacle === undefined) return undefined;
  const isPermanent = obstacle.blocker.permanent === true;
  const forEver = isPermanent || (isLasting(soonest) && isLasting(latest));
  const lasts = lastsOf(soonest, latest);
  const isBrief = lasts.to !== null && lasts.to < patienceSeconds;
  if (isBrief && !forEver) return undefined;
  return { ...obstacle.blocker, since: between(soonest?.since, latest?.since), lasts, forEver };
}

/** Not at all where one course does not have it. */
function lastsOf(soonest: Obstacle | undefined, latest: Obstacle | undefined): Span {
  const { from, to } = between(soonest?.lasts ?? 0, latest?.lasts ?? 0);
  return { from, to: isLasting(soonest) || isLasting(latest) ? null : to };
}

/** Nothing but the deadline has ended it, or not even that. */
function isLasting(obstacle: Obstacle | undefined): boolean {
  return obstacle?.isOpen === true || obstacle?.isCut === true;
}

function compareGravity(a: RehearsedBlocker, b: RehearsedBlocker): number {
  return Number(b.forEver) - Number(a.forEver) || -compareSpans(a.lasts, b.lasts);
}
