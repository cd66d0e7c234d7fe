import { describe, expect, it } from 'vitest';
import { resolvedClaim, settingsOf } from './resolved.ts';

const two =
  '[{ name: atlas, server: "https://a.example.edu", applier: argocd, home: true }, { name: borealis, server: "https://b.example.edu", applier: flux }]';

describe('a claim that says nothing', () => {
  it('gets everything from the settings', () => {
    const { claim, said } = resolvedClaim('', settingsOf({ exposedAppsBaseDomain: 'apps.example.edu' }));
    expect(said).toEqual([]);
    expect({ ...claim, config: '', identity: '' }).toEqual({
      origin: { file: 'state/claims/ada.yaml', document: 0 },
      name: 'ada',
      namespace: 'vcluster-ada',
      cluster: 'atlas',
      owners: [{ name: 'Team', email: 'team@example.edu' }],
      state: 'Running',
      version: '0.30.1',
      replicas: 1,
      backingStore: 'embeddedDatabase',
      resources: { requests: { cpu: '200m', memory: '256Mi' }, limits: { memory: '2Gi' } },
      storage: { size: '5Gi' },
      exposure: { host: 'ada.apps.example.edu', service: 'http-x-default-x-ada' },
      config: '',
      hostSync: [],
      expiry: { after: 7_776_000, grace: 5_184_000 },
      schedules: [],
      protected: false,
      identity: '',
    });
  });
});

describe('a claim that says something', () => {
  it('keeps the defaults of what it does not say', () => {
    const settings = settingsOf({
      claims:
        '{ version: 0.30.1, backingStore: embeddedEtcd, replicas: 3, storage: { size: 5Gi, className: slow }, quota: { pods: 9 }, limits: { default: { cpu: 1 } } }',
    });
    const { claim, said } = resolvedClaim(
      `  resources: { requests: { memory: 1Gi, nvidia.com/gpu: 1 } }
  storage: { size: 8Gi }
  expiry: { grace: 30d }
  sleepSchedules: [{ sleep: 0 1 * * * }]
`,
      settings,
    );
    expect(said).toEqual([]);
    expect(claim).toMatchObject({
      replicas: 3,
      resources: { requests: { cpu: '200m', memory: '1Gi', 'nvidia.com/gpu': '1' }, limits: { memory: '2Gi' } },
      storage: { size: '8Gi', className: 'slow' },
      quota: { pods: '9' },
      limits: { default: { cpu: '1' }, defaultRequest: {} },
      expiry: { after: 7_776_000, grace: 2_592_000 },
      schedules: [{ sleep: '0 1 * * *', timeZone: 'Etc/UTC' }],
    });
  });

  it('can have no quota and no limits where the settings have some', () => {
    const settings = settingsOf({ claims: '{ version: 0.30.1, quota: { pods: 9 }, limits: { default: { cpu: 1 } } }' });
    const { claim } = resolvedClaim('  quota: {}\n  limits: {}', settings);
    expect(claim).not.toHaveProperty('quota');
    expect(claim).not.toHaveProperty('limits');
  });

  it('has one replica on an embedded database, whatever the default for other stores', () => {
    const settings = settingsOf({ claims: '{ version: 0.30.1, backingStore: embeddedEtcd, replicas: 3 }' });
    expect(resolvedClaim('  backingStore: embeddedDatabase', settings)).toMatchObject({
      said: [],
      claim: { replicas: 1 },
    });
  });

  it('keeps its replicas while it sleeps', () => {
    const spec = '  replicas: 3\n  backingStore: embeddedEtcd\n';
    const { claim: awake } = resolvedClaim(spec);
    const { claim: asleep } = resolvedClaim(`${spec}  state: Sleeping\n`);
    expect(asleep).toEqual({ ...awake, state: 'Sleeping' });
  });
});

describe('where a claim goes', () => {
  it.each<[spec: string, settings: Readonly<Record<string, string>>, cluster: string | undefined, said: string[]]>([
    ['', {}, 'atlas', []],
    ['  cluster: borealis', { clusters: two }, 'borealis', []],
    ['', { clusters: two, claims: '{ version: 0.30.1, cluster: borealis }' }, 'borealis', []],
    [
      '',
      { clusters: two },
      undefined,
      [
        'host-cluster-missing spec.cluster: The claim names no host cluster, and there are several. Add "cluster:" below "spec", one of atlas, borealis.',
      ],
    ],
    [
      '  cluster: alas',
      { clusters: two },
      undefined,
      ['host-cluster-unknown spec.cluster: There is no host cluster "alas" in the settings. Did you mean "atlas"?'],
    ],
    [
      '  cluster: sirius',
      { clusters: two },
      undefined,
      [
        'host-cluster-unknown spec.cluster: There is no host cluster "sirius" in the settings. Use one of atlas, borealis, or add it to the settings.',
      ],
    ],
  ])('%j', (spec, settings, cluster, expected) => {
    const { claim, said } = resolvedClaim(spec, settingsOf(settings));
    expect(claim?.cluster).toBe(cluster);
    expect(said).toEqual(expected);
  });
});

describe('where a claim is served', () => {
  const own =
    '[{ name: atlas, server: "https://a.example.edu", applier: argocd, exposedAppsBaseDomain: own.example.edu }]';
  const none = '[{ name: atlas, server: "https://a.example.edu", applier: argocd, exposedAppsBaseDomain: None }]';
  const all = 'all.example.edu';

  it.each<
    [what: string, spec: string, settings: Readonly<Record<string, string>>, host: string | undefined, said: string[]]
  >([
    ['the base domain of the instance', '', { exposedAppsBaseDomain: all }, 'ada.all.example.edu', []],
    ["its cluster's own one before that", '', { clusters: own, exposedAppsBaseDomain: all }, 'ada.own.example.edu', []],
    ['a cluster that exposes nothing', '', { clusters: none, exposedAppsBaseDomain: all }, undefined, []],
    ['no base domain at all', '', {}, undefined, []],
    ['a claim that is not to be exposed', '  expose: false', { exposedAppsBaseDomain: all }, undefined, []],
    [
      'a claim that is, without a base domain',
      '  expose: true',
      { clusters: none, exposedAppsBaseDomain: all },
      undefined,
      [
        'expose-without-domain spec.expose: The host cluster "atlas" has no base domain to expose claims under. Set "exposedAppsBaseDomain" for it in the settings, or remove "expose".',
      ],
    ],
    [
      'the host name of the keep-alive page',
      '',
      { exposedAppsBaseDomain: all, keepalive: '{ url: "https://ada.all.example.edu" }' },
      'ada.all.example.edu',
      [
        'host-taken metadata.name: "ada.all.example.edu" is where the keep-alive page is served. Choose another name, or write "expose: false".',
      ],
    ],
    [
      'a host name over its limit',
      '',
      { exposedAppsBaseDomain: `${'a.'.repeat(124)}ed` },
      `ada.${'a.'.repeat(124)}ed`,
      [
        `host-too-long metadata.name: "ada.${'a.'.repeat(38)}…" has 254 characters; a host name may have 253. Shorten the name by 1, or write "expose: false".`,
      ],
    ],
  ])('with %s', (_, spec, settings, host, expected) => {
    const { claim, said } = resolvedClaim(spec, settingsOf(settings));
    expect(claim?.exposure?.host).toBe(host);
    expect(said).toEqual(expected);
  });
});

describe('what cannot be', () => {
  it.each<[what: string, spec: string, claims: string, said: string[]]>([
    [
      'replicas of an embedded database',
      '  replicas: 2',
      '{ version: 0.30.1 }',
      [
        'replicas-not-one spec.replicas: 2 replicas cannot share an embedded database: it is one file on one volume. Write replicas: 1, or choose embeddedEtcd, deployedEtcd or externalDatabase.',
      ],
    ],
    [
      'an even number of etcd members',
      '  backingStore: embeddedEtcd\n  replicas: 4',
      '{ version: 0.30.1 }',
      [
        'replicas-even spec.replicas: 4 etcd members need 3 of them alive, so they survive the loss of 1, like 3. Write 3 or 5.',
      ],
    ],
    [
      'an even default, for a claim that changes the store',
      '  backingStore: deployedEtcd',
      '{ version: 0.30.1, backingStore: externalDatabase, replicas: 2 }',
      [
        'replicas-even spec.backingStore: 2 etcd members need 2 of them alive, so they survive the loss of 0, like 1. Write 1 or 3.',
      ],
    ],
    [
      'an external database without a Secret',
      '  backingStore: externalDatabase',
      '{ version: 0.30.1 }',
      [
        'external-database-secret-missing spec.backingStore: An external database needs a Secret with its address. Name a Secret with the key "dataSource" in "spec.externalDatabaseSecret".',
      ],
    ],
    [
      'a database Secret without an external database',
      '  externalDatabaseSecret: db',
      '{ version: 0.30.1 }',
      [
        'external-database-secret-unused spec.externalDatabaseSecret: The backing store is embeddedDatabase, which uses no external database. Write "backingStore: externalDatabase", or remove the Secret.',
      ],
    ],
    [
      'a request above the default limit',
      '  resources: { requests: { memory: 4Gi } }',
      '{ version: 0.30.1 }',
      [
        'requests-over-limits spec.resources.requests.memory: The request for memory, "4Gi", is above the limit "2Gi". Raise the limit or lower the request.',
      ],
    ],
    [
      'a limit below the default request',
      '  resources: { limits: { cpu: 100m } }',
      '{ version: 0.30.1 }',
      [
        'requests-over-limits spec.resources.limits.cpu: The request for cpu, "200m", is above the limit "100m". Raise the limit or lower the request.',
      ],
    ],
    [
      'a life too short for a warning',
      '  expiry: { after: 1d, grace: 6d }',
      '{ version: 0.30.1 }',
      [
        'expiry-too-short spec.expiry.after: "1d" leaves no time for a warning 7d ahead. Write "7d" or more.',
        'expiry-too-short spec.expiry.grace: "6d" leaves no time for a warning 7d ahead. Write "7d" or more.',
      ],
    ],
    [
      'a life longer than allowed',
      '  expiry: { after: 300d }',
      '{ version: 0.30.1 }',
      [
        'expiry-over-cap spec.expiry: Together "after" and "grace" are 30d more than the 330d that the settings allow. Shorten them, or write "expiry: Never" if the claim is to stay.',
      ],
    ],
    ['a life as long as allowed', '  expiry: { after: 270d }', '{ version: 0.30.1 }', []],
    ['a life without an end', '  expiry: Never', '{ version: 0.30.1 }', []],
    [
      'host objects that no role covers',
      '  values: { sync: { toHost: { namespaces: { enabled: true } }, fromHost: { customResources: { a.b/c: {} } } }, integrations: { istio: { enabled: true } } }',
      '{ version: 0.30.1 }',
      [
        'values-need-chart spec.values.sync.fromHost.customResources: "sync.fromHost.customResources" needs permissions on the host cluster that the built-in objects do not grant. Remove it, or render the chart with "spec.chart".',
        'values-need-chart spec.values.sync.toHost.namespaces: "sync.toHost.namespaces" needs permissions on the host cluster that the built-in objects do not grant. Remove it, or render the chart with "spec.chart".',
        'values-need-chart spec.values.integrations.istio.enabled: "integrations.istio.enabled" needs permissions on the host cluster that the built-in objects do not grant. Remove it, or render the chart with "spec.chart".',
      ],
    ],
  ])('%s', (_, spec, claims, expected) => {
    expect(resolvedClaim(spec, settingsOf({ claims })).said).toEqual(expected);
  });

  it('a name that is too long for the default store', () => {
    const settings = settingsOf({ claims: '{ version: 0.30.1, backingStore: deployedEtcd }' });
    expect(resolvedClaim('', settings, 'a'.repeat(48)).said).toEqual([
      `claim-name-budget metadata.name: "${'a'.repeat(48)}" has 48 characters; as name of the etcd StatefulSet ("<name>-etcd") it may have 47. Shorten it by 1.`,
    ]);
  });
});

describe('the identity of a claim', () => {
  const identity = (spec: string, name = 'ada') => resolvedClaim(spec, settingsOf(), name).claim?.identity;

  it('is that of another name, another state, another schedule and another order of keys', () => {
    const before = identity('  version: 0.30.1\n  protected: true\n');
    expect(before).toMatch(/^[0-9a-f]{20}$/);
    expect(
      identity(
        '  protected: true\n  version: 0.30.1\n  state: Sleeping\n  sleepSchedules: [{ sleep: 0 1 * * * }]\n',
        'bob',
      ),
    ).toBe(before);
  });

  it('changes with what the claim asks for', () => {
    expect(identity('  version: 0.30.2\n')).not.toBe(identity('  version: 0.30.1\n'));
  });

  it('does not change with the settings', () => {
    const { claim } = resolvedClaim('', settingsOf({ claims: '{ version: 0.29.0 }' }));
    expect(claim?.identity).toBe(identity(''));
  });
});
