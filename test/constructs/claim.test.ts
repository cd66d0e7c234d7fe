import { describe, expect, test } from 'vitest';
import { applyOrder } from '../../constructs/object-ids.ts';
import type { PlainObject } from '../../constructs/plain-object.ts';
import type { BackingStore } from '../../src/resolve/state.ts';
import { claimWith, names, pick, render } from './sample.ts';

const common = [
  'Namespace/vcluster-ada',
  'ServiceAccount/vc-ada',
  'ServiceAccount/vc-workload-ada',
  'Secret/vc-config-ada',
  'Role/vc-ada',
  'RoleBinding/vc-ada',
  'Service/ada',
];
const workloads: Record<BackingStore, readonly string[]> = {
  embeddedDatabase: ['Service/ada-headless', 'StatefulSet/ada'],
  embeddedEtcd: ['Service/ada-headless', 'StatefulSet/ada'],
  deployedEtcd: ['Service/ada-etcd', 'Service/ada-etcd-headless', 'Deployment/ada', 'StatefulSet/ada-etcd'],
  externalDatabase: ['Deployment/ada'],
};
const stores = Object.keys(workloads) as BackingStore[];

describe.each(stores)('a claim with %s', (backingStore) => {
  const running = render(claimWith({ backingStore, replicas: 3 }));

  test.each(['Running', 'Sleeping'] as const)('%s: renders its objects in the order to apply them in', (state) => {
    const objects = render(claimWith({ backingStore, state }));
    expect(names(objects)).toEqual([...common, ...workloads[backingStore], 'Ingress/ada', 'VClusterClaim/ada']);
    expect(objects.map(({ kind }) => applyOrder(kind))).toEqual(
      objects.map(({ kind }) => applyOrder(kind)).sort((a, b) => a - b),
    );
  });

  test('without exposure there is no Ingress, and nothing else changes but the claim resource', () => {
    const { exposure: _, ...hidden } = claimWith({ backingStore, replicas: 3 });
    const objects = render(hidden);
    const others = (all: readonly PlainObject[]) =>
      all.filter(({ kind }) => kind !== 'Ingress' && kind !== 'VClusterClaim');
    expect(names(objects)).not.toContain('Ingress/ada');
    expect(others(objects)).toEqual(others(running));
    expect(pick(objects, 'VClusterClaim').spec).not.toHaveProperty('host');
  });

  test('deleted, only the claim resource is rendered, unprotected, naming all that has to go', () => {
    const [claim, ...others] = render(claimWith({ backingStore, replicas: 3, state: 'Deleted' }));
    expect(others).toEqual([]);
    expect(claim?.metadata.annotations).toBeUndefined();
    const { objects } = pick(running, 'VClusterClaim').spec as { objects: unknown };
    expect(claim?.spec).toMatchObject({ state: 'Deleted', objects });
    expect(objects).toHaveLength(running.length - 1);
  });

  test('every selector finds the pods that it is for', () => {
    for (const service of running.filter(({ kind }) => kind === 'Service')) {
      const { selector } = service.spec as { selector: unknown };
      expect(podLabelsOf(running)).toContainEqual(selector);
    }
  });
});

function podLabelsOf(objects: readonly PlainObject[]): unknown[] {
  return objects
    .filter(({ kind }) => kind === 'StatefulSet' || kind === 'Deployment')
    .map(({ spec }) => (spec as unknown as { template: { metadata: { labels: unknown } } }).template.metadata.labels);
}

describe('protection from pruning', () => {
  const both = {
    'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
    'kustomize.toolkit.fluxcd.io/prune': 'disabled',
  };

  test('is on everything whose loss loses data or orphans work, for both appliers', () => {
    const objects = render(
      claimWith({ backingStore: 'deployedEtcd', hostSync: ['nodes'], quota: { pods: '10' }, limits: someLimits }),
    );
    const unprotected = objects.filter(({ metadata }) => metadata.annotations === undefined).map(({ kind }) => kind);
    expect(unprotected).toEqual(['ResourceQuota', 'LimitRange', 'ClusterRole', 'ClusterRoleBinding']);
    for (const object of objects.filter(({ kind }) => !['Ingress', ...unprotected].includes(kind))) {
      expect(object.metadata.annotations, object.kind).toMatchObject(both);
    }
  });

  test('cannot be taken or given by what people write in the metadata', () => {
    const annotations = { 'argocd.argoproj.io/sync-options': 'Prune=true', purpose: 'exam' };
    const running = pick(render(claimWith({ annotations })), 'VClusterClaim');
    const deleted = pick(render(claimWith({ annotations, state: 'Deleted' })), 'VClusterClaim');
    expect(running.metadata.annotations).toEqual({ ...both, purpose: 'exam' });
    expect(deleted.metadata.annotations).toEqual({ purpose: 'exam' });
  });
});

const someLimits = { default: { cpu: '1' }, defaultRequest: { memory: '64Mi' } };

describe('the claim resource', () => {
  test('is cluster-scoped and holds the claim as it was resolved', () => {
    const claim = pick(
      render(claimWith({ labels: { course: 'db' }, schedules: [{ sleep: '0 20 * * *', timeZone: 'UTC' }] })),
      'VClusterClaim',
    );
    expect(claim.metadata).not.toHaveProperty('namespace');
    expect(claim.metadata.labels).toEqual({ course: 'db', 'quiesce.dev/claim': 'ada' });
    const { objects, ...spec } = claim.spec as Record<string, unknown>;
    expect(spec).toEqual({
      state: 'Running',
      cluster: 'lab',
      namespace: 'vcluster-ada',
      owners: [{ name: 'Ada Lovelace', email: 'ada@example.edu' }],
      version: '0.30.1',
      replicas: 1,
      backingStore: 'embeddedDatabase',
      host: 'ada.apps.example.edu',
      service: 'http-x-default-x-ada',
      expiry: { after: 7_776_000, grace: 5_184_000 },
      schedules: [{ sleep: '0 20 * * *', timeZone: 'UTC' }],
      protected: false,
    });
    expect(objects).toEqual([
      { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', namespace: 'vcluster-ada', name: 'ada' },
      { apiVersion: 'v1', kind: 'Service', namespace: 'vcluster-ada', name: 'ada' },
      { apiVersion: 'v1', kind: 'Service', namespace: 'vcluster-ada', name: 'ada-headless' },
      { apiVersion: 'apps/v1', kind: 'StatefulSet', namespace: 'vcluster-ada', name: 'ada' },
      { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', namespace: 'vcluster-ada', name: 'vc-ada' },
      { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', namespace: 'vcluster-ada', name: 'vc-ada' },
      { apiVersion: 'v1', kind: 'Secret', namespace: 'vcluster-ada', name: 'vc-config-ada' },
      { apiVersion: 'v1', kind: 'ServiceAccount', namespace: 'vcluster-ada', name: 'vc-ada' },
      { apiVersion: 'v1', kind: 'ServiceAccount', namespace: 'vcluster-ada', name: 'vc-workload-ada' },
      { apiVersion: 'v1', kind: 'Namespace', name: 'vcluster-ada' },
    ]);
  });

  test('says that it never expires', () => {
    expect(pick(render(claimWith({ expiry: 'Never' })), 'VClusterClaim').spec).toMatchObject({
      expiry: { never: true },
    });
  });
});
