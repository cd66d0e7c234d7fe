import { setTimeout as sleep } from 'node:timers/promises';
import type { Blocker } from '../../src/sidecar/maintenance/status.ts';
import type { UninstallBlocker } from '../../src/sidecar/uninstall/blocker.ts';
import type { Access } from '../support/access.ts';
import { type FoundPod, lookAtOurs, podsIn, type Shown } from './look.ts';
import type { Mounts } from './mounts.ts';

interface SeenBlocker {
  /** Of a node, a claim or an installation. */
  readonly of: string;
  readonly blocker: Blocker | UninstallBlocker;
}

export interface Watched {
  readonly shown: Shown;
  /** Shown at the end; of a node that its deadline took into maintenance, also what was shown just before. */
  readonly left: readonly SeenBlocker[];
  readonly isAtRest: boolean;
}

const everyMs = 300;

interface WatchOptions {
  /** For how long nothing may have changed, as things are; undefined: it is not at rest. */
  readonly restSeconds: (shown: Shown, pods: readonly FoundPod[]) => number | undefined;
  readonly limitSeconds: number;
  readonly mounts: Mounts;
}

/** Until nothing changes any more. */
export async function watchToTheEnd(
  access: Access,
  { restSeconds, limitSeconds, mounts }: WatchOptions,
): Promise<Watched> {
  const pressing = new Map<string, readonly SeenBlocker[]>();
  const limit = performance.now() + limitSeconds * 1000;
  let before = '';
  let changedAt = performance.now();
  for (;;) {
    const [shown, pods] = await Promise.all([lookAtOurs(access), podsIn(access)]);
    await mounts.keep(pods);
    const left = blockersIn(shown);
    noteDraining(shown, pressing);
    const print = fingerprint(shown, pods);
    if (print !== before) changedAt = performance.now();
    before = print;
    const rest = restSeconds(shown, pods);
    const isAtRest = rest !== undefined && performance.now() - changedAt >= rest * 1000;
    if (isAtRest || performance.now() >= limit) {
      return { shown, left: [...left, ...overran(shown, pressing)], isAtRest };
    }
    await sleep(everyMs);
  }
}

/** What is in the way of a drain, as it was shown last while it went on. */
function noteDraining({ block }: Shown, pressing: Map<string, readonly SeenBlocker[]>): void {
  for (const { node = '', phase, blockers = [] } of block?.nodes ?? []) {
    if (phase === 'Draining')
      pressing.set(
        node,
        blockers.map((blocker) => ({ of: node, blocker })),
      );
  }
}

function overran({ block }: Shown, pressing: ReadonlyMap<string, readonly SeenBlocker[]>): SeenBlocker[] {
  const late = (block?.nodes ?? []).filter((node) => node.overran === true);
  return late.flatMap(({ node = '' }) => pressing.get(node) ?? []);
}

function blockersIn({ block, claims, installations }: Shown): SeenBlocker[] {
  return [
    ...(block?.nodes ?? []).flatMap(({ node = '', blockers = [] }) =>
      blockers.map((blocker) => ({ of: node, blocker })),
    ),
    ...Object.entries({ ...claims, ...installations }).flatMap(([of, { blockers = [] }]) =>
      blockers.map((blocker) => ({ of, blocker })),
    ),
  ];
}

/** Without what moves on while nothing happens. */
function fingerprint({ block, claims, installations }: Shown, pods: readonly FoundPod[]): string {
  return JSON.stringify([
    pods.map(({ uid, isGoing, phase, ready, node }) => [uid, isGoing, phase, ready, node]).sort(),
    (block?.nodes ?? []).map(({ node, phase, podsLeft }) => [node, phase, podsLeft]),
    Object.entries({ ...claims, ...installations }).map(([name, { phase, reason, step, blockers = [] }]) => [
      name,
      phase,
      reason,
      step,
      blockers.map(({ code }) => code),
    ]),
  ]);
}
