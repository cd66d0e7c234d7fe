import type { Loop, Rehearsal } from './reconciler.ts';
import { openLoops, recorderFor, type Workplace } from './work.ts';
import { type Kind, openWorld } from './world.ts';

export interface OneTurn {
  /** One for each subject of each loop. */
  readonly turns: readonly Turn[];
  /** Kinds that could not be read, and why. */
  readonly unread: readonly { readonly kind: Kind; readonly error: string }[];
  /** What was begun and could not be done. */
  readonly failures: readonly string[];
}

interface Turn extends Rehearsal {
  readonly loop: string;
  readonly key: string;
}

/**
 * Reads the cluster, makes one pass of each loop and waits for what was begun. Without the Lease: one pass repeats
 * nothing, and each of its requests is fenced, so it does no harm beside a sidecar that runs.
 */
export async function runOnce(place: Workplace, { isRehearsal }: { readonly isRehearsal: boolean }): Promise<OneTurn> {
  const failures: string[] = [];
  const unread: { kind: Kind; error: string }[] = [];
  const recorder = recorderFor(place);
  const world = openWorld({
    ...place,
    pageSize: place.config.pageSize,
    namespace: place.config.namespace,
    onChange: () => undefined,
    onState: (kind, state) => {
      if (state.kind === 'behind') unread.push({ kind, error: state.error.message });
    },
  });
  await world.readOnce();
  const loops = openLoops({
    ...place,
    world,
    recorder,
    mayAct: () => !isRehearsal,
    wake: () => undefined,
    hurry: () => undefined,
    failed: (what) => failures.push(what),
  });
  const subjects = loops.flatMap((loop) => [...loop.keys()].map((key) => ({ loop, key })));
  for (const { loop, key } of subjects) await loop.read(key);
  const turns = subjects.map(({ loop, key }) => turn(loop, key, isRehearsal));
  for (const loop of loops) await loop.settled('begin');
  await recorder.flush();
  recorder.stop();
  return { turns, unread, failures };
}

function turn(loop: Loop, key: string, isRehearsal: boolean): Turn {
  const rehearsal = loop.rehearse(key);
  if (!isRehearsal) loop.pass(key);
  return { loop: loop.name, key, ...rehearsal };
}
