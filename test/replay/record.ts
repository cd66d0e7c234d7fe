import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compare } from './compare.ts';
import { type Replayed, sayOf } from './lane.ts';
import { stateRepository } from './state.ts';
import type { Tally } from './tally.ts';

/** Everything of a cluster, as data: what has happened can be held against what is said of it later. */
export function keepRecord(folder: string, number: number, replayed: Replayed): void {
  const record = { number, items: compare(replayed), ...replayed };
  writeFileSync(join(folder, `${number}.json`), JSON.stringify(record, undefined, 1));
}

/** Rehearses clusters that were kept, and compares with what came of them then. */
export async function compareAgain(folder: string): Promise<Tally> {
  const files = readdirSync(folder).filter((file) => /^\d+\.json$/.test(file));
  const numbers = files.map((file) => Number.parseInt(file, 10)).sort((a, b) => a - b);
  const items: Tally['items'][number][] = [];
  const took: Tally['took'][number][] = [];
  for (const number of numbers) {
    const record = JSON.parse(readFileSync(join(folder, `${number}.json`), 'utf8')) as Replayed;
    const state = await stateRepository(record.cluster);
    const rehearsal = await sayOf(record.snapshot, state.root).finally(state.remove);
    for (const item of compare({ ...record, rehearsal })) items.push({ ...item, cluster: number });
    took.push(record.took);
  }
  return { clusters: numbers.length, items, failed: [], took };
}
