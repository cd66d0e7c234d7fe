import type { Assets } from '../controlplane/assets.ts';
import { compare } from './compare.ts';
import { type Ground, openGround } from './ground.ts';
import type { Item } from './item.ts';
import { replay, type Took } from './lane.ts';
import { randomCluster } from './random-cluster.ts';
import { keepRecord } from './record.ts';
import type { Tally } from './tally.ts';

interface RunOptions {
  readonly assets: Assets;
  readonly seed: number;
  readonly clusters: readonly number[];
  /** Control planes side by side. */
  readonly lanes: number;
  onReplayed(done: Tally): void;
  /** A folder for what was said and seen of every cluster. */
  readonly keep?: string;
}

/** Each lane takes the next cluster when it is done with one. */
export async function run({ assets, seed, clusters, lanes, onReplayed, keep }: RunOptions): Promise<Tally> {
  const waiting = [...clusters];
  const items: Tally['items'][number][] = [];
  const failed: Tally['failed'][number][] = [];
  const took: Took[] = [];
  let done = 0;
  const tally = (): Tally => ({ clusters: done, items, failed, took });
  // One after the other: on a busy machine, API servers that start side by side keep each other from it.
  let opened: Promise<unknown> = Promise.resolve();
  const open = (): Promise<Ground> => {
    const mine = opened.then(() => openGround(assets).catch(() => openGround(assets)));
    opened = mine.catch(() => undefined);
    return mine;
  };
  const work = async (): Promise<void> => {
    const ground = await open();
    try {
      for (let number = waiting.shift(); number !== undefined; number = waiting.shift()) {
        const outcome = await attempt(ground, { seed, number, keep });
        if ('why' in outcome) failed.push({ cluster: number, why: outcome.why });
        else {
          for (const item of outcome.items) items.push({ ...item, cluster: number });
          took.push(outcome.took);
        }
        done += 1;
        onReplayed(tally());
      }
    } finally {
      await ground.stop();
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, clusters.length) }, work));
  return tally();
}

interface Attempt {
  readonly seed: number;
  readonly number: number;
  readonly keep: string | undefined;
}

async function attempt(
  ground: Ground,
  { seed, number, keep }: Attempt,
): Promise<{ readonly items: readonly Item[]; readonly took: Took } | { readonly why: string }> {
  try {
    const replayed = await replay(ground, randomCluster(seed, number));
    const items = compare(replayed);
    if (keep !== undefined) keepRecord(keep, number, replayed);
    return { items, took: replayed.took };
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) };
  }
}
