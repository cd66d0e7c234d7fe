import { describe, expect, it } from 'vitest';
import {
  type ClusterFacts,
  claimAsCluster,
  type PoolFacts,
  userClusterBlocker,
  userClustersAmong,
} from '../../../src/sidecar/shutdown/user-clusters.ts';

describe('a virtual cluster', () => {
  const standing = (state: string, phase?: string, observedGeneration = 3) => {
    const status = phase === undefined ? {} : { status: { phase, observedGeneration } };
    return claimAsCluster({ name: 'u', generation: 3, spec: { state }, ...status }).standing;
  };

  it.each([
    ['Sleeping', 'Asleep'],
    ['Deleted', 'Deleted'],
  ])('that git wants %s is down when it is %s', (state, phase) => expect(standing(state, phase)).toBeUndefined());

  it.each([
    ['Running', 'Running'],
    ['Running', 'Waking'],
    ['Sleeping', 'Sleeping'],
    ['Sleeping', 'Running'],
    ['Deleted', 'Deleting'],
    ['Deleted', 'DeleteError'],
    // Git wants it to run: its applier brings it back any moment.
    ['Running', 'Asleep'],
  ])('that git wants %s is not while it is %s', (state, phase) => expect(standing(state, phase)).toBe(phase));

  it('is not while nobody has looked, or only at what git said before', () => {
    expect(standing('Sleeping')).toBe('not looked at yet');
    expect(standing('Sleeping', 'Asleep', 2)).toBe('not looked at yet');
  });
});

describe('a cluster of GKE on bare metal', () => {
  const cluster: ClusterFacts = { name: 'u', namespace: 'cluster-u', type: 'user', maintained: [] };
  const counts = { ready: 0, reconciling: 0, stalled: 0, underMaintenance: 0, unknown: 0 };
  const pool = (name: string, differs: Partial<NonNullable<PoolFacts['counts']>>): PoolFacts => ({
    name,
    namespace: 'cluster-u',
    cluster: 'u',
    addresses: ['10.0.0.1', '10.0.0.2'],
    counts: { ...counts, ...differs },
  });
  const standing = (pools: readonly PoolFacts[], differs: Partial<ClusterFacts> = {}) =>
    userClustersAmong([{ ...cluster, ...differs }], pools).map((each) => each.standing);
  const inMaintenance = pool('u', { underMaintenance: 2 });

  it('is down when every node of every pool is in maintenance', () => {
    expect(standing([inMaintenance, pool('np1', { underMaintenance: 2 })])).toEqual([undefined]);
  });

  it.each([
    ['runs', { ready: 1, underMaintenance: 1 }, 'np1: 1 ready'],
    ['drains', { reconciling: 2 }, 'np1: 2 reconciling'],
    ['is stuck', { ready: 1, stalled: 1 }, 'np1: 1 ready, 1 stalled'],
    ['is not counted', { underMaintenance: 1 }, 'np1: 1 of 2 nodes not counted yet'],
    ['is not heard of', { unknown: 1, underMaintenance: 1 }, 'np1: 1 unknown, and not in maintenanceBlocks'],
  ])('is not while a node %s', (_, differs, expected) => {
    expect(standing([inMaintenance, pool('np1', differs)])).toEqual([expected]);
  });

  it('is down when nobody hears of machines that it was told to put into maintenance', () => {
    const pools = [inMaintenance, pool('np1', { unknown: 1, underMaintenance: 1 })];
    expect(standing(pools, { maintained: ['10.0.0.1-10.0.0.2'] })).toEqual([undefined]);
    expect(standing(pools, { maintained: ['10.0.0.1'] })).toEqual(['np1: 1 unknown, and not in maintenanceBlocks']);
  });

  it('is not while nobody has counted its nodes, or none of its pools is found', () => {
    const { counts: _, ...uncounted } = pool('np1', {});
    expect(standing([uncounted])).toEqual(['np1: nodes not counted yet']);
    expect(standing([])).toEqual(['no node pool of it was found']);
    expect(standing([{ ...inMaintenance, namespace: 'cluster-other' }])).toEqual(['no node pool of it was found']);
  });

  it.each(['admin', 'hybrid', 'standalone'])('of type %s is the cluster itself', (type) => {
    expect(standing([pool('u', { ready: 2 })], { type })).toEqual([]);
  });

  it('of no type is one that is managed', () => {
    const { type: _, ...untyped } = cluster;
    expect(userClustersAmong([untyped], [])).toHaveLength(1);
  });
});

it('the blocker says what would happen and what to do', () => {
  const claim = claimAsCluster({ name: 'u', generation: 1, spec: { state: 'Running' } });
  expect(userClusterBlocker(claim).map(({ message }) => message)).toEqual([
    'VClusterClaim u would lose the cluster that it depends on (not looked at yet): "quiesce sleep u" puts it to rest.',
  ]);
  const cluster = { apiVersion: 'baremetal.cluster.gke.io/v1', kind: 'Cluster', namespace: 'n', name: 'u' };
  expect(userClusterBlocker({ ...cluster, standing: 'np1: 1 ready' }).map(({ who, object }) => [who, object])).toEqual([
    ['operators', cluster],
  ]);
});
