import type { Hash } from '../../resolve/tools.ts';
import type { ObservedClaim } from '../../sidecar/claims/observation.ts';
import type { Blocker } from '../../sidecar/maintenance/status.ts';
import type { PodName, RehearsedBlocker, SleepRehearsal } from '../rehearsal.ts';
import { claimActor, podPart, type WantedClaim } from './claim-actor.ts';
import { type Course, follow, type SeenBlocker } from './course.ts';
import type { Scene } from './look.ts';
import { type Departure, type Pace, quickest, slowest } from './objects.ts';
import { seconds, takes } from './outcome.ts';

interface SleepCase {
  readonly found: ObservedClaim;
  readonly claim: WantedClaim;
  readonly hash: Hash;
}

/** Nothing for a claim that sleeps already. */
export function rehearseSleep(open: (pace: Pace) => Scene, { found, claim, hash }: SleepCase): SleepRehearsal[] {
  const isNew = found.spec.state !== 'Sleeping';
  if (!isNew && found.status?.phase === 'Asleep') return [];
  const run = (pace: Pace): Course => {
    const scene = open(pace);
    scaleToZero(scene, claim);
    return follow(claimActor(found, claim, hash), scene);
  };
  const [quick, slow] = [run(quickest), run(slowest)];
  const gone = quick.departures.filter(({ object }) => object.pod !== undefined);
  const isSynced = ({ object }: Departure) => podPart(object, claim.name) === 'synced';
  return [
    {
      claim: claim.name,
      namespace: claim.spec.namespace,
      isNew,
      takes: takes(quick, slow),
      stopped: gone.filter((each) => !isSynced(each)).map(podName),
      deleted: gone.filter(isSynced).map(podName),
      blockers: blockersOf(quick, slow),
    },
  ];
}

function podName({ object: { namespace = '', name } }: Departure): PodName {
  return { namespace, name };
}

/** What the applier does, with the annotations of a sleeping claim. */
function scaleToZero({ objects }: Scene, { spec }: WantedClaim): void {
  for (const { uid, kind, name, namespace, workload } of objects.all()) {
    if (workload === undefined || namespace !== spec.namespace || workload.replicas === 0) continue;
    if (!spec.objects.some((each) => each.kind === kind && each.name === name)) continue;
    const generation = workload.generation + 1;
    objects.change(uid, { workload: { ...workload, replicas: 0, isMarkedAsleep: true, isPaused: true, generation } });
  }
}

function blockersOf(quick: Course, slow: Course): RehearsedBlocker[] {
  const forEver = quick.isOver ? [] : quick.blockers.filter(({ isLeft }) => isLeft);
  const passing = slow.isOver ? slow.blockers.filter(({ isLeft }) => !isLeft) : [];
  return [
    ...forEver.map((each) => rehearsed(each, quick, true)),
    ...passing.map((each) => rehearsed(each, slow, false)),
  ];
}

function rehearsed({ blocker, from, to }: SeenBlocker, { began }: Course, forEver: boolean): RehearsedBlocker {
  const { since: _, ...rest } = blocker as Blocker;
  return {
    ...rest,
    since: { from: seconds(from - began), to: seconds(from - began) },
    lasts: forEver ? { from: null, to: null } : { from: 0, to: seconds(to - from) },
    forEver,
  };
}
