import { describe, expect, test } from 'vitest';
import { controlPlaneWorkloads, overlayChart } from '../../constructs/chart-claim.ts';
import type { PlainData, PlainObject } from '../../constructs/plain-object.ts';
import type { Claim } from '../../src/resolve/state.ts';
import { claimWith, names, pick, propsOf } from './sample.ts';

const labels = (app: string) => ({ app, release: 'ada', chart: 'vcluster-0.25.0', heritage: 'Helm' });

/** As `helm template` gives them: no namespace on some, in no useful order. */
const chart: readonly PlainData[] = [
  {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'ada-etcd', labels: labels('vcluster-etcd') },
    spec: { replicas: 3, template: { spec: {} } },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'ada', namespace: 'vcluster-ada', labels: labels('vcluster'), annotations: { own: 'kept' } },
    spec: { replicas: 2, template: { metadata: { annotations: { vClusterConfigHash: 'ff' } } } },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'extra', labels: { app: 'extra' } },
    spec: { replicas: 4 },
  },
  { apiVersion: 'v1', kind: 'Service', metadata: { name: 'ada', labels: labels('vcluster') }, spec: {} },
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'vc-config-ada' }, type: 'Opaque', data: {} },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'vc-coredns-ada' }, data: {} },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'vc-ada-v-vcluster-ada' },
    rules: [],
  },
];

const laidOver = (changes: Partial<Claim> = {}, objects = chart) => overlayChart(objects, propsOf(claimWith(changes)));

describe('over the objects of a chart', () => {
  test('come the namespace, the exposure and the claim, in the order to apply them in', () => {
    expect(names(laidOver())).toEqual([
      'Namespace/vcluster-ada',
      'Secret/vc-config-ada',
      'ConfigMap/vc-coredns-ada',
      'ClusterRole/vc-ada-v-vcluster-ada',
      'Service/ada',
      'Deployment/ada',
      'Deployment/extra',
      'StatefulSet/ada-etcd',
      'Ingress/ada',
      'VClusterClaim/ada',
    ]);
  });

  test('every namespaced object is put into the namespace, every object is labelled', () => {
    for (const { kind, metadata } of laidOver().filter(({ kind }) => kind !== 'Ingress')) {
      const scoped = ['Namespace', 'ClusterRole', 'VClusterClaim'].includes(kind);
      expect(metadata.namespace, kind).toBe(scoped ? undefined : 'vcluster-ada');
      expect(metadata.labels, kind).toMatchObject({ 'quiesce.dev/claim': 'ada' });
    }
  });

  test('protection is laid where loss would hurt, and nowhere else', () => {
    const isProtected = ({ metadata }: PlainObject) => JSON.stringify(metadata).includes('Prune=false');
    expect(names(laidOver().filter(isProtected))).toEqual([
      'Namespace/vcluster-ada',
      'Secret/vc-config-ada',
      'Service/ada',
      'Deployment/ada',
      'StatefulSet/ada-etcd',
      'VClusterClaim/ada',
    ]);
  });

  test('sleep scales the control plane and its etcd, keeps the chart’s counts, and leaves the pods’ template', () => {
    const [awake, asleep] = [laidOver(), laidOver({ state: 'Sleeping' })];
    expect(pick(asleep, 'Deployment', 'ada')).toMatchObject({
      metadata: {
        annotations: { own: 'kept', 'plethos.cs.hm.edu/scaled-down-replicas': '2', 'loft.sh/paused': 'true' },
      },
      spec: { replicas: 0, template: { metadata: { annotations: { vClusterConfigHash: 'ff' } } } },
    });
    expect(pick(asleep, 'StatefulSet')).toMatchObject({
      metadata: { annotations: { 'plethos.cs.hm.edu/scaled-down-replicas': '3' } },
      spec: { replicas: 0 },
    });
    expect(pick(asleep, 'Deployment', 'extra')).toEqual(pick(awake, 'Deployment', 'extra'));
    expect(pick(awake, 'Deployment', 'ada').spec).toMatchObject({ replicas: 2 });
    expect(pick(asleep, 'VClusterClaim').spec).toMatchObject({ state: 'Sleeping', replicas: 2 });
  });

  test('a deletion leaves the claim alone, with everything that has to go', () => {
    const [claim, ...others] = laidOver({ state: 'Deleted' });
    expect(others).toEqual([]);
    expect(claim?.spec).toMatchObject({ objects: (pick(laidOver(), 'VClusterClaim').spec as PlainData).objects });
  });

  test('a chart’s own namespace object is used', () => {
    const own = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'vcluster-ada', labels: { own: 'kept' } } };
    const namespaces = laidOver({}, [...chart, own]).filter(({ kind }) => kind === 'Namespace');
    expect(namespaces).toHaveLength(1);
    expect(namespaces[0]?.metadata.labels).toEqual({ own: 'kept', 'quiesce.dev/claim': 'ada' });
  });
});

test('a chart without vCluster’s workloads is told apart', () => {
  expect(controlPlaneWorkloads(chart, 'ada').map(({ metadata }) => metadata.name)).toEqual(['ada-etcd', 'ada']);
  expect(controlPlaneWorkloads(chart, 'bob')).toEqual([]);
});
