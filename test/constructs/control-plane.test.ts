import { describe, expect, test } from 'vitest';
import { hostSyncNames } from '../../constructs/host-sync.ts';
import type { Settings } from '../../src/resolve/state.ts';
import { claimWith, names, pick, render, settingsWith } from './sample.ts';

const someLimits = { default: { cpu: '1' }, defaultRequest: { memory: '64Mi' } };

describe('exposure', () => {
  const spec = (ingress: Partial<Settings['ingress']>) =>
    pick(render(claimWith(), settingsWith(ingress)), 'Ingress').spec;

  test('is encrypted with a certificate of the claim’s own, or a common one, or not at all', () => {
    expect(spec({})).toMatchObject({ tls: [{ hosts: ['ada.apps.example.edu'], secretName: 'ada-tls' }] });
    expect(spec({ tlsSecret: 'wildcard' })).toMatchObject({ tls: [{ secretName: 'wildcard' }] });
    expect(spec({ tls: false })).not.toHaveProperty('tls');
  });
});

describe('the control plane', () => {
  test('finds its configuration where vCluster looks for it, and is replaced when it changes', () => {
    const before = render(claimWith({ config: 'a: 1\n' }));
    const after = render(claimWith({ config: 'a: "ü"\n' }));
    const { data } = pick(after, 'Secret') as unknown as { data: Record<string, string> };
    expect(Buffer.from(data['config.yaml'] ?? '', 'base64').toString()).toBe('a: "ü"\n');
    expect(JSON.stringify(pick(after, 'StatefulSet'))).toContain(
      '{"mountPath":"/var/lib/vcluster","name":"vcluster-config"}',
    );
    expect(pick(after, 'StatefulSet')).not.toEqual(pick(before, 'StatefulSet'));
  });

  test('takes an external database’s address from a Secret, through an argument', () => {
    const deployment = pick(
      render(claimWith({ backingStore: 'externalDatabase', externalDatabaseSecret: 'db' })),
      'Deployment',
    );
    const json = JSON.stringify(deployment);
    expect(json).toContain('"args":["--set","controlPlane.backingStore.database.external.dataSource=$(DATA_SOURCE)"]');
    expect(json).toContain('{"name":"DATA_SOURCE","valueFrom":{"secretKeyRef":{"key":"dataSource","name":"db"}}}');
  });

  test('names volume claims in full, as the API server gives them back', () => {
    const { spec } = pick(render(claimWith({ storage: { size: '10Gi', className: 'fast' } })), 'StatefulSet');
    expect(spec).toMatchObject({
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
      volumeClaimTemplates: [
        {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: { name: 'data' },
          spec: { resources: { requests: { storage: '10Gi' } }, storageClassName: 'fast' },
        },
      ],
    });
  });

  test('elects a leader only where there are several', () => {
    const role = (replicas: number) => JSON.stringify(pick(render(claimWith({ replicas })), 'Role'));
    expect(role(1)).not.toContain('leases');
    expect(role(3)).toContain('leases');
  });

  test('has etcd members that know each other by name', () => {
    const etcd = pick(render(claimWith({ backingStore: 'deployedEtcd', replicas: 3 })), 'StatefulSet', 'ada-etcd');
    const peer = (n: number) => `ada-etcd-${n}=https://ada-etcd-${n}.ada-etcd-headless.vcluster-ada:2380`;
    expect(JSON.stringify(etcd)).toContain(`--initial-cluster=${peer(0)},${peer(1)},${peer(2)}`);
  });
});

describe('permissions', () => {
  test('reach beyond the namespace only where something is synced from the host', () => {
    expect(names(render(claimWith()))).not.toContain('ClusterRole/vc-ada-v-vcluster-ada');
    const objects = render(claimWith({ hostSync: ['nodes', 'toHost.ingresses'] }));
    expect(JSON.stringify(pick(objects, 'ClusterRole'))).toContain('nodes/proxy');
    expect(JSON.stringify(pick(objects, 'ClusterRole'))).not.toContain('ingresses');
    expect(JSON.stringify(pick(objects, 'Role'))).toContain('ingresses');
  });

  test.each([...hostSyncNames])('are known for sync.%s', (name) => {
    expect(render(claimWith({ hostSync: [name] })).length).toBeGreaterThan(10);
  });

  test('that are not known are an error, not a control plane that fails for ever', () => {
    expect(() => render(claimWith({ hostSync: ['toHost.unheardOf'] }))).toThrow(
      'no permissions are known for sync.toHost.unheardOf',
    );
  });
});

describe('quota and limits', () => {
  test('are rendered when asked for, with the requests that the API server would add', () => {
    const objects = render(claimWith({ quota: { 'requests.cpu': '10' }, limits: someLimits }));
    expect(pick(objects, 'ResourceQuota').spec).toEqual({ hard: { 'requests.cpu': '10' } });
    expect(pick(objects, 'LimitRange').spec).toEqual({
      limits: [{ type: 'Container', default: { cpu: '1' }, defaultRequest: { cpu: '1', memory: '64Mi' } }],
    });
  });

  test('that are empty are not', () => {
    const objects = render(claimWith({ quota: {}, limits: { default: {}, defaultRequest: {} } }));
    expect(names(objects)).toEqual(names(render(claimWith())));
  });

  test('of no resources at all leave no empty maps, which the API server would drop', () => {
    const objects = render(claimWith({ resources: { requests: {}, limits: {} } }));
    expect(JSON.stringify(pick(objects, 'StatefulSet'))).not.toContain('"limits":{}');
  });
});
