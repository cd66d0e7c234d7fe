import { describe, expect, it } from 'vitest';
import { rehearseRemovals } from '../../../src/rehearsal/uninstall/removals.ts';
import { claim } from '../../sidecar/claims/observed.ts';
import { componentSpec, installation } from '../../sidecar/installations/installed.ts';
import { hook, labelsOf, seen } from '../../sidecar/uninstall/seen.ts';
import { deleting, hash, names, pod, rehearsed, snapshot } from './scenes.ts';

const namespace = seen('Namespace shop');
const owned = (owner: string) => ({ owners: [{ uid: owner, kind: 'Any', name: 'any' }], labels: {}, rendered: false });

describe('an installation that is deleted', () => {
  it('goes with its namespace, what it owns with it, workloads before configuration', () => {
    const { deleted, kept, ends, blockers } = deleting({
      objects: [
        namespace,
        seen('ConfigMap shop/front'),
        seen('Deployment shop/web'),
        seen('ReplicaSet shop/web-1', owned('Deployment shop/web')),
      ],
      pods: [
        pod('web-1-a', {
          graceSeconds: 5,
          owner: { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-1', uid: 'ReplicaSet shop/web-1' },
        }),
      ],
    });
    expect(names(deleted)).toEqual([
      'Deployment web',
      'ConfigMap front',
      'Namespace shop',
      'Pod web-1-a',
      'ReplicaSet web-1',
    ]);
    expect(deleted.map(({ how }) => how)).toEqual(['order', 'order', 'order', 'owner', 'owner']);
    expect({ kept, ends, blockers }).toEqual({ kept: [], ends: 'Deleted', blockers: [] });
  });

  it('leaves a namespace that holds something of somebody else, and says what', () => {
    const { deleted, kept, ends } = deleting({
      objects: [
        namespace,
        seen('ConfigMap shop/front'),
        seen('ConfigMap shop/theirs', { labels: {}, rendered: false }),
      ],
    });
    expect(names(deleted)).toEqual(['ConfigMap front']);
    expect(ends).toBe('Deleted');
    expect(kept).toEqual([
      {
        apiVersion: 'v1',
        kind: 'Namespace',
        name: 'shop',
        why: 'not-empty',
        holds: [{ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'theirs' }],
      },
    ]);
  });

  it('keeps what a policy keeps, and data', () => {
    const { kept } = deleting({
      objects: [
        namespace,
        seen('Secret shop/key', { resourcePolicy: 'keep' }),
        seen('PersistentVolumeClaim shop/data'),
      ],
    });
    expect(kept.map(({ kind, why }) => `${kind} ${why}`)).toEqual([
      'Namespace not-empty',
      'PersistentVolumeClaim policy',
      'Secret policy',
    ]);
  });

  it('stops at a finalizer, and tells what goes once it is released', () => {
    const { deleted, later, blockers, ends, takes } = deleting({
      objects: [
        namespace,
        seen('Deployment shop/web', { finalizers: ['example.com/hold'] }),
        seen('ConfigMap shop/front'),
      ],
    });
    expect(names(deleted)).toEqual([]);
    expect(names(later ?? [])).toEqual(['Deployment web', 'ConfigMap front', 'Namespace shop']);
    expect(blockers).toMatchObject([
      { code: 'finalizer', finalizer: 'example.com/hold', forEver: true, who: 'controller' },
    ]);
    expect({ ends, takes }).toEqual({ ends: 'Deleting', takes: { from: null, to: null } });
  });

  it('goes component by component, each after those that need it, with its hooks', () => {
    const components = [
      componentSpec('back', { objects: [] }),
      componentSpec('front', {
        dependsOn: ['back'],
        objects: [],
        deletion: { ...componentSpec('front').deletion, preDelete: [hook('drain', { timeoutSeconds: 50 })] },
      }),
    ];
    const { deleted, hooks, takes } = deleting(
      { objects: [namespace, seen('ConfigMap shop/b', { labels: labelsOf('back') }), seen('ConfigMap shop/f')] },
      { components },
    );
    expect(deleted.map(({ name, component }) => [name, component])).toEqual([
      ['f', 'front'],
      ['b', 'back'],
      ['shop', undefined],
    ]);
    expect(hooks).toEqual([{ component: 'front', name: 'drain' }]);
    expect(takes.from).toBeLessThan(10);
    expect(takes.to).toBeGreaterThan(50);
  });

  it('takes what a sweep selects', () => {
    const sweep = { apiGroups: [''], kinds: ['Secret'], selector: 'made-by in (front, back),!keep' };
    const components = [componentSpec('front', { deletion: { ...componentSpec('front').deletion, sweep: [sweep] } })];
    const made = (name: string, labels: Record<string, string>) =>
      seen(`Secret far/${name}`, { labels, rendered: false });
    const { deleted } = deleting(
      { objects: [made('a', { 'made-by': 'front' }), made('b', { 'made-by': 'front', keep: 'yes' }), made('c', {})] },
      { components },
    );
    expect(names(deleted)).toEqual(['Secret a']);
  });

  it('leaves a definition whose resources are not to go', () => {
    const widget = seen('Widget theirs/one', { labels: {}, rendered: false });
    const { deleted, blockers } = deleting({
      objects: [seen('CustomResourceDefinition widgets.shop.example.edu'), widget],
    });
    expect(deleted).toEqual([]);
    expect(blockers).toMatchObject([{ code: 'instances-left', object: { name: 'one' }, forEver: true }]);
  });

  it('takes the API service of a group with the last definition of it', () => {
    const kept = { labels: { 'kube-aggregator.kubernetes.io/automanaged': 'true' }, rendered: false };
    const service = seen('APIService v1.shop.example.edu', kept);
    const widgets = seen('CustomResourceDefinition widgets.shop.example.edu');
    const theirs = seen('CustomResourceDefinition gadgets.shop.example.edu', { labels: {}, rendered: false });
    const kinds = ['widgets', 'gadgets'].map((plural) => {
      return { apiVersion: 'shop.example.edu/v1', kind: plural, plural, namespaced: true, deletable: true };
    });
    expect(deleting({ kinds, objects: [widgets, service] }).deleted).toMatchObject([
      { kind: 'CustomResourceDefinition', how: 'order' },
      { kind: 'APIService', how: 'owner' },
    ]);
    expect(deleting({ kinds, objects: [widgets, theirs, service] }).deleted).toHaveLength(1);
  });

  it('loses what git does not list any more while the rest stays', () => {
    const [only] = rehearsed(
      { installations: [installation()], objects: [seen('ConfigMap shop/front'), seen('ConfigMap shop/old')] },
      { installations: [{ name: 'shop', spec: installation().spec }] },
    );
    expect(only).toMatchObject({ isPartial: true, deleted: [{ name: 'old', how: 'order' }] });
  });

  it('is not heard of where the cluster has no resource of it', () => {
    const { spec } = installation({ state: 'Deleted' });
    const none = rehearseRemovals(snapshot(), { claims: [], installations: [{ name: 'shop', spec }] }, hash);
    expect(none).toEqual({ uninstalls: [], sleeps: [], unknown: ['Installation shop'] });
  });
});

const ours = { 'quiesce.dev/claim': 'ada' };
const of = (text: string, differs = {}) => seen(text, { labels: ours, ...differs });
const controlPlane = { app: 'vcluster', release: 'ada' };
const statefulSet = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'ada', uid: 'StatefulSet vcluster-ada/ada' };
const replica = (ordinal: number, differs = {}) =>
  pod(`ada-${ordinal}`, {
    namespace: 'vcluster-ada',
    uid: `ada-${ordinal}`,
    labels: controlPlane,
    owner: statefulSet,
    ...differs,
  });
const synced = (name: string, differs = {}) =>
  pod(name, { namespace: 'vcluster-ada', uid: name, labels: { 'vcluster.loft.sh/managed-by': 'ada' }, ...differs });
const cluster = {
  claims: [claim()],
  objects: [of('Namespace vcluster-ada'), of('StatefulSet vcluster-ada/ada'), of('Service vcluster-ada/ada')],
  claimWorkloads: [
    {
      namespace: 'vcluster-ada',
      kind: 'StatefulSet' as const,
      name: 'ada',
      part: 'control-plane' as const,
      generation: 1,
      observedGeneration: 1,
      replicas: 2,
      observed: 2,
      ready: 2,
      isMarkedAsleep: false,
      isPaused: false,
    },
  ],
  pods: [replica(0), replica(1), synced('web')],
};
const wanted = (state: 'Sleeping' | 'Deleted') => ({
  installations: [],
  claims: [{ name: 'ada', spec: claim({ state }).spec }],
});

describe('a claim', () => {
  it('that is put to sleep stops its control plane, then loses the pods that it has synced', () => {
    const { sleeps } = rehearseRemovals(snapshot(cluster), wanted('Sleeping'), hash);
    expect(sleeps).toMatchObject([
      {
        claim: 'ada',
        stopped: [{ name: 'ada-1' }, { name: 'ada-0' }],
        deleted: [{ name: 'web' }],
        blockers: [],
      },
    ]);
    const [{ takes } = { takes: { from: 0, to: 0 } }] = sleeps;
    expect(takes.from).toBeGreaterThanOrEqual(20);
    expect(takes.to).toBeGreaterThanOrEqual(20 + 3 * 30);
  });

  it('that cannot sleep says which pod is held', () => {
    const held = { ...cluster, pods: [synced('web', { finalizers: ['example.com/hold'] })] };
    const [sleep] = rehearseRemovals(snapshot(held), wanted('Sleeping'), hash).sleeps;
    expect(sleep).toMatchObject({
      takes: { from: null, to: null },
      deleted: [],
      blockers: [{ code: 'finalizer', finalizer: 'example.com/hold', forEver: true }],
    });
  });

  it('that is deleted goes whole', () => {
    const { uninstalls } = rehearseRemovals(snapshot(cluster), wanted('Deleted'), hash);
    expect(uninstalls).toMatchObject([{ subject: { kind: 'VClusterClaim', name: 'ada' }, ends: 'Deleted', kept: [] }]);
    expect(names(uninstalls[0]?.deleted ?? []).sort()).toEqual([
      'Namespace vcluster-ada',
      'Pod ada-0',
      'Pod ada-1',
      'Pod web',
      'Service ada',
      'StatefulSet ada',
    ]);
  });

  it('of which nothing changes is not told of', () => {
    const same = { installations: [], claims: [{ name: 'ada', spec: claim().spec }] };
    expect(rehearseRemovals(snapshot(cluster), same, hash)).toEqual({ uninstalls: [], sleeps: [], unknown: [] });
  });
});
