import { describe, expect, it } from 'vitest';
import type { BudgetView } from '../../../src/sidecar/maintenance/budgets.ts';
import type { EvictionAnswer } from '../../../src/sidecar/maintenance/eviction-answer.ts';
import { mayBeAskedAt, mayBeWrittenAt } from '../../../src/sidecar/maintenance/pacing.ts';
import { ago, answered, budget, evicted, now, pod } from './observed.ts';

const free: BudgetView = { kind: 'free' };
const allows: BudgetView = { kind: 'allows', budget: budget('web', { disruptionsAllowed: 1 }) };
const exhausted: BudgetView = { kind: 'exhausted', budget: budget('web', {}) };
const never: BudgetView = { kind: 'never', budget: budget('web', {}) };
const blocked: EvictionAnswer = { kind: 'blockedByBudget' };

describe('a pod is asked', () => {
  it('at once when nothing is against it', () => {
    expect(mayBeAskedAt(free, Number.NEGATIVE_INFINITY, undefined)).toBeLessThan(now);
    expect(mayBeAskedAt(allows, ago(0), undefined)).toBeLessThan(now);
  });

  it('after half a minute although its budget refuses, after a minute if that is for ever', () => {
    expect(mayBeAskedAt(exhausted, now, undefined) - now).toBe(30_000);
    expect(mayBeAskedAt(never, now, undefined) - now).toBe(60_000);
  });

  it.each<[string, EvictionAnswer, BudgetView, readonly number[]]>([
    ['was let go, and nothing is seen of it', { kind: 'evicted' }, free, [15, 15, 15]],
    ['was not there, and is still seen', { kind: 'gone' }, free, [15, 15, 15]],
    ['was another one', { kind: 'replaced' }, free, [15, 15, 15]],
    ['was refused by a budget that we see allow it', blocked, allows, [2, 4, 8, 10, 10]],
    ['was refused by a budget that we see refuse it', blocked, exhausted, [30, 30, 30]],
    ['came too early for the controller', { kind: 'budgetUnobserved', retryAfterSeconds: 10 }, free, [10, 10, 10]],
    ['came too fast', { kind: 'slowDown', retryAfterSeconds: 1 }, free, [2, 2, 2]],
    ['came too fast by far', { kind: 'slowDown', retryAfterSeconds: 40 }, free, [40, 40]],
    ['was in a namespace that is deleted', { kind: 'namespaceTerminating' }, free, [5, 10, 20, 30, 30]],
    ['was forbidden', { kind: 'forbidden', text: '' }, free, [10, 20, 40, 60, 60]],
    ['was refused by a budget without numbers', { kind: 'budgetRefuses', text: '' }, free, [10, 20, 40, 60]],
    ['had two budgets', { kind: 'misconfigured' }, free, [60, 60, 60]],
    ['met a server that failed', { kind: 'serverError', status: 500, text: '' }, free, [2, 4, 8, 16, 32, 60, 60]],
    ['was told when', { kind: 'serverError', status: 504, text: '', retryAfterSeconds: 10 }, free, [10, 10]],
  ])('again after it %s', (_, answer, view, seconds) => {
    const pauses = seconds.map((__, index) => {
      return mayBeAskedAt(view, Number.NEGATIVE_INFINITY, answered(answer, 0, index + 1)) - now;
    });
    expect(pauses).toEqual(seconds.map((each) => each * 1000));
  });

  it('does not overflow, however often it was asked', () => {
    const often = answered({ kind: 'serverError', status: 0, text: '' }, 0, 100_000);
    expect(mayBeAskedAt(free, now, often)).toBe(now + 60_000);
  });
});

describe('when the API server has too much to do', () => {
  const pods = [pod('p'), pod('q')];
  const slow = (seconds: number) => ({
    answers: { 'uid-p': answered({ kind: 'slowDown', retryAfterSeconds: 20 }, seconds) },
    pods,
  });

  it('nobody is asked before it said', () => expect(evicted(slow(19))).toEqual([]));
  it('everybody is after that', () => expect(evicted(slow(20))).toEqual(['p', 'q']));
  it('an answer from before the clock went back does not count', () =>
    expect(evicted(slow(-3600))).toEqual(['p', 'q']));
});

describe('a node that could not be written', () => {
  it.each([
    [409, [0.25, 0.5, 1, 2, 2]],
    [403, [2, 4, 8, 16, 32, 60, 60]],
    [0, [2, 4, 8]],
  ])('with status %i is written again after %j seconds', (status, seconds) => {
    const pauses = seconds.map((_, index) => mayBeWrittenAt({ status, at: now, attempts: index + 1 }) - now);
    expect(pauses).toEqual(seconds.map((each) => each * 1000));
  });
});
