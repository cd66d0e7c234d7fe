import type { Instant } from '../../instant.ts';
import type { Blocker } from '../../sidecar/maintenance/status.ts';
import { keyOf } from '../../sidecar/uninstall/belongs.ts';
import type { UninstallBlocker } from '../../sidecar/uninstall/blocker.ts';
import type { UninstallDecision } from '../../sidecar/uninstall/decision.ts';
import { carryOut, type Deeds, newDeeds } from './act.ts';
import { isKubernetesOwn, settle } from './controllers.ts';
import { firstLook, type LookMemory, type Scene } from './look.ts';
import type { Departure } from './objects.ts';

/** Whoever decides about one thing, again and again: an Installation, a claim. Remembers what it shows. */
export interface Actor {
  pass(scene: Scene, memory: LookMemory, refusals: Deeds['refusals']): Passed;
}

export interface Passed {
  readonly decision?: Pick<UninstallDecision, 'actions' | 'next'>;
  /** What was seen for it, which the next look is compared with. */
  readonly contents?: LookMemory['contents'];
  /** Pods that are deleted beside the engine. */
  readonly pods?: readonly string[];
  readonly blockers: readonly InTheWay[];
  readonly wakeAt?: Instant;
  readonly isOver: boolean;
}

/** A blocker of the engine's or of a sleeping claim's. */
type InTheWay = Omit<UninstallBlocker | Blocker, 'since'>;

export interface SeenBlocker {
  readonly blocker: InTheWay;
  readonly from: Instant;
  /** Last seen. */
  readonly to: Instant;
  /** It was there at the end. */
  readonly isLeft: boolean;
}

export interface Course {
  readonly began: Instant;
  readonly ended: Instant;
  /** False: it has come to rest before, with something in its way. */
  readonly isOver: boolean;
  /** It was cut off while something still moved. */
  readonly isCutOff: boolean;
  readonly deeds: Deeds;
  readonly departures: readonly Departure[];
  readonly blockers: readonly SeenBlocker[];
}

/** The engine gives up on what is stuck after two minutes at the latest; what has not moved for longer never will. */
const restMs = 150_000;
const betweenMs = 100;
const mostPasses = 20_000;

/** From one decision to the next, until it is over or nothing moves any more. */
export function follow(actor: Actor, scene: Scene): Course {
  const { objects } = scene;
  const began = objects.now;
  const deeds = newDeeds();
  const blockers = new Map<string, SeenBlocker>();
  let memory = firstLook;
  let movedAt = began;
  let passes = 0;
  let isOver = false;
  for (let changes = -1; passes < mostPasses; passes += 1) {
    settle(scene);
    const passed = actor.pass(scene, memory, deeds.refusals);
    act(passed, scene, deeds);
    note(passed, objects.now, blockers);
    memory = { next: passed.decision?.next ?? memory.next, contents: passed.contents ?? memory.contents };
    if (objects.changes !== changes) movedAt = objects.now;
    changes = objects.changes;
    isOver = passed.isOver;
    const end = objects.nextEnd();
    const isIdle = objects.now - movedAt >= restMs;
    if (isOver || (isIdle && end === undefined)) break;
    objects.now = nextInstant(objects.now, { movedAt, wakeAt: isIdle ? undefined : passed.wakeAt, end });
  }
  settle(scene);
  return {
    began,
    ended: isOver ? objects.now : movedAt,
    isOver,
    isCutOff: passes >= mostPasses,
    deeds,
    departures: objects.departures,
    blockers: [...blockers.values()],
  };
}

function act({ decision, pods = [] }: Passed, scene: Scene, deeds: Deeds): void {
  for (const action of decision?.actions ?? []) carryOut(action, scene, deeds);
  for (const uid of pods) {
    deeds.orders.push({ uid, component: '' });
    scene.objects.ask(uid, 'order');
  }
}

function note({ blockers }: Passed, now: Instant, seen: Map<string, SeenBlocker>): void {
  for (const [key, each] of seen) seen.set(key, { ...each, isLeft: false });
  for (const blocker of blockers) {
    const key = identity(blocker);
    seen.set(key, { blocker, from: seen.get(key)?.from ?? now, to: now, isLeft: true });
  }
}

function identity({ code, object, finalizer, ...more }: InTheWay): string {
  const pod = 'pod' in more && more.pod !== undefined ? `${more.pod.namespace}/${more.pod.name}` : '';
  return [code, object === undefined ? '' : keyOf(object), pod, finalizer ?? ''].join(' ');
}

interface Pending {
  readonly movedAt: Instant;
  readonly wakeAt: Instant | undefined;
  readonly end: Instant | undefined;
}

/** Soon after something was done; else when time alone changes something. */
function nextInstant(now: Instant, { movedAt, wakeAt, end }: Pending): Instant {
  if (movedAt === now) return now + betweenMs;
  const instants = [wakeAt, end].filter((instant) => instant !== undefined && instant > now) as Instant[];
  return instants.length === 0 ? now + restMs : Math.max(now + betweenMs, Math.min(...instants));
}

/** As if every controller that somebody waits for did its work: what goes only then. */
export function releaseAll(scene: Scene): boolean {
  const { objects } = scene;
  const before = objects.changes;
  for (const { uid, deletedAt } of objects.all()) {
    if (deletedAt !== undefined) objects.release(uid, (finalizer) => !isKubernetesOwn(finalizer));
  }
  return objects.changes !== before;
}
