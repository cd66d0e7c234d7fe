import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Leadership, lead } from '../../../src/sidecar/leader.ts';
import type { Lease, LeaseAccess } from '../../../src/sidecar/lease.ts';

/** One Lease, and everybody's way to it, with faults. */
function openLease() {
  let lease: Lease | undefined;
  let version = 0;
  let isDown = false;
  const access: LeaseAccess = {
    read: async () => {
      if (isDown) throw new Error('down');
      return lease;
    },
    write: async (holder, before) => {
      if (isDown) throw new Error('down');
      if (before?.resourceVersion !== lease?.resourceVersion) return undefined;
      version += 1;
      lease = { holder, seconds: 0.3, transitions: 0, acquired: undefined, resourceVersion: String(version) };
      return lease;
    },
  };
  return {
    access,
    holder: () => lease?.holder,
    setDown: (down: boolean) => {
      isDown = down;
    },
    steal: () => {
      version += 1;
      lease = { holder: 'thief', seconds: 0.3, transitions: 1, acquired: undefined, resourceVersion: String(version) };
    },
  };
}

function start(access: LeaseAccess, identity: string) {
  const stop = new AbortController();
  const terms: { begun: number; ended?: number; leadership: Leadership }[] = [];
  const over = lead(
    { access, identity, leaseMs: 300, random: () => 0.5, stop: stop.signal, onState: () => undefined },
    async (leadership) => {
      const term: (typeof terms)[number] = { begun: performance.now(), leadership };
      terms.push(term);
      await new Promise<void>((resolve) =>
        leadership.signal.addEventListener('abort', () => resolve(), { once: true }),
      );
      term.ended = performance.now();
    },
  );
  return {
    terms,
    stop: async () => {
      stop.abort();
      await over;
    },
  };
}

it('one leads, the other follows and takes over when it is let go', async () => {
  const lease = openLease();
  const first = start(lease.access, 'first');
  await sleep(20);
  const second = start(lease.access, 'second');
  await sleep(700);
  expect([first.terms.length, second.terms.length, lease.holder()]).toEqual([1, 0, 'first']);
  expect(first.terms[0]?.leadership.holds()).toBe(true);
  await first.stop();
  expect(lease.holder()).toBe('');
  await sleep(250);
  expect([second.terms.length, lease.holder()]).toEqual([1, 'second']);
  await second.stop();
});

it('who cannot renew stops before anybody else may begin', async () => {
  const lease = openLease();
  const first = start(lease.access, 'first');
  await sleep(50);
  lease.setDown(true);
  const second = start(lease.access, 'second');
  await sleep(400);
  expect(first.terms[0]?.leadership.holds()).toBe(false);
  expect(first.terms[0]?.ended).toBeDefined();
  lease.setDown(false);
  await sleep(700);
  const all = [...first.terms, ...second.terms].sort((a, b) => a.begun - b.begun);
  expect(all).toHaveLength(2);
  expect(all[1]?.begun ?? 0).toBeGreaterThan(all[0]?.ended ?? Number.POSITIVE_INFINITY);
  await Promise.all([first.stop(), second.stop()]);
});

it('whose Lease was taken away stops, and does not let go of what is another one’s', async () => {
  const lease = openLease();
  const first = start(lease.access, 'first');
  await sleep(20);
  lease.steal();
  await sleep(260);
  expect(first.terms[0]?.ended).toBeDefined();
  expect(lease.holder()).toBe('thief');
  await first.stop();
  expect(lease.holder()).toBe('thief');
});

it('the name of a container that was restarted is its own', async () => {
  const lease = openLease();
  await lease.access.write('pod-1', undefined, AbortSignal.timeout(1000));
  const again = start(lease.access, 'pod-1');
  await sleep(50);
  expect(again.terms).toHaveLength(1);
  await again.stop();
});
