import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { openInFlight } from '../../../src/sidecar/in-flight.ts';
import { openQueue, type QueueOptions, restAfter, type WorkQueue } from '../../../src/sidecar/queue.ts';

let queue: WorkQueue | undefined;
afterEach(() => queue?.stop());

function open(options: Partial<QueueOptions> & Pick<QueueOptions, 'work'>): WorkQueue {
  queue = openQueue({
    limit: 10,
    gapMs: 30,
    now: Date.now,
    backoffMs: (failures) => 20 * failures,
    onFailure: () => undefined,
    ...options,
  });
  return queue;
}

it('a key that is asked for many times gets one turn, and another one after the gap', async () => {
  const turns: number[] = [];
  const asked = open({ work: () => turns.push(performance.now()) });
  for (let count = 0; count < 50; count += 1) asked.add('a');
  expect(asked.depth).toBe(1);
  await sleep(10);
  for (let count = 0; count < 50; count += 1) asked.add('a');
  await sleep(80);
  expect(turns).toHaveLength(2);
  expect((turns[1] ?? 0) - (turns[0] ?? 0)).toBeGreaterThan(28);
});

it('a key that is in a hurry gets its turn at once, and still one', async () => {
  const turns: number[] = [];
  const asked = open({ gapMs: 200, work: () => turns.push(performance.now()) });
  asked.add('a');
  await sleep(20);
  asked.add('a');
  expect([asked.hurry('a'), asked.depth]).toEqual([true, 1]);
  await sleep(40);
  expect(turns).toHaveLength(2);
  asked.stop();
  expect(asked.hurry('a')).toBe(false);
});

it.each([
  [0, 0],
  [10, 90],
  [50, 450],
  [60, 500],
  [160, 500],
  [400, 1200],
])('a turn of %d ms is followed by a rest of %d ms at least', (ms, rest) => expect(restAfter(ms)).toBe(rest));

it('when it is full, it says so', () => {
  const asked = open({ work: () => undefined, limit: 2 });
  expect(['a', 'b', 'c', 'a'].map((key) => asked.add(key))).toEqual([true, true, false, true]);
});

it('a turn that fails is repeated after longer and longer, until it does not', async () => {
  const failures: number[] = [];
  let turns = 0;
  const asked = open({
    gapMs: 0,
    work: () => {
      turns += 1;
      if (turns < 4) throw new Error('not yet');
    },
    onFailure: (_, __, count) => failures.push(count),
  });
  asked.add('a');
  await sleep(250);
  expect({ turns, failures }).toEqual({ turns: 4, failures: [1, 2, 3] });
});

it('of several instants the earliest counts, and a turn in between serves for all', async () => {
  const turns: string[] = [];
  const asked = open({ gapMs: 0, work: (key) => turns.push(key) });
  asked.addAt('a', Date.now() + 40);
  asked.addAt('a', Date.now() + 10_000);
  asked.addAt('b', Date.now() + 60);
  asked.add('b');
  await sleep(100);
  expect(turns.sort()).toEqual(['a', 'b']);
});

it('after its end there are no turns', async () => {
  let turns = 0;
  const asked = open({ work: () => (turns += 1) });
  asked.add('a');
  asked.stop();
  expect(asked.add('b')).toBe(false);
  await sleep(50);
  expect(turns).toBe(0);
});

it('tasks: none twice, no more at once than allowed, in their order; a new offer replaces what waits', async () => {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  let ended = 0;
  const flight = openInFlight({ limit: 2, onEnd: () => (ended += 1), onError: () => undefined });
  const task = (key: string) => ({
    key,
    run: () => {
      begun.push(key);
      return new Promise<void>((resolve) => ends.set(key, resolve));
    },
  });
  flight.offer(['a', 'b', 'c', 'd'].map(task));
  expect(begun).toEqual(['a', 'b']);
  flight.offer(['a', 'b', 'e', 'f'].map(task));
  ends.get('a')?.();
  await sleep(1);
  expect(begun).toEqual(['a', 'b', 'e']);
  const settled = flight.settled('drop');
  for (const key of ['b', 'e']) ends.get(key)?.();
  await settled;
  expect({ begun, ended, size: flight.size }).toEqual({ begun: ['a', 'b', 'e'], ended: 3, size: 0 });
});
