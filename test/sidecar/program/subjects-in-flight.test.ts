import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openSubjectsInFlight } from '../../../src/sidecar/subjects-in-flight.ts';

/** Tasks that are over when they are told so. */
function open(limit: number) {
  const begun: string[] = [];
  const ended: string[] = [];
  const ends = new Map<string, () => void>();
  const errors: unknown[] = [];
  const flight = openSubjectsInFlight({
    limit,
    onEnd: (subject) => ended.push(subject),
    onError: (error) => errors.push(error),
  });
  const task = (key: string) => ({
    key,
    run: () => {
      begun.push(key);
      return new Promise<void>((resolve) => ends.set(key, resolve));
    },
  });
  const offer = (subject: string, ...keys: readonly string[]) => flight.offer(subject, keys.map(task));
  const end = async (key: string) => {
    ends.get(key)?.();
    await turn();
  };
  return { flight, begun, ended, errors, offer, end };
}

it('what one subject asks for drops nothing of another', async () => {
  const { begun, offer, end } = open(1);
  offer('ada', 'a1', 'a2');
  offer('bob', 'b1');
  offer('bob', 'b2');
  await end('a1');
  await end('a2');
  expect(begun).toEqual(['a1', 'a2', 'b2']);
});

it('one with many tasks does not keep the others waiting', async () => {
  const { begun, ended, offer, end } = open(1);
  offer('ada', 'a1', 'a2', 'a3');
  offer('bob', 'b1');
  for (const key of ['a1', 'a2', 'b1']) await end(key);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  expect(ended).toEqual(['ada', 'ada', 'bob']);
});

it('nothing is begun twice, and no more than so many at once', async () => {
  const { begun, offer, end, flight } = open(2);
  offer('ada', 'a1', 'a2', 'a3');
  offer('ada', 'a1', 'a3');
  expect(begun).toEqual(['a1', 'a2']);
  const settled = flight.settled('drop');
  await end('a1');
  await end('a2');
  await settled;
  expect(begun).toEqual(['a1', 'a2']);
});

it('a task that fails is told of and makes room for the next', async () => {
  const { flight, errors, begun, offer } = open(1);
  flight.offer('ada', [{ key: 'a1', run: () => Promise.reject(new Error('no')) }]);
  offer('bob', 'b1');
  await turn();
  expect(errors).toHaveLength(1);
  expect(begun).toEqual(['b1']);
});
