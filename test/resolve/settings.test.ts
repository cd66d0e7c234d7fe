import { expect, it } from 'vitest';
import { settingsOf } from './resolved.ts';

it('settings get a default for everything that they do not say', () => {
  expect(settingsOf()).toEqual({
    origin: { file: 'state/settings.yaml', document: 0 },
    name: 'campus',
    clusters: [
      {
        name: 'atlas',
        server: 'https://atlas.example.edu:6443',
        applier: 'argocd',
        applierNamespace: 'argocd',
        configs: ['atlas'],
        home: true,
      },
    ],
    claims: {
      version: '0.30.1',
      backingStore: 'embeddedDatabase',
      replicas: 1,
      resources: { requests: { cpu: '200m', memory: '256Mi' }, limits: { memory: '2Gi' } },
      storage: { size: '5Gi' },
    },
    expiry: { after: 7_776_000, grace: 5_184_000, warnBefore: 604_800, maxExtension: 15_552_000 },
    ingress: { annotations: {}, tls: false },
    git: {
      url: 'https://git.example.edu/state.git',
      branch: 'main',
      target: { path: 'out', push: 'direct', pullRequestBranch: 'quiesce/out' },
      state: { push: 'direct', pullRequestBranch: 'quiesce/state' },
      author: { name: 'Quiesce', email: 'quiesce@example.edu' },
    },
    images: { quiesce: 'registry.example.edu/quiesce:0.1.0', pullPolicy: 'IfNotPresent', pullSecrets: [] },
    maintenance: {
      taints: 'sidecar',
      cordon: false,
      maxConcurrent: 0,
      csiPodNames: [],
      strict: false,
      profile: '1.29',
    },
    lifecycle: { schedule: '17 * * * *', timeZone: 'Etc/UTC' },
    policy: { rules: [] },
    removal: { maxShare: 0.2, atLeast: 5 },
    deletion: { groups: 'anyone' },
  });
});

it.each([
  ['STARTTLS', 587],
  ['TLS', 465],
  ['None', 25],
])('mail with security %s uses port %d', (security, port) => {
  expect(settingsOf({ mail: `{ from: q@example.edu, host: smtp.example.edu, security: ${security} }` }).mail).toEqual({
    from: 'q@example.edu',
    host: 'smtp.example.edu',
    port,
    security,
    language: 'en',
  });
});

it('the keep-alive page knows its host', () => {
  const { keepalive } = settingsOf({ keepalive: '{ url: "https://keepalive.example.edu/" }' });
  expect(keepalive).toEqual({
    url: 'https://keepalive.example.edu',
    host: 'keepalive.example.edu',
    replicas: 2,
    keysSecret: 'quiesce-keepalive-keys',
    storage: { size: '1Gi' },
  });
});

it.each([
  ['{ tlsSecret: wildcard }', true],
  ['{ annotations: { cert-manager.io/cluster-issuer: acme } }', true],
  ['{ tls: false, tlsSecret: wildcard }', false],
  ['{}', false],
])('ingress %s serves https: %s', (ingress, tls) => {
  expect(settingsOf({ ingress }).ingress.tls).toBe(tls);
});

it('a host cluster knows its configs, its applier and its domain', () => {
  const clusters = `[{ name: a, server: "https://a.example.edu", applier: flux, configs: [x, a], home: true },
    { name: b, server: "https://b.example.edu", applier: argocd, applierNamespace: cd, exposedAppsBaseDomain: None, kubeConfigSecret: k }]`;
  expect(settingsOf({ clusters, exposedAppsBaseDomain: 'example.edu' }).clusters).toEqual([
    {
      name: 'a',
      server: 'https://a.example.edu',
      applier: 'flux',
      applierNamespace: 'flux-system',
      configs: ['x', 'a'],
      exposedAppsBaseDomain: 'example.edu',
      home: true,
    },
    {
      name: 'b',
      server: 'https://b.example.edu',
      kubeConfigSecret: 'k',
      applier: 'argocd',
      applierNamespace: 'cd',
      configs: ['b'],
      home: false,
    },
  ]);
});
