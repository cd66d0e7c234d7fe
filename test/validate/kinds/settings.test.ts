import { describe, expect, it } from 'vitest';
import { settingsText, validated } from './said.ts';

function settings(spec: Readonly<Record<string, string>> = {}) {
  return validated('state/settings.yaml', settingsText(spec)).said;
}

const server = 'server: "https://a.example.edu", applier: flux';

describe('settings', () => {
  it('need clusters, a version, git and an image, nothing else', () => {
    expect(settings()).toEqual([]);
  });

  it.each<[what: string, spec: Readonly<Record<string, string>>, said: string[]]>([
    [
      'two host clusters of one name',
      { clusters: `[{ name: a, ${server}, home: true }, { name: a, ${server} }]` },
      ['host-cluster-repeated spec.clusters[1].name: There is a host cluster "a" already. Rename one of them.'],
    ],
    [
      'no home among several',
      { clusters: `[{ name: a, ${server} }, { name: b, ${server} }]` },
      [
        'home-not-one spec.clusters: No host cluster is home, so nothing would warn owners or renew claims. Write "home: true" for one of them.',
      ],
    ],
    [
      'a home that says it is none',
      { clusters: `[{ name: a, ${server}, home: false }]` },
      [
        'home-not-one spec.clusters: No host cluster is home, so nothing would warn owners or renew claims. Write "home: true" for one of them.',
      ],
    ],
    [
      'two homes',
      { clusters: `[{ name: a, ${server}, home: true }, { name: b, ${server}, home: true }]` },
      [
        'home-not-one spec.clusters[1].home: 2 host clusters are home; their lifecycle runners would race. Leave "home: true" on one of them.',
      ],
    ],
    [
      'one config in two clusters',
      { clusters: `[{ name: a, ${server}, home: true, configs: [x] }, { name: b, ${server}, configs: [x, a] }]` },
      [
        'config-in-two-clusters spec.clusters[1].configs[0]: The cluster config "x" belongs to host cluster "a" already. Name it in one of them.',
        'config-in-two-clusters spec.clusters[1].configs[1]: The cluster config "a" belongs to host cluster "a" already. Name it in one of them.',
      ],
    ],
    [
      'a default cluster that is not there',
      { claims: '{ version: 0.30.1, cluster: atals }' },
      ['host-cluster-unknown spec.claims.cluster: There is no host cluster "atals". Did you mean "atlas"?'],
    ],
    [
      'replicas that the default store cannot have',
      { claims: '{ version: 0.30.1, replicas: 3 }' },
      [
        'replicas-not-one spec.claims.replicas: 3 replicas cannot share an embedded database: it is one file on one volume. Write replicas: 1, or choose embeddedEtcd, deployedEtcd or externalDatabase.',
      ],
    ],
    [
      'requests above limits',
      { claims: '{ version: 0.30.1, resources: { requests: { memory: 2Gi }, limits: { memory: 1024Mi } } }' },
      [
        'requests-over-limits spec.claims.resources.requests.memory: The request for memory, "2Gi", is above the limit "1024Mi". Raise the limit or lower the request.',
      ],
    ],
    [
      'defaults for containers that exceed each other',
      { claims: '{ version: 0.30.1, limits: { default: { memory: 1Gi }, defaultRequest: { memory: 2Gi } } }' },
      [
        'requests-over-limits spec.claims.limits.defaultRequest.memory: The request for memory, "2Gi", is above the limit "1Gi". Raise the limit or lower the request.',
      ],
    ],
    [
      'warnings that come too late',
      { expiry: '{ warnBefore: 6d }' },
      [
        'warning-too-short spec.expiry.warnBefore: Warnings 6d ahead come too late: nothing is deleted within 7d of its warning. Write "7d" or more.',
      ],
    ],
    [
      'no time for a warning',
      { expiry: '{ after: 13d, grace: 13d, warnBefore: 2w }' },
      [
        'expiry-too-short spec.expiry.after: "13d" leaves no time for a warning 14d ahead. Write "14d" or more.',
        'expiry-too-short spec.expiry.grace: "13d" leaves no time for a warning 14d ahead. Write "14d" or more.',
      ],
    ],
    [
      'output where people write',
      {
        git: '{ url: "https://git.example.edu/s.git", author: { name: Q, email: q@example.edu }, target: { path: state/out } }',
      },
      [
        'git-target-path spec.git.target.path: "state/out" cannot hold the output: people write there. Write a folder inside the repository, for example "out".',
      ],
    ],
    [
      'output outside of the repository',
      {
        git: '{ url: "https://git.example.edu/s.git", author: { name: Q, email: q@example.edu }, target: { path: ../out } }',
      },
      [
        'git-target-path spec.git.target.path: "../out" cannot hold the output. Write a folder inside the repository, for example "out".',
      ],
    ],
    [
      'https without a certificate',
      { ingress: '{ tls: true }' },
      [
        'tls-without-certificate spec.ingress.tls: Neither a Secret nor an issuer is named that https could take a certificate from. Set "tlsSecret", or an issuer annotation such as "cert-manager.io/cluster-issuer".',
      ],
    ],
    ['https with an issuer', { ingress: '{ tls: true, annotations: { cert-manager.io/cluster-issuer: acme } }' }, []],
    [
      'an image that can change',
      { images: '{ quiesce: registry.example.edu/quiesce }' },
      [
        'image-floating spec.images.quiesce: "registry.example.edu/quiesce" names no fixed version, so what runs can change without a commit. Pin a tag, or better a digest.',
      ],
    ],
    [
      'nobody who may delete',
      { deletion: '{ groups: everyone }' },
      [
        'invalid-value spec.deletion.groups: `spec.deletion.groups` must be `anyone` or a list, not the text "everyone". Write `anyone`.',
      ],
    ],
    [
      'no clusters',
      { clusters: '[]' },
      ['invalid-value spec.clusters: `spec.clusters` must not be empty. Add what is missing.'],
    ],
  ])('with %s', (_, spec, expected) => {
    expect(settings(spec)).toEqual(expected);
  });

  it('are named for the instance, not for their file', () => {
    expect(validated('state/settings.yaml', settingsText()).written).toMatchObject([
      { kind: 'Settings', metadata: { name: 'campus' } },
    ]);
  });
});
