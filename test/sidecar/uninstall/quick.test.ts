import { describe, expect, it } from 'vitest';
import type { SeenObject, UninstallObservation } from '../../../src/sidecar/uninstall/observation.ts';
import type { UninstallStatus } from '../../../src/sidecar/uninstall/status.ts';
import { component, contents, decide, decided, idFrom, now, observation, plan, seen } from './seen.ts';

const quick = (differs = {}) => plan([component('front')], { strategy: 'Quick', ...differs });
const space = seen('Namespace shop');
const told = (objects: readonly SeenObject[], differs: Partial<UninstallObservation> = {}, of = quick()) =>
  decide(of, observation(objects, differs));

const began = (secondsAgo: number, orphaned: UninstallStatus['orphaned'] = []): UninstallStatus => ({
  run: 'run-1',
  phase: 'Deleting',
  orphaned,
  conditions: [
    {
      type: 'Deleted',
      status: 'False',
      reason: 'Removing',
      message: '',
      lastTransitionTime: new Date(now - secondsAgo * 1000).toISOString(),
    },
  ],
});

describe('a quick deletion', () => {
  it('asks for everything at once, namespaces first, without hooks', () => {
    const all = [seen('ServiceAccount shop/front'), space, seen('Deployment shop/front'), seen('ClusterRole front')];
    expect(decided(told(all, { contents: contents('shop', [all[0], all[2]] as never) })).does).toEqual([
      'delete namespace shop',
      'delete serviceaccount shop/front',
      'delete deployment shop/front',
      'delete clusterrole front',
    ]);
  });

  it('needs the confirmation that git asks for', () => {
    expect(decided(told([space], {}, quick({ confirmed: false })))).toEqual({
      does: [],
      waits: ['confirm-missing'],
      phase: 'DeleteError',
    });
  });

  it('keeps a namespace that holds anything of anybody, and everything of theirs', () => {
    const theirs = seen('Secret shop/theirs', { labels: {}, rendered: false });
    const objects = [space, seen('ConfigMap shop/front')];
    expect(decided(told(objects, { contents: contents('shop', [theirs]) })).does).toEqual([
      'delete configmap shop/front',
    ]);
    const unread = [{ what: 'v1/Secret', status: 500, why: 'slow' }];
    expect(decided(told(objects, { contents: contents('shop', [], unread) })).does).toEqual([
      'delete configmap shop/front',
    ]);
  });

  it('keeps data that is to be retained, and its namespace', () => {
    const data = seen('PersistentVolumeClaim shop/data');
    expect(decided(told([space, data], { contents: contents('shop', [data]) })).does).toEqual([]);
  });

  it('keeps a definition that anybody has instances of', () => {
    const definition = seen('CustomResourceDefinition widgets.shop.example.edu');
    const left = [seen('Widget theirs/thing', { labels: {} })];
    const instances = [{ definition: definition.name, left }];
    expect(decided(told([definition], { instances }))).toMatchObject({
      does: [],
      waits: ['instances-left Widget thing'],
    });
  });

  it('drops finalizers only of what was told to go and did not, and only after it was written down', () => {
    const stuck = (seconds: number) =>
      seen('ConfigMap shop/front', { deletedAt: now - seconds * 1000, finalizers: ['example.edu/hold'] });
    const early = told([stuck(4)]);
    expect([decided(early).does, early.status.orphaned]).toEqual([[], undefined]);
    const late = told([stuck(5)]);
    expect([decided(late).does, late.status.orphaned]).toEqual([[], [idFrom('ConfigMap shop/front')]]);
    const written = told([stuck(6)], { shown: began(10, [idFrom('ConfigMap shop/front')]) });
    expect(decided(written).does).toEqual(['drop the finalizers of configmap shop/front']);
    expect(written.actions).toMatchObject([{ uid: 'ConfigMap shop/front', resourceVersion: '1' }]);
    expect(decided(told([seen('ConfigMap shop/front', { finalizers: ['example.edu/hold'] })])).does).toEqual([
      'delete configmap shop/front',
    ]);
  });

  it('gives up a namespace in the end, with the list of what was in it', () => {
    const going = seen('Namespace shop', { deletedAt: now - 130_000 });
    const pod = seen('Pod shop/stuck', {
      labels: {},
      deletedAt: now - 130_000,
      owners: [{ uid: 'gone', kind: 'ReplicaSet', name: 'front' }],
    });
    const listed = { contents: contents('shop', [pod]) };
    const given = told([going], { ...listed, shown: began(125) });
    expect(given.status.orphaned).toEqual([idFrom('Namespace shop'), idFrom('Pod shop/stuck')]);
    expect(decided(given).does).toEqual([]);
    const after = told([going], { ...listed, shown: began(126, given.status.orphaned) });
    expect(decided(after).does).toEqual(['give up namespace shop']);
    const soon = { ...listed, shown: began(60, given.status.orphaned) };
    expect(decided(told([going], soon)).does).toEqual([]);
    expect(decided(told([going], soon, quick({ timeoutSeconds: 100 }))).does).toEqual(['give up namespace shop']);
  });

  it('does not give up a namespace with anything of anybody else in it, whoever has deleted it', () => {
    const going = seen('Namespace shop', { deletedAt: now - 130_000 });
    const theirs = seen('Secret shop/theirs', {
      labels: {},
      rendered: false,
      deletedAt: now - 130_000,
      finalizers: ['example.edu/backup'],
    });
    const shown = began(126, [idFrom('Namespace shop'), idFrom('Secret shop/theirs')]);
    expect(decided(told([going], { contents: contents('shop', [theirs]), shown })).does).toEqual([]);
  });

  it('does not give up a namespace whose content it cannot list', () => {
    const going = seen('Namespace shop', { deletedAt: now - 130_000 });
    const unread = [{ what: 'v1/Secret', status: 500, why: 'slow' }];
    const shown = began(126, [idFrom('Namespace shop')]);
    expect(decided(told([going], { contents: contents('shop', [], unread), shown })).does).toEqual([]);
    expect(decided(told([going], { shown })).does).toEqual([]);
    const unserved = [{ what: 'metrics.example.edu/v1', status: 503, why: 'stale' }];
    expect(decided(told([going], { contents: contents('shop', []), unserved, shown })).does).toEqual([]);
    expect(decided(told([space], { contents: contents('shop', []), unserved }))).toMatchObject({
      does: [],
      waits: ['namespace-unread Namespace shop'],
    });
  });

  it('ends with the list of what was let go', () => {
    const end = told([], { names: true, shown: began(20, [idFrom('ConfigMap shop/front')]) });
    expect(end.status).toMatchObject({ phase: 'Deleted', orphaned: [idFrom('ConfigMap shop/front')] });
    expect(end.events).toMatchObject([{ type: 'Warning', reason: 'Deleted' }]);
  });
});
