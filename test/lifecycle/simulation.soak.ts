import { availableParallelism } from 'node:os';
import { expect, it } from 'vitest';
import { liveThrough } from './simulation/live-through.ts';
import type { Lived } from './simulation/worker.ts';

/** Each run is a thousand claims over three years; its number is its seed. */
const runs = Number(process.env.QUIESCE_SIMULATIONS ?? 1000);
const first = Number(process.env.QUIESCE_FIRST_SEED ?? 1);
const processes = Number(process.env.QUIESCE_PROCESSES ?? availableParallelism());
const hour = 3_600_000;

it(`break no promise: ${runs} times three years of a thousand claims`, { timeout: 12 * hour }, async () => {
  const lives: Lived[] = [];
  const onLived = (lived: Lived): void => {
    lives.push(lived);
    if (lived.broken !== undefined) console.log(`seed ${lived.seed}: ${lived.broken}`);
    if (lives.length % 50 === 0) console.log(`${lives.length} of ${runs} lived through, from seed ${first} on`);
  };
  const seeds = Array.from({ length: runs }, (_, index) => first + index);
  await liveThrough({ seeds, processes, onLived });
  const without = (what: string) => lives.filter(({ counts }) => (counts[what] ?? 0) === 0).map(({ seed }) => seed);
  expect(lives.filter(({ broken }) => broken !== undefined).map(({ seed }) => seed)).toEqual([]);
  expect(without('deletionOrdered Expiry')).toEqual([]);
  expect(without('press: renewed')).toEqual([]);
});
