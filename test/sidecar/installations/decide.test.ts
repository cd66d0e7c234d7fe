import { describe, expect, it } from 'vitest';
import { installation as definition } from '../../../constructs/crds/installation.ts';
import { decideInstallation, type InstallationDecision } from '../../../src/sidecar/installations/decide.ts';
import type { Observation } from '../../../src/sidecar/installations/observation.ts';
import type { InstallationStatus } from '../../../src/sidecar/installations/status.ts';
import { tellAction } from '../../../src/sidecar/uninstall/words.ts';
import { valueFaults, type WrittenSchema } from '../../constructs/structural-schema.ts';
import { idFrom, labelsOf, now, observation, seen } from '../uninstall/seen.ts';
import { componentSpec, installation, observed } from './installed.ts';

const decide = (of: Observation, at = now) => decideInstallation(at, of);
const does = ({ uninstall }: InstallationDecision) => (uninstall?.decision.actions ?? []).map(tellAction);
const isValid = ({ status }: InstallationDecision) =>
  valueFaults(definition.status as WrittenSchema, structuredClone(status) as never, 'status');
const config = seen('ConfigMap shop/front');

describe('an Installation that git says is Installed', () => {
  it('gets a finalizer, so that a deletion by hand can be taken back', () => {
    const finalizers = ['other.example.edu/hold'];
    const bare = decide(observed(installation({ finalizers })));
    expect(bare.finalizers).toEqual([...finalizers, 'quiesce.dev/uninstall']);
    expect(decide(observed(installation())).finalizers).toBeUndefined();
  });

  it('is Installed when everything listed is there, and Installing before', () => {
    const there = decide(observed(installation(), observation([config])));
    expect([there.status?.phase, there.status?.reason, isValid(there)]).toEqual(['Installed', 'all-there', []]);
    const missing = decide(observed(installation(), observation([])));
    expect([missing.status?.phase, missing.status?.reason, isValid(missing)]).toEqual([
      'Installing',
      'objects-missing',
      [],
    ]);
    expect(missing.wakeAt).toBe(now + 2000);
    const since = installation({ status: { phase: 'Installing', since: '2026-03-02T08:59:00Z' } });
    expect(decide(observed(since, observation([]))).wakeAt).toBe(now + 30_000);
    expect(there.wakeAt).toBe(now + 600_000);
    const shown = decide(observed(installation({ status: there.status as InstallationStatus }), observation([config])));
    expect(shown.status).toBeUndefined();
  });

  it('says so where it is not known what is rendered, and removes nothing', () => {
    const { objects: _, ...unknown } = componentSpec('front');
    const of = observed(installation({ components: [unknown] }), observation([seen('ConfigMap shop/old')]));
    expect(of.plan).toBeUndefined();
    expect(decide(of).status).toMatchObject({ phase: 'Installing', reason: 'objects-unknown' });
  });

  it('loses what git does not list any more, when that has settled', () => {
    const old = seen('ConfigMap shop/old', { labels: labelsOf('gone') });
    const look = observation([config, old]);
    expect(does(decide(observed(installation(), look)))).toEqual(['delete configmap shop/old']);
    const soon = decide(observed(installation(), look, 19));
    expect([does(soon), soon.wakeAt]).toEqual([[], now + 1000]);
    expect(soon.uninstall?.decision.next).not.toEqual(
      decide(observed(installation(), observation([config]))).uninstall?.decision.next,
    );
    expect(decide(observed(installation(), look)).status).toMatchObject({
      phase: 'Installed',
      step: expect.stringContaining('left git'),
    });
  });

  it.each([
    ['what is owned', { owners: [{ uid: 'x', kind: 'Widget', name: 'x' }] }],
    ['what only has our labels', { rendered: false }],
    ['what is of another installation', { labels: labelsOf('front', 'garden') }],
  ])('keeps %s', (_, differs) => {
    const look = observation([config, seen('ConfigMap shop/copy', differs)]);
    expect(does(decide(observed(installation(), look)))).toEqual([]);
  });

  it('keeps data that left git, whatever the policy of the component was', () => {
    const look = observation([config, seen('PersistentVolumeClaim shop/old', { labels: labelsOf('gone') })]);
    expect(does(decide(observed(installation(), look)))).toEqual([]);
  });

  it('keeps everything while something cannot be read', () => {
    const unread = [{ what: 'v1/Secret', status: 500, why: 'slow' }];
    const look = observation([config, seen('ConfigMap shop/old', { labels: labelsOf('gone') })], { unread });
    expect(does(decide(observed(installation(), look)))).toEqual([]);
  });

  it('tells that an uninstall was stopped', () => {
    const status: InstallationStatus = { phase: 'Deleting', run: 'run-1', since: '2026-03-02T08:00:00Z' };
    const decision = decide(observed(installation({ status }), observation([config])));
    expect(decision.events).toMatchObject([{ type: 'Warning', reason: 'UninstallStopped' }]);
    expect(decision.status).toMatchObject({ phase: 'Installed' });
    expect(decision.status?.run).toBeUndefined();
  });
});

describe('an Installation that was deleted by hand', () => {
  const deleted = installation({ deletedAt: now - 60_000 });

  it('loses nothing while git says Installed, and says what to do', () => {
    const decision = decide({ installation: deleted, unchangedSince: now });
    expect(decision.finalizers).toBeUndefined();
    expect(decision.status).toMatchObject({
      phase: 'DeletePending',
      reason: 'not-in-git',
      blockers: [{ code: 'not-in-git', permanent: true }],
    });
    expect(isValid(decision)).toEqual([]);
    const again = decide(
      { installation: { ...deleted, status: decision.status as InstallationStatus }, unchangedSince: now },
      now + 1000,
    );
    expect(again.status).toBeUndefined();
  });

  it('is let go without uninstalling when that is asked for', () => {
    const decision = decide({ installation: { ...deleted, isWithdrawn: true }, unchangedSince: now });
    expect([decision.finalizers, decision.events[0]?.reason]).toEqual([[], 'DeletionWithdrawn']);
  });

  it('is let go when git said Deleted and does not any more', () => {
    const status: InstallationStatus = { phase: 'Deleting', reason: 'removing', run: 'r' };
    expect(decide({ installation: { ...deleted, status }, unchangedSince: now }).finalizers).toEqual([]);
  });
});

describe('an Installation that git says is Deleted', () => {
  const of = installation({ state: 'Deleted' });

  it('is pending until it was looked at, and its run begins there', () => {
    const first = decide(observed(of));
    expect(first.status).toMatchObject({ phase: 'DeletePending', run: '01234567-3', heartbeat: expect.any(String) });
    expect([isValid(first), first.events[0]?.reason]).toEqual([[], 'DeletePending']);
    const shown = installation({ state: 'Deleted', status: first.status as InstallationStatus });
    expect(decide(observed(shown)).status).toBeUndefined();
    const begun = decide(observed(shown, observation([config], { shown: first.status as never })), now + 5000);
    expect(begun.status).toMatchObject({ phase: 'Deleting', run: '01234567-3' });
    const times = begun.status?.conditions?.map(({ type, lastTransitionTime }) => [type, lastTransitionTime]);
    expect(times).toContainEqual(['Deleted', '2026-03-02T09:00:00Z']);
  });

  it('keeps its run over changes of git, and has another one when it was installed in between', () => {
    const run = (status: InstallationStatus | undefined) =>
      observed(installation({ state: 'Deleted', generation: 9, ...(status !== undefined && { status }) })).plan?.run;
    expect(run({ phase: 'Deleting', run: '01234567-3' })).toBe('01234567-3');
    expect(run({ phase: 'Installed' })).toBe('01234567-9');
    expect(run(undefined)).toBe('01234567-9');
  });

  it('goes in reverse order of dependsOn, what left git before last', () => {
    const components = [componentSpec('base'), componentSpec('front', { dependsOn: ['base'] })];
    const { plan } = observed(installation({ state: 'Deleted', components }));
    expect(plan?.components.map(({ name, after }) => [name, after])).toEqual([
      ['base', ['front']],
      ['front', []],
      ['left git', ['base', 'front']],
    ]);
  });

  it('shows its components, and no other', () => {
    const decision = decide(observed(of, observation([seen('ConfigMap shop/old', { labels: labelsOf('gone') })])));
    expect(decision.status?.components?.map(({ name }) => name)).toEqual(['front']);
    expect(does(decision)).toEqual(['delete configmap shop/old']);
    expect(isValid(decision)).toEqual([]);
  });

  it('is let go when nothing is left and that is written down, and not before', () => {
    const end = decide(observed(of, observation([], { names: true })));
    expect([end.status?.phase, end.finalizers]).toEqual(['Deleted', undefined]);
    const gone = installation({ state: 'Deleted', deletedAt: now, status: end.status as InstallationStatus });
    expect(decide(observed(gone)).finalizers).toEqual([]);
    const early = installation({ state: 'Deleted', deletedAt: now, status: { phase: 'Deleting', run: '01234567-3' } });
    expect(decide(observed(early)).finalizers).toBeUndefined();
    expect(
      decide(observed(installation({ state: 'Deleted', status: end.status as InstallationStatus }))).finalizers,
    ).toBeUndefined();
  });

  it('is removed as its components say', () => {
    const deletion = {
      ...componentSpec('x').deletion,
      sweep: [{ apiGroups: [''], kinds: ['Secret'], selector: 'made-by=front' }],
      persistentVolumeClaims: 'Delete' as const,
      namespace: 'Keep' as const,
    };
    const components = [componentSpec('front', { deletion, helm: { release: 'front' } })];
    const [front] = observed(installation({ state: 'Deleted', components })).plan?.components ?? [];
    expect(front).toMatchObject({
      own: [{ labels: labelsOf('front') }],
      listed: [idFrom('ConfigMap shop/front')],
      sweeps: deletion.sweep,
      persistentVolumeClaims: 'Delete',
      namespaces: 'Keep',
      release: { namespace: 'shop', name: 'front' },
    });
  });
});
