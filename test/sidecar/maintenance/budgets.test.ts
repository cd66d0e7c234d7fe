import { describe, expect, it } from 'vitest';
import type { SlimBudget } from '../../../src/sidecar/kube/slim.ts';
import { budgetFinder, viewBudgets } from '../../../src/sidecar/maintenance/budgets.ts';
import { matcher } from '../../../src/sidecar/maintenance/label-selector.ts';
import { BudgetLedger } from '../../../src/sidecar/maintenance/ledger.ts';
import type { LabelSelector, ObservedBudget, ObservedPod } from '../../../src/sidecar/maintenance/observation.ts';
import { observedBudget } from '../../../src/sidecar/maintenance/observe.ts';
import { budget, now, pod } from './observed.ts';

describe('a selector', () => {
  const labels = { app: 'web', tier: 'front' };
  const expression = (key: string, operator: string, values?: string[]): LabelSelector => ({
    matchExpressions: [{ key, operator, ...(values !== undefined && { values }) }],
  });
  it.each<[LabelSelector | undefined, boolean]>([
    [undefined, false],
    [{}, true],
    [{ matchLabels: { app: 'web' } }, true],
    [{ matchLabels: { app: 'web', tier: 'back' } }, false],
    [{ matchLabels: { constructor: 'web' } }, false],
    [expression('app', 'In', ['db', 'web']), true],
    [expression('none', 'In', ['web']), false],
    [expression('app', 'NotIn', ['db']), true],
    [expression('none', 'NotIn', ['db']), true],
    [expression('app', 'NotIn', ['web']), false],
    [expression('app', 'Exists'), true],
    [expression('none', 'Exists'), false],
    [expression('none', 'DoesNotExist'), true],
    [expression('app', 'DoesNotExist'), false],
    [expression('app', 'Near', ['web']), false],
    [{ matchLabels: { app: 'web' }, ...expression('tier', 'In', ['back']) }, false],
  ])('%j: %s', (selector, expected) => expect(matcher(selector)(labels)).toBe(expected));
});

describe('budgets of a pod', () => {
  it('are those of its namespace that select it, by name', () => {
    const all = [budget('b', {}), budget('a', {}, { selector: {} }), budget('c', {}, { namespace: 'b' })];
    expect(budgetFinder(all)(pod('p')).map(({ name }) => name)).toEqual(['a', 'b']);
  });

  const one = budget('web', {});
  it.each<[string, Partial<ObservedPod>, readonly ObservedBudget[], string]>([
    ['without any', {}, [], 'free'],
    ['that lets one go', {}, [budget('web', { disruptionsAllowed: 1 })], 'allows'],
    ['that lets none go now', {}, [one], 'exhausted'],
    ['of a pending pod', { phase: 'Pending', ready: false }, [one], 'free'],
    ['of a pod that terminates', { deletionAt: now }, [one], 'free'],
    [
      'two, whatever they say',
      {},
      [budget('a', { disruptionsAllowed: 1 }), budget('b', { disruptionsAllowed: 1 })],
      'several',
    ],
    ['two, of a pod that is not ready', { ready: false }, [budget('a', {}), budget('b', {})], 'several'],
    ['two, of a pending pod', { phase: 'Pending' }, [budget('a', {}), budget('b', {})], 'free'],
    ['of a pod that is not ready, with enough others', { ready: false }, [one], 'free'],
    [
      'of a pod that is not ready, with too few others',
      { ready: false },
      [budget('web', { currentHealthy: 2 })],
      'unhealthy',
    ],
    [
      'of a pod that is not ready, always allowed',
      { ready: false },
      [budget('web', { currentHealthy: 2 }, { unhealthyPodEvictionPolicy: 'AlwaysAllow' })],
      'free',
    ],
    ['without a status', {}, [budget('web', undefined)], 'unobserved'],
    ['of an older generation', {}, [budget('web', { disruptionsAllowed: 1 }, { generation: 2 })], 'unobserved'],
    ['whose controller has failed', {}, [budget('web', { reason: 'SyncFailed', expectedPods: 0 })], 'syncFailed'],
    [
      'whose controller has never had success',
      {},
      [budget('web', { reason: 'SyncFailed', observedGeneration: 0, currentHealthy: 0, desiredHealthy: 0 })],
      'syncFailed',
    ],
    ['maxUnavailable 0', {}, [budget('web', {}, { maxUnavailable: 0 })], 'never'],
    ['maxUnavailable 0%', {}, [budget('web', {}, { maxUnavailable: '0%' })], 'never'],
    ['minAvailable 100%', {}, [budget('web', {}, { minAvailable: '100%' })], 'never'],
    ['as many as there are', {}, [budget('web', { desiredHealthy: 4, currentHealthy: 4 })], 'never'],
    ['more than there are', {}, [budget('web', { desiredHealthy: 5, currentHealthy: 4 })], 'never'],
    ['of nobody', {}, [budget('web', { desiredHealthy: 0, expectedPods: 0 })], 'exhausted'],
  ])('%s', (_, differs, budgets, kind) => {
    expect(viewBudgets(pod('p', differs), budgets).kind).toBe(kind);
  });
});

describe('the status of a budget, as it is read', () => {
  const read = (status: SlimBudget['status']) =>
    observedBudget({
      version: 1,
      name: 'web',
      namespace: 'a',
      generation: 1,
      spec: {},
      ...(status && { status }),
    }).status;
  const condition = { type: 'DisruptionAllowed', reason: 'SyncFailed', message: 'no scale' };

  it.each([
    ['nobody has looked at it', undefined, undefined],
    ['what a cluster without the controller has', {}, undefined],
    [
      'its controller has tried in vain (it writes no generation then)',
      { disruptionsAllowed: 0, conditions: [condition] },
      { observedGeneration: 0, disruptionsAllowed: 0, reason: 'SyncFailed', message: 'no scale' },
    ],
    [
      'it is worked out',
      { observedGeneration: 1, disruptionsAllowed: 1, currentHealthy: 3, desiredHealthy: 2, expectedPods: 3 },
      { observedGeneration: 1, disruptionsAllowed: 1, currentHealthy: 3, desiredHealthy: 2, expectedPods: 3 },
    ],
  ])('%s', (_, status, expected) => {
    const numbers = { currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
    expect(read(status)).toEqual(expected && { ...numbers, ...expected });
  });
});

describe('what one node takes of a budget', () => {
  const view = viewBudgets(pod('p'), [budget('web', { disruptionsAllowed: 2 })]);

  it('no other may take', () => {
    const ledger = new BudgetLedger();
    expect([1, 2, 3].map(() => ledger.take(view))).toEqual([true, true, false]);
  });

  it('is taken all or not at all', () => {
    const ledger = new BudgetLedger();
    expect(ledger.takeAll([view, view, view])).toBe(false);
    expect(ledger.takeAll([view, { kind: 'free' }, view])).toBe(true);
    expect(ledger.take(view)).toBe(false);
  });
});
