import { describe, expect, it } from 'vitest';
import type { Placement } from '../../../src/rehearsal/snapshot.ts';
import { placementOf, type RawPlacement } from '../../../src/rehearsal/take/placement.ts';

const asking = (requests: Readonly<Record<string, string>>, more: object = {}) => ({
  resources: { requests },
  ...more,
});
const zone = { key: 'zone', operator: 'In', values: ['a'] };
const pinned = { key: 'metadata.name', operator: 'In', values: ['n1'] };

describe('what a scheduler reserves for a pod', () => {
  it.each<[string, RawPlacement, Placement['requests']]>([
    ['nothing', {}, {}],
    [
      'its containers together',
      { containers: [asking({ cpu: '100m' }), asking({ cpu: '1', memory: '1Gi' })] },
      { cpu: 1100, memory: 2 ** 30 },
    ],
    [
      'an init container, if that asks for more',
      { initContainers: [asking({ cpu: '2' }), asking({ cpu: '1' })], containers: [asking({ cpu: '500m' })] },
      { cpu: 2000 },
    ],
    [
      'sidecars beside its containers, and beside the init containers after them',
      {
        initContainers: [asking({ cpu: '300m' }, { restartPolicy: 'Always' }), asking({ cpu: '1' })],
        containers: [asking({ cpu: '500m' })],
      },
      { cpu: 1300 },
    ],
    [
      'what the pod as a whole asks for',
      { resources: { requests: { cpu: '3' } }, containers: [asking({ cpu: '1', memory: '1' })] },
      { cpu: 3000, memory: 1 },
    ],
    ['overhead', { containers: [asking({ cpu: '1' })], overhead: { cpu: '250m' } }, { cpu: 1250 }],
    [
      'amounts rounded up',
      { containers: [asking({ cpu: '100u', memory: '1500m', 'example.com/gpu': '2' })] },
      { cpu: 1, memory: 2, 'example.com/gpu': 2 },
    ],
  ])('is %s', (_, spec, requests) => {
    expect(placementOf(spec, { isOfDaemonSet: false }).requests).toEqual(requests);
  });
});

describe('where a pod may run', () => {
  const affine = (...terms: object[]): RawPlacement =>
    ({
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } },
    }) as RawPlacement;

  it('is by labels and by names of nodes', () => {
    const spec = affine({ matchExpressions: [zone], matchFields: [pinned] }, { matchExpressions: [zone] });
    expect(placementOf(spec, { isOfDaemonSet: false }).nodeAffinity).toEqual([
      { labels: [zone], names: [pinned] },
      { labels: [zone] },
    ]);
  });

  it('of a DaemonSet is what its template asks for, without the node that its controller has pinned it to', () => {
    const both = placementOf(affine({ matchExpressions: [zone], matchFields: [pinned] }), { isOfDaemonSet: true });
    expect(both.nodeAffinity).toEqual([{ labels: [zone] }]);
    expect(placementOf(affine({ matchFields: [pinned] }), { isOfDaemonSet: true })).toEqual({ requests: {} });
  });

  it('is by other pods, ports, an even spread, and what cannot be told', () => {
    const selector = { matchLabels: { app: 'web' } };
    const term = { topologyKey: 'zone', labelSelector: selector };
    const spec: RawPlacement = {
      schedulerName: 'gang',
      resourceClaims: [{ name: 'gpu' }],
      containers: [{ ports: [{ hostPort: 80 }, { hostPort: 53, protocol: 'UDP' }, {}] }],
      affinity: {
        podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ ...term, namespaces: ['b'] }] },
        podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ ...term, namespaceSelector: {} }] },
      },
      topologySpreadConstraints: [
        { topologyKey: 'zone', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', labelSelector: selector },
        { topologyKey: 'zone', maxSkew: 1, whenUnsatisfiable: 'ScheduleAnyway', labelSelector: selector },
      ],
    };
    expect(placementOf(spec, { isOfDaemonSet: false })).toEqual({
      requests: {},
      podAffinity: [{ topologyKey: 'zone', selector, namespaces: ['b'] }],
      podAntiAffinity: [{ topologyKey: 'zone', selector, namespaces: '*' }],
      spread: [{ topologyKey: 'zone', maxSkew: 1, selector }],
      hostPorts: ['TCP/80', 'UDP/53'],
      scheduler: 'gang',
      claimsDevices: true,
    });
  });
});
