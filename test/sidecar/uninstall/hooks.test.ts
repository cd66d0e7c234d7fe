import { describe, expect, it } from 'vitest';
import type { SeenJob } from '../../../src/sidecar/uninstall/observation.ts';
import type { Hooks } from '../../../src/sidecar/uninstall/plan.ts';
import type { UninstallStatus } from '../../../src/sidecar/uninstall/status.ts';
import { component, decide, decided, hook, labelsOf, now, observation, plan, seen } from './seen.ts';

const none: Hooks = { preDelete: [], delete: [], postDelete: [] };
const withHooks = (hooks: Partial<Hooks>) => plan([component('front', { hooks: { ...none, ...hooks } })]);
const config = seen('ConfigMap shop/front');

function job(name: string, state: SeenJob['state'], differs: Partial<SeenJob> = {}): SeenJob {
  return {
    name: `${name}-job`,
    namespace: 'shop',
    uid: `job-${name}-${differs.attempt ?? 1}`,
    component: 'front',
    hook: name,
    attempt: 1,
    createdAt: now - 30_000,
    ...(state !== 'Running' && { endedAt: now - 5000 }),
    state,
    ...differs,
  };
}

const shown = (hooks: NonNullable<NonNullable<UninstallStatus['components']>[number]['hooks']>): UninstallStatus => ({
  run: 'run-1',
  phase: 'Deleting',
  components: [{ name: 'front', phase: 'Deleting', hooks }],
});

describe('hooks', () => {
  it('before: nothing goes until each has succeeded, one after the other', () => {
    const of = withHooks({ preDelete: [hook('first'), hook('second')] });
    const at = (jobs: readonly SeenJob[]) => decided(decide(of, observation([config], { jobs }))).does;
    expect(at([])).toEqual(['start hook first of front, attempt 1']);
    expect(at([job('first', 'Running')])).toEqual([]);
    expect(at([job('first', 'Succeeded')])).toEqual(['start hook second of front, attempt 1']);
    expect(at([job('first', 'Succeeded'), job('second', 'Succeeded')])).toEqual(['delete configmap shop/front']);
  });

  it('after: not before everything is gone, save what the hook runs as', () => {
    const account = seen('ServiceAccount shop/cleaner');
    const of = (serviceAccount?: string) =>
      withHooks({ postDelete: [hook('tell', serviceAccount === undefined ? {} : { serviceAccount })] });
    const does = (...args: Parameters<typeof decide>) => decided(decide(...args)).does;
    expect(does(of(), observation([config]))).toEqual(['delete configmap shop/front']);
    expect(does(of(), observation([account]))).toEqual(['delete serviceaccount shop/cleaner']);
    expect(does(of('cleaner'), observation([account]))).toEqual(['start hook tell of front, attempt 1']);
    const jobs = [job('tell', 'Succeeded')];
    expect(does(of('cleaner'), observation([account], { jobs }))).toEqual(['delete serviceaccount shop/cleaner']);
  });

  it('instead: only what is swept is left to us, and what the Jobs leave is told of', () => {
    const of = withHooks({ delete: [hook('tear-down')] });
    expect(decided(decide(of, observation([config]))).does).toEqual(['start hook tear-down of front, attempt 1']);
    const swept = seen('Widget shop/made', { labels: {}, sweptBy: ['front'] });
    const after = observation([config, swept], { jobs: [job('tear-down', 'Succeeded')] });
    expect(decided(decide(of, after)).does).toEqual(['delete widget shop/made']);
    const end = decide(
      of,
      observation([config], { names: true, shown: shown([{ name: 'tear-down', state: 'Succeeded' }]) }),
    );
    expect(end.status).toMatchObject({ phase: 'Deleted', leftovers: [{ kind: 'ConfigMap', name: 'front' }] });
  });

  it('that have succeeded are never run again, also when their Job is gone', () => {
    const of = withHooks({ preDelete: [hook('first')] });
    const remembered = observation([config], { shown: shown([{ name: 'first', state: 'Succeeded', attempt: 2 }]) });
    expect(decided(decide(of, remembered)).does).toEqual(['delete configmap shop/front']);
    const otherRun = observation([config], { shown: { ...remembered.shown, run: 'run-0' } });
    expect(decided(decide(of, otherRun)).does).toEqual(['start hook first of front, attempt 1']);
  });

  it('whose Job somebody has deleted begin another attempt', () => {
    const of = withHooks({ preDelete: [hook('first')] });
    const lost = observation([config], { shown: shown([{ name: 'first', state: 'Running', attempt: 2 }]) });
    expect(decided(decide(of, lost)).does).toEqual(['start hook first of front, attempt 3']);
  });

  it.each([
    [1, 5_000, false],
    [1, 10_000, true],
    [2, 19_000, false],
    [2, 20_000, true],
    [9, 299_000, false],
    [9, 300_000, true],
  ])('that failed in attempt %i wait; %i ms later begun again: %s', (attempt, ms, isBegun) => {
    const of = withHooks({ preDelete: [hook('first')] });
    const failed = job('first', 'Failed', { attempt, endedAt: now - ms, why: 'BackoffLimitExceeded' });
    const decision = decide(of, observation([config], { jobs: [failed] }));
    expect(decided(decision)).toEqual({
      does: isBegun ? [`start hook first of front, attempt ${attempt + 1}`] : [],
      waits: ['hook-failed Job first-job'],
      phase: 'DeleteError',
    });
    expect(decision.status.lastError).toMatchObject({ code: 'hook-failed', retryable: true });
    expect(decision.status.lastError?.message).toContain('BackoffLimitExceeded');
  });

  it('that nobody ends at their deadline are deleted', () => {
    const of = withHooks({ preDelete: [hook('first', { timeoutSeconds: 60 })] });
    const old = (ms: number) => observation([config], { jobs: [job('first', 'Running', { createdAt: now - ms })] });
    expect(decided(decide(of, old(119_000))).does).toEqual([]);
    expect(decided(decide(of, old(120_000)))).toMatchObject({
      does: ['delete job shop/first-job'],
      waits: ['hook-overdue Job first-job'],
    });
  });

  it('that wait for an image say so', () => {
    const of = withHooks({ preDelete: [hook('first')] });
    const waits = 'ImagePullBackOff: no such image';
    const [blocker] = decide(of, observation([config], { jobs: [job('first', 'Running', { waits })] })).blockers;
    expect(blocker).toMatchObject({ code: 'hook-image', message: `Hook first: ${waits}` });
  });

  it('leave no Jobs behind, once it is written down that they succeeded', () => {
    const of = withHooks({ preDelete: [hook('first')] });
    const jobs = [job('first', 'Failed'), job('first', 'Succeeded', { attempt: 2 })];
    expect(decided(decide(of, observation([], { jobs }))).does).toEqual([]);
    const noted = observation([], { jobs, shown: shown([{ name: 'first', state: 'Succeeded', attempt: 2 }]) });
    expect(decided(decide(of, noted)).does).toEqual(['delete job shop/first-job', 'delete job shop/first-job']);
  });

  it.each([
    ['succeeded', 'Succeeded', 'Succeeded'],
    ['failed again', 'Failed', 'Failed'],
  ] as const)('keep the attempt that %s, though the Job of an earlier one outlasts it', (_, known, state) => {
    const of = withHooks({ preDelete: [hook('first')], postDelete: [hook('last')] });
    const noted = { jobs: [job('first', 'Failed')], shown: shown([{ name: 'first', state: known, attempt: 2 }]) };
    const { status } = decide(of, observation([config], noted));
    expect(status.components?.[0]?.hooks).toEqual([{ name: 'first', state, attempt: 2 }]);
  });

  it('are skipped where there is no namespace any more', () => {
    const of = withHooks({ preDelete: [hook('first')] });
    const refusal = { status: 404, reason: 'NotFound', text: 'namespaces "shop" not found', at: now, attempts: 1 };
    const sight = observation([], { refusals: { 'hook front/first': refusal }, names: true });
    expect(decided(decide(of, sight)).phase).toBe('Deleted');
  });

  it('get a Job whose name is the same for the same attempt, and fits', () => {
    const long = 'a-hook-with-a-name-that-is-as-long-as-a-label-may-be-at-the-most';
    const names = [1, 1, 2].map((attempt) => {
      const jobs = attempt === 1 ? [] : [job(long, 'Failed', { endedAt: now - 60_000 })];
      const [action] = decide(withHooks({ preDelete: [hook(long)] }), observation([config], { jobs })).actions;
      return action?.kind === 'startHook' ? action.job : '';
    });
    expect(names[0]).toBe(names[1]);
    expect(names[2]).not.toBe(names[0]);
    for (const name of names) expect(name).toMatch(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])$/);
    expect(labelsOf('front')).not.toHaveProperty('quiesce.dev/uninstall-of');
  });
});
