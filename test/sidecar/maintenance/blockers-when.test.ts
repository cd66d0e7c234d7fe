import { describe, expect, it } from 'vitest';
import type { BlockerDraft } from '../../../src/sidecar/maintenance/blocker-draft.ts';
import { dateBlockers, datedAsShown, isStalling } from '../../../src/sidecar/maintenance/blockers.ts';
import type { Observation } from '../../../src/sidecar/maintenance/observation.ts';
import { ago, answered, budget, daemonSet, instant, maintained, now, pod, shownBlockers } from './observed.ts';

const hook = ['example.com/hold'];
const one = [pod('p')];

describe('nothing is in the way', () => {
  it.each<[string, Partial<Observation>]>([
    ['of a pod that may go', { pods: one }],
    ['of a pod that has just been told to end', { pods: [pod('p', { deletionAt: ago(29), finalizers: hook })] }],
    [
      'of a pod with a finalizer whose controller is there',
      { pods: [pod('p', { finalizers: hook, owner: daemonSet })], owners: [{ ...daemonSet, namespace: 'a' }] },
    ],
    [
      'of a node that could not be written twice',
      { refusals: { n1: { status: 409, text: '', at: now, attempts: 2 } } },
    ],
    [
      'after one failure',
      { pods: one, answers: { 'uid-p': answered({ kind: 'serverError', status: 500, text: '' }, 1) } },
    ],
    [
      'of a finished pod with a finalizer',
      { pods: [pod('p', { phase: 'Failed', finalizers: hook, deletionAt: ago(300) })] },
    ],
  ])('%s', (_, differs) => expect(shownBlockers(differs)).toEqual([]));
});

describe('what will be in the way', () => {
  const later = pod('agent', { owner: daemonSet });

  it('is named at once if waiting will not help', () => {
    const budgets = [budget('web', {}, { maxUnavailable: 0, selector: {} })];
    const pods = [pod('p', { namespace: 'b' }), later];
    expect(shownBlockers({ pods, budgets }).map(({ code, pod: of }) => [code, of?.name])).toEqual([
      ['pdb-never', 'agent'],
    ]);
  });

  it('is not named if it may have passed by then', () => {
    expect(
      shownBlockers({ pods: [pod('p', { namespace: 'b' }), later], budgets: [budget('web', {}, { selector: {} })] }),
    ).toEqual([]);
  });
});

describe('after the deadline', () => {
  it('who does not end is named, with since when', () => {
    const pods = [pod('p', { deletionAt: ago(100) })];
    expect(shownBlockers({ nodes: [maintained('n1')], pods })).toMatchObject([
      { code: 'stuck-terminating', since: instant(ago(130)) },
    ]);
  });
});

describe('since when', () => {
  const draft: BlockerDraft = { code: 'pdb-budget', message: 'new words', pod: { namespace: 'a', name: 'p' } };
  const shown = { ...draft, message: 'old words', since: instant(ago(90)) };

  it.each([
    ['is kept from what is shown, whatever the words', draft, [shown], ago(90)],
    ['is now, for what was not there', draft, [{ ...shown, code: 'pdb-never' as const }], now],
    ['is what the objects tell, if they do', { ...draft, sinceAt: ago(200) }, [shown], ago(200)],
    ['is never in the future', { ...draft, sinceAt: now + 5000 }, [], now],
    ['is now, when what is shown cannot be read', draft, [{ ...shown, since: 'long ago' }], now],
  ])('%s', (_, each, before, since) => expect(dateBlockers(now, [each], before)[0]?.since).toBe(since));

  it('makes the order: the oldest first, then by code and name, each once', () => {
    const named = (name: string, seconds: number): BlockerDraft => ({
      ...draft,
      pod: { namespace: 'a', name },
      sinceAt: ago(seconds),
    });
    const list = dateBlockers(now, [named('c', 1), named('b', 1), named('a', 5), named('b', 1)], undefined);
    expect(list.map(({ blocker }) => blocker.pod?.name)).toEqual(['a', 'b', 'c']);
  });

  it('makes it stall: after a minute, or at once if it will not pass', () => {
    const at = (seconds: number, permanent = false) =>
      isStalling(now, datedAsShown({ ...draft, since: instant(ago(seconds)), permanent }));
    expect([at(59), at(60), at(0, true)]).toEqual([false, true, true]);
  });
});
