import { describe, expect, it } from 'vitest';
import { installation } from '../../../constructs/crds/installation.ts';
import { instantText } from '../../../src/instant.ts';
import type { UninstallDecision } from '../../../src/sidecar/uninstall/decision.ts';
import { isConcluded } from '../../../src/sidecar/uninstall/report.ts';
import type { UninstallStatus } from '../../../src/sidecar/uninstall/status.ts';
import { valueFaults, type WrittenSchema } from '../../constructs/structural-schema.ts';
import { component, decide, decided, labelsOf, now, observation, plan, seen } from './seen.ts';

const second = 1000;
const one = plan([component('front')]);
const held = seen('ConfigMap shop/front', { deletedAt: now - 20 * second, finalizers: ['example.edu/hold'] });

const at = (shown: UninstallStatus | undefined, ms: number, of = one): UninstallDecision =>
  decide(of, observation([held], { shown }), now + ms);

const reasons = ({ events }: UninstallDecision) => events.map(({ type, reason }) => `${type} ${reason}`);

describe('the status of an uninstall', () => {
  it('is of the kind that the CRD takes', () => {
    const { status } = at(undefined, 0);
    expect(valueFaults(installation.status as WrittenSchema, structuredClone(status) as never, 'status')).toEqual([]);
    expect(status).toMatchObject({
      observedGeneration: 1,
      phase: 'Deleting',
      since: instantText(now),
      run: 'run-1',
      heartbeat: instantText(now),
      step: 'front: configuration: 1 left',
      done: 0,
      total: 1,
      components: [{ name: 'front', phase: 'Deleting' }],
      blockers: [
        { code: 'finalizer', who: 'controller', finalizer: 'example.edu/hold', since: instantText(now - 20 * second) },
      ],
    });
  });

  it('is written when it begins, and then at least every 30 s while it goes on', () => {
    const first = at(undefined, 0);
    expect([first.write, reasons(first)]).toEqual([true, ['Normal Deleting']]);
    const written = [5, 19, 20, 25, 39, 40].map((seconds) => at(first.status, seconds * second).write);
    expect(written).toEqual([false, false, true, true, true, true]);
    expect(first.wakeAt).toBeLessThanOrEqual(now + 30 * second);
  });

  it.each([
    ['an installation', one, 2],
    ['a claim', plan([component('front')], { subject: { kind: 'VClusterClaim', name: 'ada', uid: 'ada' } }), 20],
  ] as const)('of %s is written for mere progress only so often, and at once for what is new', (_, of, pause) => {
    const left = (count: number, shown: UninstallStatus, seconds: number, differs: object = {}) => {
      const objects = Array.from({ length: count }, (_, index) => seen(`ConfigMap shop/${index}`, differs));
      return decide(of, observation(objects, { shown }), now + seconds * second);
    };
    let shown: UninstallStatus = { ...left(5, {}, 0).status, step: 'another' };
    for (const since of [0, pause]) {
      expect([1, pause - 0.1, pause].map((more) => left(5, shown, since + more).write)).toEqual([false, false, true]);
      shown = left(5, shown, since + pause).status;
      expect(shown.heartbeat).toBe(instantText(now + (since + pause) * second));
      shown = { ...shown, step: 'another' };
    }
    const deletedAt = now - 20 * second;
    const stuck = left(5, shown, 2 * pause + 1, { deletedAt, finalizers: ['example.edu/hold'] });
    expect(stuck.write).toBe(true);
  });

  it('is written once for components that are done within a second', () => {
    const of = plan([component('front'), component('side'), component('base', { after: ['front', 'side'] })]);
    const left = (names: readonly string[], shown: UninstallStatus | undefined, ms: number) => {
      const objects = names.map((name) => seen(`ConfigMap shop/${name}`, { labels: labelsOf(name) }));
      return decide(of, observation(objects, { shown }), now + ms);
    };
    const { status: shown } = left(['front', 'side', 'base'], undefined, 0);
    const [one, two] = [left(['side', 'base'], shown, 100), left(['base'], shown, 200)];
    expect([one.write, two.write, two.wakeAt]).toEqual([false, false, now + second]);
    const told = left(['base'], shown, second);
    expect(told.write).toBe(true);
    expect(told.events.map(({ note }) => note)).toEqual(
      left(['base'], shown, 2 * second).events.map(({ note }) => note),
    );
    expect(told.status.components?.map(({ name, phase }) => `${name} ${phase}`)).toEqual([
      'front Deleted',
      'side Deleted',
      'base Deleting',
    ]);
  });

  it('keeps since when it is so', () => {
    const first = at(undefined, 0).status;
    const later = at(first, 25 * second).status;
    expect([later.since, later.heartbeat]).toEqual([first.since, instantText(now + 25 * second)]);
    expect(later.conditions?.map(({ lastTransitionTime }) => lastTransitionTime)).toEqual(
      first.conditions?.map(({ lastTransitionTime }) => lastTransitionTime),
    );
  });

  it('tells each new thing in the way once, when it has been there for a minute', () => {
    const first = at(undefined, 0).status;
    const later = at(first, 41 * second);
    expect([later.status.phase, reasons(later)]).toEqual(['Deleting', ['Warning UninstallBlocked']]);
    expect(reasons(at(later.status, 70 * second))).toEqual([]);
  });

  it('tells that nobody has worked on it for a while, and that it goes on', () => {
    const first = at(undefined, 0).status;
    expect(reasons(at(first, 30 * second))).toEqual([]);
    const [event] = at(first, 300 * second).events;
    expect(event).toMatchObject({ reason: 'UninstallResumed', note: expect.stringContaining('for 300 s') });
  });

  it('is DeleteError, with when it is tried again, while something is refused', () => {
    const object = seen('ConfigMap shop/front');
    const refusals = { [object.uid]: { status: 403, reason: 'Forbidden', text: 'no', at: now, attempts: 3 } };
    const shown = at(undefined, -70 * second).status;
    const blocked = decide(one, observation([object], { refusals, shown }), now);
    const lasting = decide(one, observation([object], { refusals, shown: blocked.status }), now + 61 * second);
    expect(blocked.status.phase).toBe('Deleting');
    expect(lasting.status).toMatchObject({
      phase: 'DeleteError',
      reason: 'forbidden',
      lastError: { code: 'forbidden', retryable: true },
      attempt: 4,
    });
    expect(reasons(lasting)).toContain('Warning DeleteError');
    const over = decide(one, observation([object], { shown: lasting.status }), now + 62 * second);
    expect([over.status.phase, decided(over).does]).toEqual(['Deleting', ['delete configmap shop/front']]);
    expect(over.status.lastError?.code).toBe('forbidden');
  });

  it('is given up at the time that git allows, and says what was in the way', () => {
    const first = at(undefined, 0).status;
    expect(at(first, 3599 * second).status.phase).toBe('Deleting');
    const over = at(first, 3600 * second);
    expect(over).toMatchObject({
      actions: [],
      status: { phase: 'DeleteError', reason: 'timeout', lastError: { code: 'timeout', retryable: false } },
    });
    expect(over.status.lastError?.message).toContain('example.edu/hold');
    expect(over.status.heartbeat).toBeUndefined();
    expect(isConcluded(one, over.status)).toBe(true);
  });

  it('is not given up by whoever has just begun to look and cannot say why', () => {
    const first = at(undefined, 0).status;
    const healthy = (after: number) =>
      decide(one, observation([seen('ConfigMap shop/a')], { at: now + after, shown: first }), now + after);
    expect(healthy(3630 * second)).toMatchObject({ actions: [{ kind: 'delete' }], status: { phase: 'Deleting' } });
    expect(healthy(3660 * second).status).toMatchObject({ phase: 'DeleteError', reason: 'timeout' });
  });

  it('begins its time anew when git changes it after that, and remembers its hooks', () => {
    const over = at(at(undefined, 0).status, 3600 * second).status;
    const changed = { ...one, generation: 2 };
    expect(isConcluded(changed, over)).toBe(false);
    const again = at(over, 3601 * second, changed);
    expect(again.status).toMatchObject({ phase: 'Deleting', observedGeneration: 2, run: 'run-1' });
    expect(at(again.status, 3700 * second, changed).status.phase).toBe('Deleting');
  });

  it('is Deleted only when everything was looked at, not only where something was left', () => {
    const narrow = decide(one, observation([], { depth: 'narrow' }));
    expect(narrow).toMatchObject({ status: { phase: 'Deleting' }, next: { depth: 'full', names: true } });
    const whole = decide(one, observation([], { names: true, shown: narrow.status }));
    expect([whole.status.phase, whole.status.reason, reasons(whole)]).toEqual(['Deleted', 'gone', ['Normal Deleted']]);
    expect(whole.wakeAt).toBe(now + second);
    const shown = decide(one, observation([], { names: true, shown: whole.status }));
    expect([shown.write, shown.wakeAt, isConcluded(one, whole.status)]).toEqual([false, undefined, true]);
  });

  it('is not that of another run', () => {
    const old = { ...at(at(undefined, 0).status, 3600 * second).status, run: 'run-0' };
    const anew = at(old, 3601 * second).status;
    expect(anew).toMatchObject({ phase: 'Deleting', since: instantText(now + 3601 * second) });
    expect(anew.lastError).toBeUndefined();
    expect(isConcluded(one, { ...old, phase: 'Deleted' })).toBe(false);
  });

  it('says which component is at what, and who waits for its turn', () => {
    const of = plan([component('base', { after: ['front'] }), component('front')]);
    const sight = observation([held, seen('ConfigMap shop/base', { labels: labelsOf('base') })]);
    expect(decide(of, sight).status.components?.map(({ name, phase }) => `${name} ${phase}`)).toEqual([
      'base DeletePending',
      'front Deleting',
    ]);
  });
});
