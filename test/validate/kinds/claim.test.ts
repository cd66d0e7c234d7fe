import { describe, expect, it } from 'vitest';
import { claimText, validated } from './said.ts';

function claim(spec: string, name = 'ada') {
  return validated(`state/claims/${name}.yaml`, claimText(name, spec)).said;
}

describe('a claim', () => {
  it('needs a name and an owner, nothing else', () => {
    const { written, said } = validated('state/claims/a/b/ada.yaml', claimText('ada'));
    expect(said).toEqual([]);
    expect(written).toMatchObject([
      { kind: 'VClusterClaim', origin: { file: 'state/claims/a/b/ada.yaml', document: 0 }, metadata: { name: 'ada' } },
    ]);
  });

  it('may say everything there is to say', () => {
    const spec = `
  owners: [{ name: Other, email: other@example.edu }]
  state: Sleeping
  cluster: atlas
  version: 0.30.1
  replicas: 3
  backingStore: embeddedEtcd
  externalDatabaseSecret: database
  resources: { requests: { cpu: 1, memory: 1Gi }, limits: { memory: 2Gi } }
  storage: { size: 10Gi, className: fast.ssd }
  quota: { requests.cpu: "10", pods: 50 }
  limits: { default: { cpu: 1 }, defaultRequest: { cpu: 100m } }
  expose: true
  values: { networking: { advanced: { clusterDomain: cluster.local } } }
  expiry: { after: 90d, grace: 60d }
  sleepSchedules: [{ sleep: 0 22 * * 1-5, wake: 0 7 * * 1-5, timeZone: Europe/Berlin }]
  protected: true
`;
    expect(claim(spec)).toEqual([]);
  });

  it.each<[what: string, spec: string, said: string[]]>([
    [
      'owner twice',
      '  owners: [{ name: T, email: Team@example.edu }]',
      ['owner-repeated spec.owners[0].email: "Team@example.edu" is an owner already. Remove it.'],
    ],
    [
      'schedule without times',
      '  sleepSchedules: [{ timeZone: UTC }]',
      [
        'schedule-empty spec.sleepSchedules[0]: The schedule neither puts the claim to sleep nor wakes it. Add "sleep" or "wake", or remove the schedule.',
      ],
    ],
    [
      'sleep and wake at once',
      '  sleepSchedules: [{ sleep: "0 7 * *  MON" }, { wake: 0 7 * * mon, timeZone: Etc/UTC }]',
      [
        'schedule-conflict spec.sleepSchedules[1].wake: At "0 7 * * mon" the claim would be put to sleep and woken at once. Choose different times.',
      ],
    ],
    [
      'sleep and wake at once in different zones',
      '  sleepSchedules: [{ sleep: 0 7 * * 1 }, { wake: 0 7 * * 1, timeZone: Europe/Berlin }]',
      [],
    ],
    [
      'deletion of a protected claim',
      '  state: Deleted\n  protected: true',
      [
        'claim-protected-deleted spec.state: The claim is protected, so it cannot be deleted. Remove "protected: true" in a change of its own first, or take "state: Deleted" back.',
      ],
    ],
    [
      'half a byte of memory',
      '  resources: { requests: { memory: 512m } }\n  quota: { limits.memory: 0.5 }',
      [
        'quantity-fraction-of-byte spec.resources.requests.memory: "512m" is a fraction of a byte: "m" means a thousandth. Write "512Mi" for mebibytes.',
        'quantity-fraction-of-byte spec.quota["limits.memory"]: "0.5" is a fraction of a byte. Write a whole number of bytes.',
      ],
    ],
    [
      'defaults for containers that exceed each other',
      '  limits: { default: { cpu: 500m, memory: 1Gi }, defaultRequest: { cpu: 1, memory: 1024Mi } }',
      [
        'requests-over-limits spec.limits.defaultRequest.cpu: The request for cpu, "1", is above the limit "500m". Raise the limit or lower the request.',
      ],
    ],
    [
      'volume of no size',
      '  storage: { size: 0Gi }',
      ['storage-empty spec.storage.size: A volume of size 0 cannot be made. Give it a size, for example "5Gi".'],
    ],
    [
      'chart from elsewhere without a version',
      '  chart: { chart: vcluster, repository: "https://charts.example.edu" }',
      [
        'chart-version-missing spec.chart.chart: The chart "vcluster" comes from elsewhere and has no version. Add "version" beside it.',
      ],
    ],
    [
      'chart in a registry and a repository',
      '  chart: { chart: "oci://r.example.edu/c", repository: "https://charts.example.edu", version: 1.0.0 }',
      ['chart-path-invalid spec.chart.repository: An oci:// chart names its registry itself. Remove "repository".'],
    ],
    [
      'chart outside of state/charts',
      '  chart: { chart: state/charts/../../etc }',
      [
        'chart-path-invalid spec.chart.chart: "state/charts/../../etc" is no chart below state/charts/. Move the chart there, or name the "repository" that it comes from.',
      ],
    ],
    [
      'raw values beside the field that they follow from',
      '  values: { controlPlane: { backingStore: {}, statefulSet: { highAvailability: { replicas: 3 } } } }',
      [
        'values-owned spec.values.controlPlane.backingStore: "controlPlane.backingStore" follows from spec.backingStore and cannot be set beside it. Use spec.backingStore, or render the chart with "spec.chart".',
        'values-owned spec.values.controlPlane.statefulSet.highAvailability.replicas: "controlPlane.statefulSet.highAvailability.replicas" follows from spec.replicas and cannot be set beside it. Use spec.replicas, or render the chart with "spec.chart".',
      ],
    ],
    [
      'raw values that only the chart reads',
      '  values: { rbac: { role: { extraRules: [] } } }',
      [
        'values-without-effect spec.values.rbac: "rbac" is read by the official chart only, and these objects are not made from it. Remove it, or render the chart with "spec.chart".',
      ],
    ],
    [
      'raw values beside a chart',
      '  values: { rbac: {} }\n  chart: { chart: state/charts/vcluster }',
      [
        'values-without-effect spec.values: "spec.values" is not used beside "spec.chart". Move it to "spec.chart.values".',
      ],
    ],
  ])('with %s', (_, spec, expected) => {
    expect(claim(spec)).toEqual(expected);
  });

  it('shows every fault at once, values and structure alike', () => {
    const spec = `
  replicas: two
  resources: { requests: { cpus: 1, memory: 1GB } }
  storage: { size: 5Gi, class: fast }
  expiry: { aftr: 90d }
  sleepSchedules: [{ sleep: 0 22 * * 7, timeZone: Europe/berlin }]
`;
    expect(claim(spec).map((line) => line.split(':')[0])).toEqual([
      'wrong-type spec.replicas',
      'quantity-invalid spec.resources.requests.memory',
      'resource-name-unknown spec.resources.requests.cpus',
      'unknown-key spec.storage.class',
      'unknown-key spec.expiry.aftr',
      'cron-invalid spec.sleepSchedules[0].sleep',
      'time-zone-unknown spec.sleepSchedules[0].timeZone',
    ]);
  });

  it('applies its rules although some keys are unknown and some values wrong', () => {
    expect(
      claim('  protect: true\n  state: Deleted\n  protected: true\n  version: latest').map(
        (line) => line.split(':')[0],
      ),
    ).toEqual(['version-invalid spec.version', 'unknown-key spec.protect', 'claim-protected-deleted spec.state']);
  });
});

describe('the name of a claim', () => {
  const fifty = 'a'.repeat(50);

  it.each<[name: string, spec: string, said: string[]]>([
    ['a'.repeat(52), '', []],
    [
      'a'.repeat(53),
      '',
      [
        `claim-name-budget metadata.name: "${'a'.repeat(53)}" has 53 characters; as name of a StatefulSet ("<name>") it may have 52. Shorten it by 1.`,
      ],
    ],
    [
      fifty,
      '  backingStore: deployedEtcd',
      [
        `claim-name-budget metadata.name: "${fifty}" has 50 characters; as name of the etcd StatefulSet ("<name>-etcd") it may have 47. Shorten it by 3.`,
      ],
    ],
    ['a'.repeat(47), '  backingStore: deployedEtcd', []],
    [
      'a-x-b',
      '',
      [
        'claim-name-separator metadata.name: "a-x-b" contains "-x-", which vCluster puts between the parts of the names it makes: they would be ambiguous. Choose a name without "-x-".',
      ],
    ],
    ['a-xy-b', '', []],
    [
      '9lives',
      '',
      [
        'name-invalid metadata.name: "9lives" is no valid name: lower-case letters, digits and "-", starting with a letter, ending with a letter or digit. Choose another name.',
      ],
    ],
  ])('%s %s', (name, spec, expected) => {
    expect(claim(spec, name)).toEqual(expected);
  });

  it('is that of its file', () => {
    expect(validated('state/claims/bob.yaml', claimText('ada')).said).toEqual([
      'name-differs-from-file metadata.name: The name is "ada", but the file is called "bob". Rename the file to "ada.yaml", or write "bob".',
    ]);
  });
});

describe('a claim of the older system', () => {
  const older = 'plethos.cs.hm.edu/v1beta2';

  it('is read as ours, whatever its version', () => {
    const { written, said } = validated('state/claims/ada.yaml', claimText('ada', '', older));
    expect(said).toEqual([]);
    expect(written).toHaveLength(1);
  });

  it('may have keys that only that one knew', () => {
    const { written, findings, said } = validated(
      'state/claims/ada.yaml',
      claimText('ada', '  tier: gold\nstatus: {}\n', older),
    );
    expect(findings.map(({ code }) => code)).toEqual(['unknown-key-carried', 'unknown-key-carried']);
    expect(said[0]).toMatch(/^unknown-key-carried spec\.tier: `tier` is not known in `spec`\. /);
    expect(written).toHaveLength(1);
  });

  it('may keep its file name, with a warning', () => {
    expect(validated('state/claims/claim-ada.yaml', claimText('ada', '', older)).findings).toMatchObject([
      { code: 'claim-file-name' },
    ]);
  });

  it('says when it was renewed', () => {
    const text = claimText('ada', '', older).replace(
      'name: ada',
      'name: ada\n  annotations: { plethos.cs.hm.edu/renewed-at: yesterday }',
    );
    expect(validated('state/claims/ada.yaml', text).said).toEqual([
      'instant-invalid metadata.annotations["plethos.cs.hm.edu/renewed-at"]: "yesterday" is no point in time as RFC 3339 writes it. Write for example "2026-01-31T08:00:00Z".',
    ]);
  });
});
