import { describe, expect, it } from 'vitest';
import { componentFacts, installationFacts } from '../../src/resolve/facts.ts';
import { resolved, settingsOf } from './resolved.ts';

function installation(spec: string) {
  const text = `apiVersion: quiesce.dev/v1alpha1\nkind: Installation\nmetadata: { name: shop }\nspec:\n${spec}`;
  const { values, said } = resolved('state/installations/shop.yaml', text, settingsOf());
  const [first] = values;
  return { value: first?.kind === 'installation' ? first.value : undefined, said };
}

describe('an installation', () => {
  it('gets a default for everything that it does not say', () => {
    const { value } = installation('  cluster: atlas\n  components: [{ name: db, namespace: shop }]\n');
    expect(value).toEqual({
      origin: { file: 'state/installations/shop.yaml', document: 0 },
      name: 'shop',
      cluster: 'atlas',
      state: 'Installed',
      deletion: { strategy: 'Ordered', timeout: 3600, confirm: false },
      components: [
        {
          name: 'db',
          namespace: 'shop',
          dependsOn: [],
          wave: 0,
          source: { kind: 'manifests', dir: 'state/installations/shop/db' },
          deletion: {
            preDelete: [],
            delete: [],
            postDelete: [],
            sweep: [],
            persistentVolumeClaims: 'Retain',
            namespace: 'DeleteWhenEmpty',
          },
        },
      ],
    });
  });

  it('keeps what it says', () => {
    const { value } = installation(`  cluster: atlas
  state: Deleted
  deletion: { strategy: Quick, timeout: 5m, confirm: shop }
  components:
    - name: web
      namespace: kube-public
      source: { helm: { chart: web, repository: "https://c.example.edu", version: 1.0.0, values: { a: 1 } } }
      deletion:
        preDelete: [{ name: stop, image: "tool:1", command: [stop], serviceAccount: web, timeout: 1h }]
        delete: [{ name: gone, image: "tool:1", command: [gone] }]
        persistentVolumeClaims: Delete
`);
    expect(value).toMatchObject({
      state: 'Deleted',
      deletion: { strategy: 'Quick', timeout: 300, confirm: true },
      components: [
        {
          source: {
            kind: 'helm',
            chart: 'web',
            repository: 'https://c.example.edu',
            version: '1.0.0',
            values: { a: 1 },
          },
          deletion: {
            preDelete: [{ name: 'stop', image: 'tool:1', command: ['stop'], serviceAccount: 'web', timeout: 3600 }],
            delete: [{ name: 'gone', image: 'tool:1', command: ['gone'], timeout: 600 }],
            persistentVolumeClaims: 'Delete',
            namespace: 'Keep',
          },
        },
      ],
    });
  });

  it('has its components in waves, each after all that it needs', () => {
    const { value } = installation(`  cluster: atlas
  components:
    - { name: dashboards, namespace: x, dependsOn: [metrics, logs] }
    - { name: metrics, namespace: x, dependsOn: [base] }
    - { name: logs, namespace: x }
    - { name: base, namespace: x }
`);
    expect(value?.components.map(({ name, wave }) => [name, wave])).toEqual([
      ['dashboards', 2],
      ['metrics', 1],
      ['logs', 0],
      ['base', 0],
    ]);
  });

  it('is remembered by facts', () => {
    const { value } = installation(
      '  cluster: atlas\n  components: [{ name: a, namespace: x }, { name: b, namespace: y, dependsOn: [a] }]\n',
    );
    const second = value?.components[1];
    if (value === undefined || second === undefined) throw new Error('not resolved');
    expect(installationFacts(value)).toEqual({
      kind: 'installation',
      name: 'shop',
      cluster: 'atlas',
      state: 'Installed',
      components: ['a', 'b'],
    });
    expect(componentFacts(value, second, 'd1')).toEqual({
      kind: 'component',
      installation: 'shop',
      name: 'b',
      cluster: 'atlas',
      namespace: 'y',
      wave: 1,
      dependsOn: ['a'],
      digest: 'd1',
    });
  });

  it('is on a host cluster', () => {
    expect(installation('  cluster: altas\n  components: [{ name: a, namespace: x }]\n')).toEqual({
      value: undefined,
      said: [
        'host-cluster-unknown spec.cluster: There is no host cluster "altas" in the settings. Did you mean "atlas"?',
      ],
    });
  });
});

describe('a shutdown', () => {
  const shutdown = (name: string) =>
    resolved(
      `state/shutdowns/${name}.yaml`,
      `apiVersion: quiesce.dev/v1alpha1\nkind: ClusterShutdown\nmetadata: { name: ${name} }\nspec: { action: Restart, powerHook: { name: p, image: "p:1", command: [p] } }\n`,
      settingsOf(),
    );

  it('is of a host cluster', () => {
    expect(shutdown('atlas').values).toEqual([
      {
        kind: 'shutdown',
        value: {
          origin: { file: 'state/shutdowns/atlas.yaml', document: 0 },
          cluster: 'atlas',
          action: 'Restart',
          backupAcknowledged: false,
          powerHook: { name: 'p', image: 'p:1', command: ['p'], timeout: 600 },
        },
      },
    ]);
    expect(shutdown('alas').said).toEqual([
      'host-cluster-unknown metadata.name: There is no host cluster "alas" in the settings. Did you mean "atlas"?',
    ]);
  });
});

it('a record is resolved as written', () => {
  const text = `apiVersion: quiesce.dev/v1alpha1
kind: Record
metadata: { name: ada }
spec:
  identity: 0123456789abcdef0123
  firstSeen: "2026-01-01T00:00:00Z"
  renewals: [{ at: "2026-01-02T00:00:00Z", by: ada@example.edu }, { at: "2026-01-03T00:00:00Z" }]
  deadlines: { delete: "2026-06-01T00:00:00Z" }
  uninstalled: { at: "2026-06-02T00:00:00Z", data: Kept }
`;
  expect(resolved('state/records/ada.yaml', text, settingsOf()).values).toEqual([
    {
      kind: 'record',
      value: {
        origin: { file: 'state/records/ada.yaml', document: 0 },
        name: 'ada',
        identity: '0123456789abcdef0123',
        firstSeen: '2026-01-01T00:00:00Z',
        renewals: [{ at: '2026-01-02T00:00:00Z', by: 'ada@example.edu' }, { at: '2026-01-03T00:00:00Z' }],
        warnings: [],
        notices: [],
        rejections: [],
        deadlines: { delete: '2026-06-01T00:00:00Z' },
        uninstalled: { at: '2026-06-02T00:00:00Z', data: 'Kept' },
      },
    },
  ]);
});
