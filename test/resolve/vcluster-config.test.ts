import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { hostSyncNames } from '../../constructs/host-sync.ts';
import { hostSyncPaths } from '../../src/resolve/host-sync.ts';
import { overlay, vclusterConfig } from '../../src/resolve/vcluster-config.ts';
import { resolvedClaim, settingsOf, tools } from './resolved.ts';

function config(spec: string): Record<string, never> {
  return parse(resolvedClaim(spec).claim?.config ?? '');
}

describe('the vcluster.yaml of a claim', () => {
  it.each([
    ['embeddedDatabase', '', { database: { embedded: { enabled: true } } }],
    ['embeddedEtcd', '  replicas: 3\n', { etcd: { embedded: { enabled: true } } }],
    ['externalDatabase', '  externalDatabaseSecret: db\n', { database: { external: { enabled: true } } }],
    [
      'deployedEtcd',
      '  replicas: 3\n  storage: { size: 9Gi, className: fast }\n',
      {
        etcd: {
          deploy: {
            enabled: true,
            statefulSet: {
              enabled: true,
              highAvailability: { replicas: 3 },
              persistence: {
                volumeClaim: {
                  enabled: true,
                  retentionPolicy: 'Retain',
                  size: '9Gi',
                  storageClass: 'fast',
                  accessModes: ['ReadWriteOnce'],
                },
              },
            },
            service: { enabled: true },
          },
        },
      },
    ],
  ])('says where %s keeps the state', (store, spec, expected) => {
    expect(config(`  backingStore: ${store}\n${spec}`)).toMatchObject({ controlPlane: { backingStore: expected } });
  });

  it('turns on what vCluster would leave off: it has no defaults of its own', () => {
    expect(config('')).toMatchObject({
      sync: {
        toHost: { services: { enabled: true }, pods: { enabled: true } },
        fromHost: { events: { enabled: true } },
      },
      controlPlane: { proxy: { port: 8443 }, statefulSet: { highAvailability: { replicas: 1 } } },
      rbac: { role: { enabled: true } },
    });
  });

  it('is the same whether the claim sleeps, and for every claim of the same sort', () => {
    const { claim: ada } = resolvedClaim('');
    const { claim: bob } = resolvedClaim(
      '  state: Sleeping\n  protected: true\n  sleepSchedules: [{ sleep: 0 1 * * * }]',
      settingsOf(),
      'bob',
    );
    expect(bob?.config).toBe(ada?.config);
  });

  it("has the claim's own values laid over", () => {
    const spec = `  values:
    sync: { toHost: { ingresses: { enabled: true }, pods: { rewriteHosts: null } } }
    networking: { resolveDNS: [{ hostname: x }] }
`;
    const values = config(spec) as unknown as {
      sync: { toHost: { pods: unknown; ingresses: unknown; services: unknown } };
    };
    expect(values.sync.toHost.pods).toEqual({ enabled: true });
    expect(values.sync.toHost.services).toEqual({ enabled: true });
    expect(values).toMatchObject({
      networking: { resolveDNS: [{ hostname: 'x' }], advanced: { clusterDomain: 'cluster.local' } },
    });
    expect(resolvedClaim(spec).claim?.hostSync).toEqual(['toHost.ingresses']);
  });

  it('leaves the values alone where a chart takes its own', () => {
    const { claim } = resolvedClaim(
      '  values: { sync: { toHost: { ingresses: { enabled: true } } } }\n  chart: { chart: state/charts/x }',
    );
    expect(claim).toMatchObject({ hostSync: [], chart: { chart: 'state/charts/x', values: {} } });
    expect(claim?.config).toBe(resolvedClaim('').claim?.config);
  });

  it('is written once for all claims that share it', () => {
    let written = 0;
    const counting = { ...tools, stringify: () => `${++written}` };
    const input = {
      backingStore: 'embeddedDatabase',
      replicas: 1,
      resources: { requests: {}, limits: {} },
      storage: { size: '1Gi' },
    } as const;
    expect([vclusterConfig(input, counting), vclusterConfig({ ...input }, counting)]).toEqual(['1', '1']);
    expect(vclusterConfig({ ...input, values: { a: 1 } }, counting)).toBe('2');
  });
});

describe('laying values over others', () => {
  it.each([
    [{ a: { b: 1, c: 2 } }, { a: { c: 3 } }, { a: { b: 1, c: 3 } }],
    [{ a: [1, 2] }, { a: [3] }, { a: [3] }],
    [{ a: { b: 1 } }, { a: null }, {}],
    [{ a: 1 }, { a: { b: null, c: 2 } }, { a: { c: 2 } }],
    [{ a: { b: 1 } }, { a: 2 }, { a: 2 }],
    [{}, JSON.parse('{"__proto__": {"polluted": true}}'), JSON.parse('{"__proto__": {"polluted": true}}')],
  ])('%j and %j give %j', (base, over, expected) => {
    expect(overlay(base, over)).toEqual(expected);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

it('there are permissions for everything that may be synced, and nothing else may', () => {
  expect([...hostSyncPaths].sort()).toEqual([...hostSyncNames].sort());
});
