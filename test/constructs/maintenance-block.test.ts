import { expect, test } from 'vitest';
import { config, objectsOf, settings } from './instance.ts';
import { pick } from './sample.ts';

const KEY = 'baremetal.cluster.gke.io/maintenance';

test('a block names every selected node with its pool and the taints it gets', () => {
  const [block] = objectsOf({ kind: 'maintenance', config });
  expect(block?.metadata.name).toBe('lab');
  expect(block?.spec).toEqual({
    config: 'lab',
    blocks: ['10.0.0.10-10.0.0.11', 'fd00::/64', '10.0.0.99'],
    nodes: [
      {
        address: '10.0.0.11',
        pool: 'gpu',
        role: 'worker',
        taints: [
          { key: KEY, effect: 'NoSchedule' },
          { key: KEY, effect: 'NoExecute' },
        ],
      },
      {
        address: 'fd00::12',
        pool: 'plain',
        role: 'worker',
        taints: [
          { key: KEY, effect: 'NoSchedule' },
          { key: KEY, effect: 'NoExecute' },
        ],
      },
    ],
    unmatched: ['10.0.0.99'],
    deadlineSeconds: 1200,
    ignorePdb: false,
    profile: '1.29',
    maxConcurrent: 0,
    cordon: false,
    csiPodNames: ['weird-csi'],
    taintedBy: 'sidecar',
  });
});

test('the file’s own profile counts, not that of the settings', () => {
  const [block] = objectsOf({ kind: 'maintenance', config: { ...config, profile: '1.28', ignorePdb: true } });
  expect(block?.spec).toMatchObject({ profile: '1.28', ignorePdb: true });
});

test('a config that selects nothing has an empty block: that is the way out of maintenance', () => {
  const [block] = objectsOf({ kind: 'maintenance', config: { ...config, blocks: [], nodes: [], unmatched: [] } });
  expect(block?.spec).toMatchObject({ blocks: [], nodes: [], unmatched: [] });
});

test('it goes when git drops it, but not with a deleted Application', () => {
  const [block] = objectsOf({ kind: 'maintenance', config });
  expect(block?.metadata.annotations).toEqual({ 'argocd.argoproj.io/sync-options': 'Delete=false' });
});

test('the sidecar is told when the applier writes the taints', () => {
  const changed = { ...settings, maintenance: { ...settings.maintenance, taints: 'applier' as const } };
  const [block] = objectsOf({ kind: 'maintenance', config }, { settings: changed });
  expect(block?.spec).toMatchObject({ taintedBy: 'applier' });
});

test('no Node is rendered with it', () => {
  expect(objectsOf({ kind: 'maintenance', config }).map(({ kind }) => kind)).toEqual(['MaintenanceBlock']);
});

test('Nodes carry the whole list, an empty one too, and are protected', () => {
  const nodes = objectsOf({ kind: 'nodes', config });
  expect(nodes.map(({ metadata, spec }) => [metadata.name, spec])).toEqual([
    ['10.0.0.1', { taints: [] }],
    ['10.0.0.5', { taints: [] }],
    [
      '10.0.0.11',
      {
        taints: [
          { key: 'gpu', value: 'a100', effect: 'NoSchedule' },
          { key: KEY, effect: 'NoSchedule' },
          { key: KEY, effect: 'NoExecute' },
        ],
      },
    ],
    ['10.0.0.12', { taints: [] }],
  ]);
  expect(pick(nodes, 'Node', '10.0.0.12').metadata.annotations).toEqual({
    'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
    'kustomize.toolkit.fluxcd.io/prune': 'disabled',
  });
});

test('a pool that has a maintenance taint of its own does not make two of the same pair', () => {
  const pool = {
    ...config.declared[2],
    taints: [{ key: KEY, value: 'x', effect: 'NoSchedule' }],
  } as (typeof config.declared)[number];
  const [node] = objectsOf({ kind: 'nodes', config: { ...config, declared: [pool] } });
  expect(node?.spec).toEqual({
    taints: [
      { key: KEY, effect: 'NoSchedule' },
      { key: KEY, effect: 'NoExecute' },
    ],
  });
});
