import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findLeftovers } from '../../../src/sidecar/leftovers/find.ts';
import type { LeftoversObservation, SeenObject } from '../../../src/sidecar/leftovers/observation.ts';

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

function object(
  kind: string,
  name: string,
  labels: Record<string, string>,
  differs: Partial<SeenObject> = {},
): SeenObject {
  return {
    apiVersion: 'v1',
    kind,
    namespace: 'vcluster-ada',
    name,
    createdAt: '2026-03-01T12:00:00Z',
    labels,
    isControlled: false,
    isNamedByController: false,
    writers: {},
    ...differs,
  };
}

const { namespace: _, ...cluster } = object('PriorityClass', 'high', {
  'vcluster.loft.sh/managed-by': 'vcluster-ada-x-ada',
});
const { namespace: __, ...place } = object('Namespace', 'vcluster-ada', { 'quiesce.dev/claim': 'ada' });
const data = object('PersistentVolumeClaim', 'data-ada-2', { app: 'vcluster', release: 'ada' });
const synced = object('PersistentVolumeClaim', 'files', { 'vcluster.loft.sh/managed-by': 'ada' });

function found(differs: Partial<LeftoversObservation>): string[] {
  const observation = {
    claims: [],
    installations: [],
    controlPlanes: [],
    objects: [],
    callers: [],
    services: [],
    unread: [],
    ...differs,
  };
  return findLeftovers(observation, hash).map(({ code, object: { kind, name } }) => `${code} ${kind} ${name}`);
}

describe('what is left of virtual clusters', () => {
  const objects = [cluster, place, data, synced];

  it('is everything of one that is gone: namespace, every ordinal of a volume, synced objects of any scope', () => {
    expect(found({ objects })).toEqual([
      'namespace-of-gone-claim Namespace vcluster-ada',
      'object-of-gone-claim PriorityClass high',
      'volume-of-gone-claim PersistentVolumeClaim data-ada-2',
      'volume-of-gone-claim PersistentVolumeClaim files',
    ]);
  });

  it.each<[string, Partial<LeftoversObservation>]>([
    ['a claim asks for', { claims: ['ada'] }],
    ['somebody else runs, asleep or not', { controlPlanes: [{ namespace: 'vcluster-ada', name: 'ada' }] }],
  ])('is nothing of one that %s', (_, differs) => {
    expect(found({ objects, ...differs })).toEqual([]);
  });

  it('is not what a living one has synced into a namespace that it has made', () => {
    const marked = { 'vcluster.loft.sh/managed-by': 'vcluster-ada-x-ada' };
    const { namespace: ___, ...copy } = object('Namespace', 'copied', marked);
    const inside = object('Secret', 'login', { 'vcluster.loft.sh/managed-by': 'ada' }, { namespace: 'copied' });
    expect(found({ objects: [copy, inside], claims: ['ada'] })).toEqual([]);
    expect(found({ objects: [copy, inside] })).toEqual([
      'namespace-of-gone-claim Namespace copied',
      'object-of-gone-claim Secret login',
    ]);
    expect(found({ objects: [inside], claims: ['ada'] })).toHaveLength(1);
  });

  it('one of the same name elsewhere does not count', () => {
    expect(found({ objects: [data], controlPlanes: [{ namespace: 'other', name: 'ada' }] })).toHaveLength(1);
  });

  it('a copied label of a claim that is there is nobody’s leftover', () => {
    const copy = object('ConfigMap', 'copy', { 'quiesce.dev/claim': 'ada' }, { namespace: 'elsewhere' });
    expect(found({ objects: [copy], claims: ['ada'] })).toEqual([]);
  });
});

it('what carries the label of an installation that is gone', () => {
  const objects = [object('Service', 'web', { 'quiesce.dev/installation': 'shop' })];
  expect(found({ objects })).toEqual(['object-of-gone-installation Service web']);
  expect(found({ objects, installations: ['shop'] })).toEqual([]);
});

describe('what calls a Service that is gone', () => {
  const callers = [
    {
      apiVersion: 'v1',
      kind: 'ValidatingWebhookConfiguration',
      name: 'checks',
      createdAt: '',
      services: ['shop/hook'],
    },
    { apiVersion: 'v1', kind: 'APIService', name: 'v1.example.com', createdAt: '', services: ['shop/api'] },
    { apiVersion: 'v1', kind: 'APIService', name: 'v1.apps', createdAt: '', services: [] },
  ];

  it('is found, and what is answered is not', () => {
    expect(found({ callers, services: ['shop/api'] })).toEqual([
      'dangling-webhook ValidatingWebhookConfiguration checks',
    ]);
    expect(found({ callers })).toHaveLength(2);
  });

  it('is not told of while the Services cannot be listed', () => {
    expect(found({ callers, unread: [{ what: 'services', why: 'forbidden' }] })).toEqual([]);
  });
});

it.each<[string, Partial<SeenObject>, number]>([
  ['that a controller has made and let go', { isNamedByController: true }, 1],
  ['that a controller owns', { isNamedByController: true, isControlled: true }, 0],
  ['that somebody has made by hand', {}, 0],
  ['of the cluster itself', { isNamedByController: true, namespace: 'kube-system' }, 0],
  [
    'that a virtual cluster has synced',
    { isNamedByController: true, labels: { 'vcluster.loft.sh/managed-by': 'ada' } },
    0,
  ],
])('a pod %s', (_, differs, count) => {
  const pods = found({ objects: [object('Pod', 'web-7d4b9-x2x4z', { app: 'web' }, differs)], claims: ['ada'] });
  expect(pods).toHaveLength(count);
});

it('labels that others have put on what is rendered', () => {
  const writers = {
    'quiesce.dev/claim': ['argocd-controller'],
    app: ['argocd-controller', 'kubectl-edit'],
    team: ['kubectl-label'],
  };
  const labelled = object('Service', 'ada', { 'quiesce.dev/claim': 'ada', app: 'vcluster', team: 'red' }, { writers });
  expect(found({ objects: [labelled], claims: ['ada'] })).toEqual(['foreign-label Service ada']);
});
