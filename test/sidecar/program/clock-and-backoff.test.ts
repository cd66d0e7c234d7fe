import { expect, it } from 'vitest';
import { backoffMs } from '../../../src/sidecar/kube/backoff.ts';
import { openServerClock } from '../../../src/sidecar/kube/server-clock.ts';

function open(start: string) {
  const machine = { wall: Date.parse(start), monotonic: 0 };
  const clock = openServerClock({ local: () => machine.wall, monotonic: () => machine.monotonic });
  return {
    clock,
    pass: (ms: number) => {
      machine.wall += ms;
      machine.monotonic += ms;
    },
    jump: (ms: number) => {
      machine.wall += ms;
    },
    shown: () => new Date(clock.now()).toISOString(),
  };
}

it('this machine’s clock counts as long as the API server agrees', () => {
  const { clock, shown, pass } = open('2026-03-01T09:00:00.700Z');
  clock.heard('Sun, 01 Mar 2026 09:00:00 GMT');
  expect(shown()).toBe('2026-03-01T09:00:00.700Z');
  pass(60_000);
  clock.heard(undefined);
  clock.heard('yesterday');
  clock.heard('Sun, 01 Mar 2026 09:01:01 GMT');
  expect(shown()).toBe('2026-03-01T09:01:00.700Z');
});

it('a jump of this machine’s clock moves nothing', () => {
  const { clock, shown, pass, jump } = open('2026-03-01T09:00:00.500Z');
  clock.heard('Sun, 01 Mar 2026 09:00:00 GMT');
  jump(86_400_000);
  pass(1000);
  expect(shown()).toBe('2026-03-01T09:00:01.500Z');
});

it('where they differ, the API server is right', () => {
  const { clock, shown, pass } = open('2020-01-01T00:00:00Z');
  clock.heard('Sun, 01 Mar 2026 09:00:00 GMT');
  pass(10_000);
  expect(shown()).toBe('2026-03-01T09:00:10.500Z');
  clock.heard('Sun, 01 Mar 2026 09:00:30 GMT');
  expect(shown()).toBe('2026-03-01T09:00:30.500Z');
});

it('waits double up to the longest, with a random half', () => {
  const backoff = { firstMs: 200, longestMs: 3000 };
  expect([1, 2, 3, 4, 5, 50].map((attempt) => backoffMs(backoff, attempt, () => 0))).toEqual([
    100, 200, 400, 800, 1500, 1500,
  ]);
  expect([1, 5, 5000].map((attempt) => backoffMs(backoff, attempt, () => 1))).toEqual([200, 3000, 3000]);
});
