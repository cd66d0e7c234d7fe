import { describe, expect, it } from 'vitest';
import { instantText } from '../../../src/instant.ts';
import type { UninstallObservation, Unread } from '../../../src/sidecar/uninstall/observation.ts';
import { component, decide, now, observation, plan, seen } from './seen.ts';

const two = plan([component('base'), component('front', { after: [] })]);
const slow: Unread = { what: 'v1/Secret', status: 500, why: 'etcd is slow' };

const pauseAfter = (unread: readonly Unread[], seconds = 0, differs: Partial<UninstallObservation> = {}) => {
  const first = decide(two, observation([seen('Role shop/front')], { unread, ...differs }));
  const later = now + seconds * 1000;
  const again = observation([seen('Role shop/front')], { unread, shown: first.status, ...differs });
  const { wakeAt = 0, actions } = decide(two, again, later);
  expect(actions).toEqual([]);
  return wakeAt - later;
};

describe('an API server that does not answer', () => {
  it('is asked less and less often, and at least as often as somebody may look for a sign of life', () => {
    const pauses = [0, 8, 20, 60, 600].map((seconds) => pauseAfter([slow], seconds));
    expect(pauses).toEqual([1000, 2000, 5000, 10_000, 10_000]);
  });

  it('is not asked before it wants to be, within that', () => {
    expect(pauseAfter([{ ...slow, status: 429, retryAfterSeconds: 7 }])).toBe(7000);
    expect(pauseAfter([slow, { ...slow, status: 429, retryAfterSeconds: 3600 }])).toBe(10_000);
  });

  it('is not asked for the content of a namespace more often either', () => {
    const space = seen('Namespace shop', { labels: { ...seen('Role shop/x').labels } });
    const contents = [{ namespace: 'shop', at: now, objects: [], unread: [{ ...slow, retryAfterSeconds: 5 }] }];
    const { wakeAt = 0 } = decide(two, observation([space], { contents }));
    expect(wakeAt - now).toBe(5000);
  });

  it('takes nothing back of what was reached before', () => {
    const since = instantText(now - 60_000);
    const before = {
      run: 'run-1',
      phase: 'Deleting',
      components: [{ name: 'base', phase: 'Deleted', since }],
    } as const;
    const { status } = decide(two, observation([], { unread: [slow], shown: before }));
    expect(status.components?.map(({ name, phase }) => `${name} ${phase}`)).toEqual([
      'base Deleted',
      'front DeletePending',
    ]);
    expect([status.done, status.blockers?.[0]?.code]).toEqual([1, 'unread']);
  });
});

it('a refused request is tried again when the API server wants it, and not before', () => {
  const role = seen('Role shop/front');
  const refusal = { status: 429, reason: '', text: 'too many requests', at: now, attempts: 1 };
  const at = (retryAfterSeconds: number) =>
    decide(two, observation([role], { refusals: { [role.uid]: { ...refusal, retryAfterSeconds } } })).wakeAt;
  expect(at(0)).toBe(now + 1000);
  expect(at(8)).toBe(now + 8000);
});
