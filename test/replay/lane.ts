import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectCluster } from '../../src/commands/cluster-connection.ts';
import { readSnapshotFile } from '../../src/commands/snapshot-file.ts';
import type { Rehearsal } from '../../src/rehearsal/rehearsal.ts';
import type { Snapshot } from '../../src/rehearsal/snapshot.ts';
import { snapshotLines } from '../../src/rehearsal/snapshot-text.ts';
import { takeSnapshot } from '../../src/rehearsal/take/take.ts';
import { rehearse as rehearseChange } from '../../src/rehearse.ts';
import { version } from '../../src/version.ts';
import type { AuditLine } from '../cluster/sidecar/audit.ts';
import { applyPatiently, buildUp } from './build-up.ts';
import { clearAway } from './clear-away.ts';
import type { Ground } from './ground.ts';
import { type Everything, type FoundPod, lookAtEverything, type Shown } from './look.ts';
import { noMounts, openMounts } from './mounts.ts';
import type { RandomChange, RandomCluster } from './random-cluster.ts';
import { type StateRepository, stateRepository } from './state.ts';
import { type Watched, watchToTheEnd } from './watch.ts';

/** What was said of a change, and what came of it. */
export interface Replayed {
  readonly cluster: RandomCluster;
  readonly snapshot: Snapshot;
  readonly rehearsal: Rehearsal;
  readonly audit: readonly AuditLine[];
  readonly watched: Watched;
  readonly before: Everything;
  readonly after: Everything;
  readonly took: Took;
}

/** In seconds. */
export interface Took {
  /** To build the cluster up. */
  readonly built: number;
  /** To take the snapshot and to rehearse. */
  readonly said: number;
  /** Until the change had come to rest. */
  readonly happened: number;
}

/** Builds a cluster up, rehearses its change, carries it out, and clears it away. */
export async function replay(ground: Ground, cluster: RandomCluster): Promise<Replayed> {
  const { access } = ground.lab;
  const base = new Set((await lookAtEverything(access)).objects.map(({ uid }) => uid));
  const mounts = cluster.change.kind === 'maintenance' ? openMounts(access, cluster.unmountSeconds) : noMounts;
  const stopwatch = startStopwatch();
  let state: StateRepository | undefined;
  try {
    state = await stateRepository(cluster);
    await buildUp(access, cluster, { before: state.before, mounts });
    const before = await lookAtEverything(access);
    const built = stopwatch();
    const told = await rehearse(ground, cluster, state.root);
    const said = stopwatch();
    ground.audit.next();
    for (const object of state.after) await applyPatiently(access, object);
    const watched = await watchToTheEnd(access, {
      restSeconds: (shown, pods) => restSeconds(cluster.change, shown, pods),
      limitSeconds: 180,
      mounts,
    });
    const after = await lookAtEverything(access);
    const took = { built, said, happened: stopwatch() };
    return { cluster, ...told, audit: ground.audit.next(), watched, before, after, took };
  } finally {
    state?.remove();
    await clearAway(access, cluster, base);
  }
}

/** Gives the seconds since it was asked last. */
function startStopwatch(): () => number {
  let since = performance.now();
  return () => {
    const [from, now] = [since, performance.now()];
    since = now;
    return (now - from) / 1000;
  };
}

/** What the commands do, in this process: a start of Node for each would be most of what a replay costs. */
async function rehearse(
  { lab: { cluster } }: Ground,
  { prefix }: RandomCluster,
  root: string,
): Promise<Pick<Replayed, 'snapshot' | 'rehearsal'>> {
  const { client } = connectCluster({ kubeconfig: cluster.kubeconfig }, { environment: {} });
  const options = { client, cluster: 'main', takenBy: version, now: Date.now, releases: false, onProgress: () => {} };
  const file = join(cluster.sandbox.folder, `${prefix}.snapshot`);
  writeFileSync(file, [...snapshotLines(await takeSnapshot(options))].join(''));
  const read = readSnapshotFile(file);
  if (read.kind === 'refused') throw new Error(`${file} cannot be read: ${read.why}`);
  return { snapshot: read.snapshot, rehearsal: await sayOf(read.snapshot, root) };
}

/** What is said of the change of a state on a snapshot. */
export async function sayOf(snapshot: Snapshot, root: string): Promise<Rehearsal> {
  const onProgress = () => {};
  const answer = await rehearseChange({ root, from: 'HEAD', to: 'worktree', beginnings: [], snapshot, onProgress });
  if (answer.kind !== 'ok') throw new Error(`nothing was rehearsed: ${JSON.stringify(answer)}`);
  return answer.rehearsal;
}

/** A finalizer counts as in the way after 15 s, and what is looked at late is looked at every few seconds. */
const untilBlocked = 24;
/** Others may come after the first, of what was told to go a moment later. */
const onceBlocked = 10;

/** For how long nothing may have changed. */
function restSeconds(change: RandomChange, shown: Shown, pods: readonly FoundPod[]): number | undefined {
  switch (change.kind) {
    case 'maintenance': {
      const wanted = change.block.after.cidrBlocks.length;
      const nodes = shown.block?.nodes ?? [];
      const isReached = nodes.length === wanted && nodes.every(({ phase }) => phase === 'InMaintenance');
      const isMoving = pods.some(({ isGoing, finalizers }) => isGoing && finalizers.length === 0);
      return isReached && !isMoving ? 2.5 : undefined;
    }
    case 'claims': {
      const reached = change.claims.every(({ name }) => {
        const { phase, reason } = shown.claims[name] ?? {};
        return phase === 'Deleted' || phase === 'Running' || phase === 'Asleep' || reason === 'WatchingForReturn';
      });
      if (reached) return 2;
      return change.claims.some(({ name }) => isBlocked(shown.claims[name])) ? onceBlocked : untilBlocked;
    }
    case 'installation': {
      const status = shown.installations[change.installation.name];
      if (status?.phase === 'Deleted') return 1.5;
      return isBlocked(status) ? onceBlocked : untilBlocked;
    }
  }
}

function isBlocked(status: { readonly blockers?: readonly unknown[] } | undefined): boolean {
  return (status?.blockers ?? []).length > 0;
}
