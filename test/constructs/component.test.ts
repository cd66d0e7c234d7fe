import { describe, expect, test } from 'vitest';
import { fieldsOf, type PlainObject } from '../../constructs/plain-object.ts';
import type { Component } from '../../src/resolve/state.ts';
import { componentWith, installationWith, objectsOf } from './instance.ts';
import { names, pick } from './sample.ts';

const stack = componentWith({ name: 'stack' });

function rendered(loaded: readonly PlainObject[], component: Component = stack, others: readonly Component[] = []) {
  const installation = installationWith([component, ...others]);
  return objectsOf({ kind: 'component', installation, component }, { loaded });
}

function object(kind: string, metadata: Record<string, unknown> = {}, rest: Record<string, unknown> = {}): PlainObject {
  return { apiVersion: 'v1', kind, metadata: { name: 'thing', ...metadata }, ...rest } as PlainObject;
}

function annotationsOf({ metadata }: PlainObject) {
  return fieldsOf(metadata.annotations);
}

function waveOf(found: PlainObject) {
  return annotationsOf(found)['argocd.argoproj.io/sync-wave'];
}

describe('namespaces', () => {
  test.each<[string, PlainObject, string | undefined]>([
    ['a namespaced kind gets the component’s', object('ConfigMap'), 'monitoring'],
    ['one of its own stays', object('ConfigMap', { namespace: 'other' }), 'other'],
    ['a cluster-scoped kind has none', object('ClusterRole', { namespace: 'other' }), undefined],
    ['nor has one of ours', { ...object('MaintenanceBlock'), apiVersion: 'quiesce.dev/v1alpha1' }, undefined],
    ['an unknown kind is taken for namespaced', { ...object('Probe'), apiVersion: 'example.com/v1' }, 'monitoring'],
    [
      'unless its author says otherwise',
      { ...object('Probe', { namespace: '' }), apiVersion: 'example.com/v1' },
      undefined,
    ],
  ])('%s', (_name, loaded, namespace) => {
    expect(pick(rendered([loaded]), loaded.kind).metadata.namespace).toBe(namespace);
  });

  test.each(['Cluster', 'Namespaced'])('a kind that the component defines itself is known to be %s', (scope) => {
    const crd = object(
      'CustomResourceDefinition',
      {},
      { spec: { group: 'example.com', scope, names: { kind: 'Probe' } } },
    );
    const probe = { ...object('Probe'), apiVersion: 'example.com/v1' };
    const namespace = scope === 'Cluster' ? undefined : 'monitoring';
    expect(pick(rendered([probe, crd]), 'Probe').metadata.namespace).toBe(namespace);
  });

  test('the first component in a namespace brings it along', () => {
    const later = componentWith({ name: 'later', wave: 1 });
    expect(names(rendered([], stack, [later]))).toEqual(['Namespace/monitoring']);
    expect(names(rendered([], later, [stack]))).toEqual([]);
  });

  test('unless it is among the manifests, or is one of Kubernetes’ own', () => {
    expect(names(rendered([object('Namespace', { name: 'monitoring' })]))).toEqual(['Namespace/monitoring']);
    for (const namespace of ['default', 'kube-system', 'kube-public']) {
      expect(names(rendered([], componentWith({ name: 'stack', namespace })))).toEqual([]);
    }
  });
});

describe('what is laid over', () => {
  test('labels by which the sidecar finds it, on the object only', () => {
    const template = { metadata: { labels: { app: 'a' } } };
    const spec = { selector: { matchLabels: { app: 'a' } }, template };
    const loaded = object('Deployment', { labels: { 'app.kubernetes.io/managed-by': 'Helm' } }, { spec });
    const deployment = pick(rendered([loaded]), 'Deployment');
    expect(deployment.metadata.labels).toEqual({
      'app.kubernetes.io/managed-by': 'Helm',
      'quiesce.dev/installation': 'monitoring',
      'quiesce.dev/component': 'stack',
    });
    expect(deployment.spec).toEqual(spec);
  });

  test('everything is protected: pruning is never how an installation is removed', () => {
    const kinds = ['Namespace', 'ConfigMap', 'Deployment', 'ClusterRole'];
    const objects = rendered(kinds.slice(1).map((kind) => object(kind)));
    expect(objects.map(({ kind }) => kind)).toEqual(kinds);
    for (const found of objects) {
      expect(annotationsOf(found)).toMatchObject({
        'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
        'kustomize.toolkit.fluxcd.io/prune': 'disabled',
      });
    }
  });

  test.each([
    ['ServerSideApply=true', 'ServerSideApply=true,Prune=false,Delete=false'],
    ['Prune=true, Replace=true', 'Replace=true,Prune=false,Delete=false'],
    ['Delete=confirm', 'Prune=false,Delete=false'],
    ['', 'Prune=false,Delete=false'],
  ])('sync options %j become %j', (own, merged) => {
    const loaded = object('ConfigMap', { annotations: { 'argocd.argoproj.io/sync-options': own } });
    const found = pick(rendered([loaded]), 'ConfigMap');
    expect(annotationsOf(found)['argocd.argoproj.io/sync-options']).toBe(merged);
  });

  test('what only a cluster writes is left out', () => {
    const found = pick(
      rendered([object('ConfigMap', { creationTimestamp: null }, { status: {}, data: { a: '1' } })]),
      'ConfigMap',
    );
    expect(Object.keys(found)).toEqual(['apiVersion', 'kind', 'metadata', 'data']);
    expect(Object.keys(found.metadata)).not.toContain('creationTimestamp');
  });
});

describe('sync waves', () => {
  const hook = (when: string, weight: string) => ({
    annotations: { 'helm.sh/hook': when, 'helm.sh/hook-weight': weight },
  });
  const own = (wave: string) => ({ annotations: { 'argocd.argoproj.io/sync-wave': wave } });
  test.each<[string, number, PlainObject, string]>([
    ['the component’s', 0, object('ConfigMap'), '0'],
    ['the component’s', 3, object('ConfigMap'), '3000'],
    ['its author’s is a place within', 3, object('ConfigMap', own('-5')), '2995'],
    ['however far that is', 3, object('ConfigMap', own('100000')), '3350'],
    ['one that is no number counts as none', 3, object('ConfigMap', own('first')), '3000'],
    ['CRDs come first', 3, object('CustomResourceDefinition', own('7')), '2550'],
    ['then hooks before', 3, object('Job', hook('pre-install,pre-upgrade', '-5')), '2595'],
    ['hooks after come last', 3, object('Job', hook('post-install', '99')), '3435'],
  ])('%s: wave %i', (_name, wave, loaded, expected) => {
    expect(waveOf(pick(rendered([loaded], componentWith({ name: 'stack', wave })), loaded.kind))).toBe(expected);
  });

  test('no object of a component comes before any of the one it depends on', () => {
    const latest = object('Job', hook('post-install', '1000'));
    const earliest = object('Namespace');
    const before = Number(waveOf(pick(rendered([latest]), 'Job')));
    const after = Number(
      waveOf(pick(rendered([earliest], componentWith({ name: 'stack', wave: 1 })), 'Namespace', 'thing')),
    );
    expect(after).toBeGreaterThan(before);
  });
});

describe('hooks of charts', () => {
  const job = (when: string, spec: Record<string, unknown> = {}) =>
    object(
      'Job',
      { annotations: { 'helm.sh/hook': when, 'helm.sh/hook-delete-policy': 'before-hook-creation' } },
      { spec },
    );

  test.each(['pre-delete', 'post-delete', 'pre-rollback', 'test', 'test-success', 'pre-delete, post-delete'])(
    '%s: left out, since an applier of plain manifests would run it at install',
    (when) => {
      expect(rendered([job(when)]).map(({ kind }) => kind)).toEqual(['Namespace']);
    },
  );

  test.each(['pre-install', 'post-upgrade', 'pre-install,pre-delete', 'crd-install'])(
    '%s: stays, as no hook any more',
    (when) => {
      const found = pick(rendered([job(when)]), 'Job');
      expect(Object.keys(annotationsOf(found)).filter((key) => key.startsWith('helm.sh/'))).toEqual([]);
    },
  );

  test('a Job is named after its content, keeps no time to live, and may be pruned', () => {
    const name = (spec: Record<string, unknown>) => pick(rendered([job('post-install', spec)]), 'Job').metadata.name;
    expect(name({ backoffLimit: 1 })).toMatch(/^thing-[0-9a-f]{10}$/);
    expect(name({ backoffLimit: 1 })).toBe(name({ backoffLimit: 1, ttlSecondsAfterFinished: 60 }));
    expect(name({ backoffLimit: 1 })).not.toBe(name({ backoffLimit: 2 }));
    const found = pick(rendered([job('post-install', { ttlSecondsAfterFinished: 60 })]), 'Job');
    expect(found.spec).toEqual({});
    expect(annotationsOf(found)).toEqual({ 'argocd.argoproj.io/sync-wave': '400' });
  });

  test('what a hook needs is protected like everything else', () => {
    const account = object('ServiceAccount', { annotations: { 'helm.sh/hook': 'pre-install' } });
    const found = pick(rendered([account]), 'ServiceAccount');
    expect(found.metadata.name).toBe('thing');
    expect(annotationsOf(found)['kustomize.toolkit.fluxcd.io/prune']).toBe('disabled');
  });
});
