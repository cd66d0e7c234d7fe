import { expect, test } from 'vitest';
import { protectedAnnotations } from '../../constructs/protection.ts';
import { declared, monitoring, objectsOf, shutdown } from './instance.ts';

const noHooks = { preDelete: [], delete: [], postDelete: [], sweep: [] };

test('an installation says in which order it is built and how each part is removed', () => {
  const [resource] = objectsOf({ kind: 'installation', installation: monitoring });
  expect(resource?.metadata).toEqual({
    name: 'monitoring',
    labels: { 'quiesce.dev/installation': 'monitoring' },
    annotations: { ...protectedAnnotations, 'argocd.argoproj.io/sync-wave': '-1000' },
  });
  expect(resource?.spec).toEqual({
    cluster: 'lab',
    state: 'Installed',
    deletion: { strategy: 'Ordered', timeoutSeconds: 1800, confirm: false },
    components: [
      {
        name: 'operator',
        namespace: 'monitoring',
        dependsOn: [],
        wave: 0,
        deletion: {
          ...noHooks,
          preDelete: [
            {
              name: 'drain',
              image: 'busybox',
              command: ['sh', '-c', 'true'],
              serviceAccount: 'drainer',
              timeoutSeconds: 60,
            },
          ],
          sweep: [{ apiGroups: ['monitoring.example.com'], kinds: ['Probe'], selector: 'made-by=operator' }],
          persistentVolumeClaims: 'Delete',
          namespace: 'Keep',
        },
      },
      {
        name: 'dashboards',
        namespace: 'monitoring',
        dependsOn: ['operator'],
        wave: 1,
        deletion: { ...noHooks, persistentVolumeClaims: 'Retain', namespace: 'DeleteWhenEmpty' },
        helm: { release: 'dashboards', chart: 'grafana', repository: 'https://charts.example.edu', version: '8.0.0' },
      },
    ],
  });
});

test('a deleted one says the same without protection: that it arrives so is the order to uninstall', () => {
  const [resource, ...others] = objectsOf({ kind: 'installation', installation: { ...monitoring, state: 'Deleted' } });
  const [installed] = objectsOf({ kind: 'installation', installation: monitoring });
  expect(others).toEqual([]);
  expect(resource?.metadata.annotations).toEqual({ 'argocd.argoproj.io/sync-wave': '-1000' });
  expect(resource?.spec).toEqual({ ...(installed?.spec as object), state: 'Deleted' });
});

test('where it is known, it lists what is rendered for each component, first to go first', () => {
  const loaded = [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' } },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
    { apiVersion: 'example.com/v1', kind: 'Probe', metadata: { name: 'p' } },
    { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'clean', annotations: { 'helm.sh/hook': 'pre-delete' } } },
  ];
  const components = new Map([['operator', loaded]]);
  const [resource] = objectsOf({ kind: 'installation', installation: monitoring }, { components });
  expect(resource?.spec).toMatchObject({
    components: [
      {
        objects: [
          { apiVersion: 'example.com/v1', kind: 'Probe', namespace: 'monitoring', name: 'p' },
          { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'monitoring', name: 'a' },
          { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'monitoring', name: 'b' },
          { apiVersion: 'v1', kind: 'Namespace', name: 'monitoring' },
        ],
      },
      { name: 'dashboards' },
    ],
  });
  expect(JSON.stringify(resource?.spec).match(/"objects"/g)).toHaveLength(1);
});

test('a shutdown lists the nodes in the order in which they are powered off', () => {
  const content = { kind: 'shutdown', shutdown, nodes: declared } as const;
  const [resource] = objectsOf(content);
  expect(resource?.metadata.name).toBe('lab');
  expect(resource?.spec).toEqual({
    cluster: 'lab',
    action: 'Shutdown',
    backupAcknowledged: true,
    nodes: [
      { address: '10.0.0.11', pool: 'gpu', role: 'worker' },
      { address: '10.0.0.12', pool: 'plain', role: 'worker' },
      { address: 'fd00::12', pool: 'plain', role: 'worker' },
      { address: '10.0.0.5', pool: 'lb', role: 'load-balancer' },
      { address: '10.0.0.1', pool: 'control-plane', role: 'control-plane' },
    ],
    powerHook: { name: 'power', image: 'ipmi', command: [], timeoutSeconds: 120 },
  });
});
