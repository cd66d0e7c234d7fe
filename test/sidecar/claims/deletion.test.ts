import { describe, expect, it } from 'vitest';
import type { Observation } from '../../../src/sidecar/claims/observation.ts';
import { uninstallPlanOf } from '../../../src/sidecar/claims/plan.ts';
import type { ClaimStatus } from '../../../src/sidecar/claims/status.ts';
import {
  ago,
  claim,
  condition,
  decided,
  events,
  finalizer,
  pod,
  resting,
  running,
  shown,
  standing,
} from './observed.ts';
import { type Differs, deleted, hash, seen, uninstalling } from './uninstalling.ts';

describe('a deletion', () => {
  it('is written down before anything goes: should git take it back, that has to be seen', () => {
    const fresh = claim({ state: 'Deleted' }, shown({ phase: 'Running', reason: 'Ready' }));
    for (const differs of [{ claim: fresh }, uninstalling(fresh, [seen('StatefulSet', 'ada')])]) {
      expect(standing(differs)).toBe('DeletePending Ordered');
      expect(decided(differs).actions.map(({ kind }) => kind)).toEqual(['status']);
      expect(decided(differs).uninstall).toBeUndefined();
    }
  });

  it('then the engine speaks', () => {
    const begun = uninstalling(deleted(), [seen('StatefulSet', 'ada')]);
    expect(standing(begun)).toBe('Deleting removing');
    expect(events(begun)).toEqual(['Normal Deleting']);
    expect(condition('Ready', begun)?.status).toBe('False');
  });

  it('between two looks says nothing new', () => {
    const of = deleted(shown({ phase: 'Deleting', reason: 'removing', run: 'claim' }));
    expect(decided({ claim: of, uninstall: { plan: uninstallPlanOf(of, hash) } }).actions).toEqual([]);
  });

  it('is over at observed zero, and only then', () => {
    const over = uninstalling(deleted(), []);
    expect(standing(over)).toMatch(/^Deleted /);
    expect(condition('Ready', over)?.status).toBe('True');
    for (const differs of [
      { depth: 'narrow' },
      { names: false },
      { unread: [{ what: 'v1/Secret', status: 403, why: 'no' }] },
    ]) {
      expect(decided(uninstalling(deleted(), [], differs)).status?.phase).not.toBe('Deleted');
    }
  });

  it('and stays so when the resource changes afterwards: the lifecycle runner looks at the generation', () => {
    const over = shown({ phase: 'Deleted', reason: 'gone', run: 'claim', observedGeneration: 4 });
    const edited = deleted({ ...over, generation: 5 });
    const uninstall = { plan: uninstallPlanOf(edited, hash) };
    expect(decided({ claim: edited, uninstall }).status).toMatchObject({ phase: 'Deleted', observedGeneration: 5 });
    expect(decided({ claim: edited, uninstall }).actions.map(({ kind }) => kind)).toEqual(['status']);
  });

  it('waits for nothing but the list of claims', () => {
    expect(decided({ ...uninstalling(deleted(), []), unread: ['Pod'] }).status?.phase).toBe('Deleted');
    expect(decided({ ...uninstalling(deleted(), []), unread: ['VClusterClaim'] })).toEqual({
      claim: 'ada',
      actions: [],
    });
  });

  it('says so when not even its own resource can be read, and does nothing', () => {
    const under = deleted(shown({ phase: 'Deleting', reason: 'removing', run: 'claim' }));
    const blind = { unread: [{ what: 'all kinds', status: 0, why: 'not even VClusterClaim ada can be read' }] };
    const decision = decided({ ...uninstalling(under, [], blind), unread: ['VClusterClaim'] });
    expect(decision.actions.map(({ kind }) => kind)).toEqual(['status']);
    expect(decision.uninstall).toBeUndefined();
    expect(decision.status).toMatchObject({ phase: 'Deleting', blockers: [{ code: 'unread', who: 'operators' }] });
  });

  const released = (of: Observation['claim']) => {
    const plan = uninstallPlanOf(of, hash);
    return decided({ claim: of, uninstall: { plan } }).actions.flatMap((action) =>
      action.kind === 'finalizer' ? [[action.why, ...action.finalizers]] : [],
    );
  };

  it.each<[string, Differs, readonly (readonly string[])[]]>([
    [
      'the applier prunes it, and observed zero is written down',
      { deletedAt: ago(5), ...shown({ phase: 'Deleted', run: 'claim' }) },
      [['uninstalled']],
    ],
    ['the applier prunes it too early', { deletedAt: ago(5), ...shown({ phase: 'Deleting', run: 'claim' }) }, []],
    [
      'zero was observed of another resource of that name',
      { deletedAt: ago(5), ...shown({ phase: 'Deleted', run: 'old' }) },
      [],
    ],
    ['nobody prunes it', shown({ phase: 'Deleted', run: 'claim' }), []],
    [
      'it never had our finalizer',
      { finalizers: ['theirs'], ...shown({ phase: 'Deleted', run: 'claim' }) },
      [['hold', 'theirs', finalizer]],
    ],
    [
      'somebody else holds it, too',
      { finalizers: ['theirs', finalizer], deletedAt: ago(5), ...shown({ phase: 'Deleted', run: 'claim' }) },
      [['uninstalled', 'theirs']],
    ],
  ])('%s', (_, differs, expected) => {
    expect(released(deleted(differs))).toEqual(expected);
  });
});

describe('kubectl delete, while git says otherwise', () => {
  const asked = { deletedAt: ago(5) };
  const shownAs = (status: ClaimStatus) => ({ ...asked, ...shown(status) });

  it.each<[string, Partial<Observation>]>([
    ['runs', { claim: claim({}, shownAs({ phase: 'Running' })), workloads: [running()] }],
    [
      'sleeps',
      { claim: claim({ state: 'Sleeping' }, shownAs({ phase: 'Asleep' })), workloads: [resting()], pods: [pod('web')] },
    ],
    ['wakes', { claim: claim({}, shownAs({ phase: 'Waking' })), workloads: [running({ ready: 0 })] }],
    ['is half installed', { claim: claim({}, asked), workloads: [] }],
    ['was looked at already', { claim: claim({}, shownAs({ phase: 'DeletePending', reason: 'NotInGit' })) }],
  ])('of a claim that %s waits for git and says so', (_, differs) => {
    expect(standing(differs)).toBe('DeletePending NotInGit');
    expect(decided(differs).actions.map(({ kind }) => kind)).toEqual(['status']);
    expect(decided(differs).status?.blockers?.[0]).toMatchObject({ code: 'not-in-git', who: 'lifecycle' });
  });

  it.each<[string, Differs]>([
    ['somebody has asked for it', { ...asked, isWithdrawn: true }],
    ['git said Deleted, and does not any more', shownAs({ phase: 'Deleting', reason: 'removing' })],
    ['git said Deleted, and nothing had begun', shownAs({ phase: 'DeletePending', reason: 'Ordered' })],
    ['the uninstall was stuck', shownAs({ phase: 'DeleteError', reason: 'forbidden' })],
  ])('is taken back where %s: the resource is let go, and nothing is removed', (_, differs) => {
    const { actions, status } = decided({ claim: claim({}, differs) });
    expect(status).toBeUndefined();
    expect(actions).toMatchObject([{ kind: 'finalizer', why: 'withdrawn', finalizers: [] }]);
  });

  it('cannot be taken back so once git says Deleted', () => {
    const of = deleted({ ...asked, isWithdrawn: true });
    expect(standing(uninstalling(of, [seen('StatefulSet', 'ada')]))).toBe('Deleting removing');
  });
});

describe('restored in git in the middle, with no deletion of the resource', () => {
  const differs = shown({ phase: 'Deleting', reason: 'removing', run: 'claim', step: 'workloads', done: 1, total: 4 });

  it('the uninstall stops and says how far it was, until the claim is again as git wants it', () => {
    const stopped = { claim: claim({}, differs), workloads: [] };
    expect(standing(stopped)).toBe('Waking WorkloadMissing');
    expect(events(stopped)).toEqual(['Warning UninstallStopped', 'Normal Waking']);
    expect(condition('UninstallStopped', stopped)?.message).toContain('1 of 4 steps were done');
    const { status = {} } = decided(stopped);
    const later = { claim: claim({}, { status }), workloads: [running({ ready: 1 })] };
    expect(condition('UninstallStopped', later)?.message).toContain('1 of 4 steps were done');
    expect(events(later)).toEqual([]);
    expect(condition('UninstallStopped', { ...later, workloads: [running()] })).toBeUndefined();
    expect(decided(stopped).status?.run).toBeUndefined();
  });
});

it('our finalizer is there from the first look on, and never put on what is being deleted', () => {
  const fresh = decided({ claim: claim({}, { finalizers: [] }) }).actions[0];
  expect(fresh).toMatchObject({ kind: 'finalizer', why: 'hold', finalizers: [finalizer], resourceVersion: '100' });
  const going = decided({ claim: claim({}, { finalizers: [], deletedAt: ago(1) }) });
  expect(going.actions.map(({ kind }) => kind)).toEqual(['status']);
});
