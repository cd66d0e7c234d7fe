import { describe, expect, it } from 'vitest';
import { carryOver, type Deeds, type LastLook } from '../../../src/sidecar/uninstall/carry-over.ts';
import type { SeenObject } from '../../../src/sidecar/uninstall/observation.ts';
import type { UninstallPlan } from '../../../src/sidecar/uninstall/plan.ts';
import { component, decide, hook, now, observation, plan, seen } from './seen.ts';

const one = plan([component('front')]);

interface Told {
  readonly gone?: readonly SeenObject[];
  readonly going?: readonly SeenObject[];
  readonly isPlain?: boolean;
  readonly of?: UninstallPlan;
  readonly at?: number;
  readonly last?: Partial<LastLook['look']>;
}

function carried(objects: readonly SeenObject[], told: Told = {}) {
  const uids = (all: readonly SeenObject[] = []) => new Set(all.map(({ uid }) => uid));
  const deeds: Deeds = { gone: uids(told.gone), going: uids(told.going), isPlain: told.isPlain ?? true };
  const look = { objects, unread: [], jobs: [], releases: [], ...told.last };
  const result = carryOver(told.at ?? now, told.of ?? one, { last: { look, wholeAt: now }, deeds });
  return result && { objects: result.objects.map(({ uid }) => uid), asks: [...result.kinds].sort() };
}

describe('after nothing but deletions that were granted', () => {
  const deployment = seen('Deployment shop/front');
  const service = seen('Service shop/front');
  const role = seen('Role shop/front');

  it('what is gone is not asked for, nor what nobody has touched', () => {
    expect(carried([service, role], { gone: [service] })).toEqual({ objects: ['Role shop/front'], asks: [] });
  });

  it('what is on its way out is asked for, and all of its kind', () => {
    const other = seen('Deployment shop/other');
    expect(carried([deployment, other, role], { going: [deployment] })).toEqual({
      objects: ['Role shop/front'],
      asks: ['apps/Deployment'],
    });
    const leaving = seen('Deployment shop/front', { deletedAt: now });
    expect(carried([leaving, role])?.asks).toEqual(['apps/Deployment']);
  });

  it('so is what goes along with it: by its owner or its namespace', () => {
    const owners = [{ uid: deployment.uid, kind: 'Deployment', name: 'front' }];
    const replicas = seen('ReplicaSet shop/front', { owners });
    const pod = seen('Pod shop/front', { owners: [{ uid: replicas.uid, kind: 'ReplicaSet', name: 'front' }] });
    expect(carried([deployment, replicas, pod, role], { gone: [deployment] })?.asks).toEqual([
      '/Pod',
      'apps/ReplicaSet',
    ]);
    expect(carried([seen('Namespace shop', { deletedAt: now }), role])?.asks).toEqual([
      '/Namespace',
      'rbac.authorization.k8s.io/Role',
    ]);
  });

  it('while operators are at work, what they may have made is asked for as well', () => {
    expect(carried([seen('Widget shop/main'), role])).toEqual({
      objects: ['Role shop/front'],
      asks: ['/PersistentVolumeClaim', 'shop.example.edu/Widget'],
    });
  });
});

describe('everything is asked for', () => {
  const role = seen('Role shop/front');
  const unread = [{ what: 'v1/Secret', status: 500, why: 'etcd is slow' }];
  const release = {
    namespace: 'shop',
    name: 'front',
    revision: 1,
    at: now,
    status: 'deployed',
    objects: [],
    hooks: [],
  };

  it.each<readonly [string, Told]>([
    ['something else was done, or refused', { isPlain: false }],
    ['the look before did not see everything', { last: { unread } }],
    ['Helm may be at work', { last: { releases: [release] } }],
    [
      'Jobs of others may be at work',
      { of: plan([component('front', { hooks: { preDelete: [hook('first')], delete: [], postDelete: [] } })]) },
    ],
    ['finalizers may be dropped', { of: plan([component('front')], { strategy: 'Quick' }) }],
    ['it was long ago', { at: now + 20_000 }],
  ])('when %s', (_, told) => {
    expect(carried([role])).toBeDefined();
    expect(carried([role], told)).toBeUndefined();
  });
});

it('what was not asked for again is deleted only if it still is as it was seen', () => {
  const role = seen('Role shop/front', { resourceVersion: '41' });
  const fences = (object: SeenObject) =>
    decide(one, observation([object], { depth: 'narrow' })).actions.map((action) =>
      action.kind === 'delete' ? [action.uid, action.resourceVersion] : action.kind,
    );
  expect(fences(role)).toEqual([[role.uid, undefined]]);
  expect(fences({ ...role, isCarried: true })).toEqual([[role.uid, '41']]);
});
