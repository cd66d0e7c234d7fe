import { setTimeout as sleep } from 'node:timers/promises';
import type { Access } from '../test/support/access.ts';
import { checkRunning, type Program } from '../test/support/program.ts';
import type { Line } from './line.ts';
import { blocks } from './views/blocks.ts';
import { claims } from './views/claims.ts';
import { nodes } from './views/nodes.ts';
import { tellAll, type View } from './views/view.ts';
import { workloads } from './views/workloads.ts';

interface FollowOptions {
  readonly access: Access;
  readonly applier: View<unknown>;
  /** Once one of them has ended there is nothing to follow any more. */
  readonly programs: readonly Program[];
  /** Without it the rest goes on. */
  readonly sidecar: Program | undefined;
  readonly signal: AbortSignal;
  tell(line: Line): void;
}

const everyMs = 700;

/** Looks, compares with the look before and tells the difference, until the signal. */
export async function follow({ access, applier, programs, sidecar, signal, tell }: FollowOptions): Promise<void> {
  // Causes before what follows from them, because all that one look finds is told at once.
  const views: readonly View<unknown>[] = [applier, claims, blocks, nodes, workloads];
  const look = () => Promise.all(views.map((view) => view.read(access)));
  let before = await look();
  let isWorking = sidecar?.end() === undefined;
  while (!signal.aborted) {
    await sleep(everyMs, undefined, { signal }).catch(() => undefined);
    checkRunning(...programs);
    // An API server that does not answer for a moment is asked again; one that has ended is told above.
    const after = await look().catch(() => before);
    for (const [index, view] of views.entries()) {
      for (const line of tellAll(view, before[index] ?? new Map(), after[index] ?? new Map())) tell(line);
    }
    before = after;
    const end = sidecar?.end();
    if (isWorking && end !== undefined) tell({ who: 'sidecar', text: `it ${end}: nobody drains nodes`, tone: 'bad' });
    isWorking = end === undefined;
  }
}
