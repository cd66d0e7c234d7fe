import { setTimeout as sleep } from 'node:timers/promises';
import { claimsLoop } from './claims-loop.ts';
import type { SidecarConfig } from './config.ts';
import { installationsLoop } from './installations-loop.ts';
import { backoffMs } from './kube/backoff.ts';
import type { KubeClient } from './kube/client.ts';
import { openRecorder, type Recorder } from './kube/events.ts';
import type { Leadership } from './leader.ts';
import type { Log } from './log.ts';
import { maintenanceKey, maintenanceLoop } from './maintenance-loop.ts';
import type { Metrics } from './metrics.ts';
import { openQueue, type WorkQueue } from './queue.ts';
import { type Loop, loopOf } from './reconciler.ts';
import type { Standing } from './standing.ts';
import { type OpenWorld, openWorld } from './world.ts';

/** What the work is done with. */
export interface Workplace {
  readonly config: SidecarConfig;
  readonly client: KubeClient;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly now: () => number;
  readonly random: () => number;
}

export interface Tools extends Workplace {
  readonly world: OpenWorld;
  readonly recorder: Recorder;
  mayAct(): boolean;
  /** Asks for a pass of a loop. */
  wake(loop: string, key: string, inMs: number): void;
  /** At once. */
  hurry(loop: string, key: string): void;
  /** Something could not be done; it is decided anew in any case. */
  failed(what: string): void;
}

/** Every loop of the sidecar. */
export function openLoops(tools: Tools): readonly Loop[] {
  const { config, now, wake, hurry } = tools;
  return [
    loopOf(
      maintenanceLoop({
        ...tools,
        parallel: config.parallel,
        pageSize: config.pageSize,
        namespace: config.namespace,
        wake: (inMs) => wake('maintenance', maintenanceKey, inMs),
      }),
      now,
    ),
    loopOf(
      claimsLoop({
        ...tools,
        parallel: config.parallel,
        pageSize: config.pageSize,
        wake: (claim, inMs) => wake('claims', claim, inMs),
      }),
      now,
    ),
    loopOf(
      installationsLoop({
        ...tools,
        helm: { command: config.helm, kubeconfig: config.kubeconfig, context: config.context },
        parallel: config.parallel,
        pageSize: config.pageSize,
        wake: (installation, inMs) => wake('installations', installation, inMs),
        hurry: (installation) => hurry('installations', installation),
      }),
      now,
    ),
  ];
}

export function recorderFor({ client, config, metrics }: Workplace): Recorder {
  return openRecorder({
    client,
    controller: 'quiesce.dev/sidecar',
    instance: config.identity,
    onOutcome: (outcome) => metrics.events.inc({ outcome }),
  });
}

/** A list that cannot be had must not keep everything else waiting: the loops know what to do without it. */
const startMs = 10_000;
const queueLimit = 10_000;
/** Changes come in bursts. */
const gapMs = 100;
const retry = { firstMs: 1000, longestMs: 60_000 } as const;

/** The leader's work, until the signal ends it: then what is under way comes to its end, and nothing new is begun. */
export async function work({ signal, holds }: Leadership, place: Workplace, standing: Standing): Promise<void> {
  const { log, metrics } = place;
  const recorder = recorderFor(place);
  const listed = new AbortController();
  let loops: readonly Loop[] = [];
  const world = openWorld({
    ...place,
    pageSize: place.config.pageSize,
    namespace: place.config.namespace,
    onChange: (kind, change) => {
      for (const loop of loops) for (const key of loop.concerns(kind, change)) queue.add(`${loop.name} ${key}`);
    },
    onState: (kind, state) => {
      standing.kindIs(kind, state);
      if (state.kind === 'live' && world.unread().length === 0) listed.abort();
      // What was unread may have been waited for.
      if (state.kind === 'live') addAll(loops, queue);
    },
  });
  const queue = turns(() => loops, place, standing);
  const wake = (loop: string, key: string, inMs: number) => queue.addAt(`${loop} ${key}`, place.now() + inMs);
  const hurry = (loop: string, key: string) => void queue.hurry(`${loop} ${key}`);
  const following = world.follow(signal);
  standing.began(world);
  await sleep(startMs, undefined, { signal: AbortSignal.any([signal, listed.signal]) }).catch(() => undefined);
  log.info({ kinds: Object.fromEntries(world.sizes()), unread: world.unread() }, 'the cluster is read');
  loops = openLoops({ ...place, world, recorder, mayAct: holds, wake, hurry, failed: () => undefined });
  const resync = setInterval(() => {
    metrics.waiting.set(queue.depth);
    addAll(loops, queue);
  }, place.config.resyncSeconds * 1000);
  addAll(loops, queue);
  await untilAborted(signal);
  clearInterval(resync);
  queue.stop();
  await within(endMs, Promise.all(loops.map((loop) => loop.settled('drop'))));
  await within(endMs / 3, recorder.flush());
  recorder.stop();
  await following;
  standing.ended();
}

/** Half of what a Pod has to end in. A request that hangs for longer is either carried out or not, without us. */
const endMs = 15_000;

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  await Promise.race([work, sleep(ms, undefined, { signal: timer.signal }).catch(() => undefined)]);
  timer.abort();
}

function addAll(loops: readonly Loop[], queue: WorkQueue): void {
  for (const loop of loops) for (const key of loop.keys()) queue.add(`${loop.name} ${key}`);
}

function turns(loops: () => readonly Loop[], { metrics, log, now, random }: Workplace, standing: Standing): WorkQueue {
  const pass = (turn: string) => {
    const [name = '', key = ''] = split(turn);
    const loop = loops().find((candidate) => candidate.name === name);
    const end = metrics.passSeconds.startTimer({ loop: name });
    const passed = loop?.pass(key);
    end();
    standing.passed();
    metrics.passes.inc({ loop: name, outcome: passed?.kind ?? 'unknown' });
    if (passed?.kind === 'decided' && passed.again !== undefined) queue.addAt(turn, passed.again);
  };
  const queue = openQueue({
    work: pass,
    limit: queueLimit,
    gapMs,
    now,
    backoffMs: (failures) => backoffMs(retry, failures, random),
    onFailure: (turn, error, failures) => {
      metrics.passes.inc({ loop: split(turn)[0], outcome: 'failed' });
      log.error({ error, turn, failures }, 'a pass failed in a way that nobody foresaw');
    },
  });
  return queue;
}

/** A loop's name has no space in it. */
function split(turn: string): readonly [loop: string, key: string] {
  const space = turn.indexOf(' ');
  return [turn.slice(0, space), turn.slice(space + 1)];
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
