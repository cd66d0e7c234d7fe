import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../support/runs.ts';
import { resolved, settingsOf } from './resolved.ts';

const settings = settingsOf({
  clusters: '[{ name: atlas, server: "https://a.example.edu", applier: argocd, configs: [metal] }]',
});

interface Parts {
  readonly blocks?: readonly string[];
  readonly nodes?: readonly string[];
  readonly version?: string;
  readonly annotations?: string;
}

function configText({ blocks = [], nodes = [], version = '1.30.1', annotations = '{}' }: Parts): string {
  return `apiVersion: baremetal.cluster.gke.io/v1
kind: Cluster
metadata: { name: metal, annotations: ${annotations} }
spec:
  anthosBareMetalVersion: ${version}
  controlPlane: { nodePoolSpec: { nodes: [{ address: 10.9.9.9 }], taints: [{ key: cp, effect: NoSchedule }] } }
  maintenanceBlocks: { cidrBlocks: ${JSON.stringify(blocks)} }
---
apiVersion: baremetal.cluster.gke.io/v1
kind: NodePool
metadata: { name: np1 }
spec: { nodes: ${JSON.stringify(nodes.map((address) => ({ address })))} }
`;
}

function config(parts: Parts, given = settings) {
  const { values, said } = resolved('state/clusters/metal.yaml', configText(parts), given);
  const [first] = values;
  return { config: first?.kind === 'cluster' ? first.value : undefined, said };
}

const blocksAt = 'spec.maintenanceBlocks.cidrBlocks';

describe('a cluster config', () => {
  it('selects exactly the declared nodes that its blocks hold, in the order of addresses', () => {
    const { config: value, said } = config({
      blocks: ['10.0.0.9-10.0.0.10', '2001:db8::/32', '10.9.9.9'],
      nodes: ['10.0.0.10', '10.0.0.9', '10.0.0.8', '2001:DB8:0::1'],
    });
    expect(said).toEqual([]);
    expect(value?.nodes.map(({ address, pool, role }) => [address, pool, role])).toEqual([
      ['10.0.0.9', 'np1', 'worker'],
      ['10.0.0.10', 'np1', 'worker'],
      ['10.9.9.9', 'control-plane', 'control-plane'],
      ['2001:db8::1', 'np1', 'worker'],
    ]);
    expect(value?.declared).toHaveLength(5);
    expect(value?.nodes[2]).toEqual({
      address: '10.9.9.9',
      pool: 'control-plane',
      role: 'control-plane',
      taints: [{ key: 'cp', effect: 'NoSchedule' }],
      maintenanceTaints: [
        { key: 'baremetal.cluster.gke.io/maintenance', effect: 'NoSchedule' },
        { key: 'baremetal.cluster.gke.io/maintenance', effect: 'NoExecute' },
      ],
    });
  });

  it('names the blocks that match nothing, however many addresses they hold', () => {
    const parts = { blocks: ['10.0.0.1', '::/0', '10.0.0.2-10.0.0.255'], nodes: ['10.0.0.3'] };
    const { config: value, said } = config(parts);
    expect(value?.unmatched).toEqual(['10.0.0.1', '::/0']);
    expect(said).toEqual([
      `block-matches-no-node ${blocksAt}[0]: No node of this file has the address "10.0.0.1". Correct the address, or add the node to its pool.`,
      `block-matches-no-node ${blocksAt}[1]: No node of this file is in "::/0". Correct the address, or add the node to its pool.`,
    ]);
    const strict = { ...settings, maintenance: { ...settings.maintenance, strict: true } };
    expect(config(parts, strict).said.map((line) => line.split(' ')[0])).toEqual([
      'block-matches-no-node-strict',
      'block-matches-no-node-strict',
    ]);
  });

  it('selects what counting through the blocks would select', () => {
    const blocks = fc.array(fc.tuple(fc.nat(40), fc.nat(8)), { maxLength: 5 });
    const nodes = fc.uniqueArray(fc.nat(50), { maxLength: 20 });
    fc.assert(
      fc.property(blocks, nodes, (ranges, numbers) => {
        const texts = ranges.map(([start, length]) => `10.0.0.${start}-10.0.0.${start + length}`);
        const { config: value } = config({ blocks: texts, nodes: numbers.map((number) => `10.0.0.${number}`) });
        const holds = (number: number) => ranges.some(([start, length]) => number >= start && number <= start + length);
        const expected = numbers.filter(holds).sort((a, b) => a - b);
        expect(value?.nodes.map(({ address }) => Number(address.split('.')[3]))).toEqual(expected);
        const empty = ranges.filter(([start, length]) => !numbers.some((n) => n >= start && n <= start + length));
        expect(value?.unmatched).toHaveLength(empty.length);
      }),
      { numRuns: runs(50) },
    );
  });

  it.each([
    ['1.28.900-gke.1', '1.28', true],
    ['1.16.2', '1.28', true],
    ['0.0.0-gke.0', '1.28', true],
    ['1.29.0', '1.29', false],
    ['1.32.100', '1.29', false],
    ['2.0.0', '1.29', false],
    ['unknown', '1.29', false],
    ['""', '1.29', false],
  ])('of version %s drains as %s does', (version, profile, ignorePdb) => {
    expect(config({ version }).config).toMatchObject({ profile, ignorePdb });
  });

  it('takes the profile from the settings where it names no version', () => {
    const old = { ...settings, maintenance: { ...settings.maintenance, profile: '1.28' as const } };
    expect(config({ version: 'unknown' }, old).config).toMatchObject({ profile: '1.28', ignorePdb: true });
    expect(config({ version: '1.30.0' }, old).config).toMatchObject({ profile: '1.29', ignorePdb: false });
  });

  it.each([
    ['{}', 1200, false],
    ['{ baremetal.cluster.gke.io/maintenance-mode-deadline-seconds: "600" }', 600, false],
    ['{ baremetal.cluster.gke.io/maintenance-mode-ignore-pdb: "" }', 1200, true],
    ['{ baremetal.cluster.gke.io/maintenance-mode-ignore-pdb: "false" }', 1200, true],
  ])('with annotations %s waits %d seconds', (annotations, deadlineSeconds, ignorePdb) => {
    expect(config({ annotations }).config).toMatchObject({ deadlineSeconds, ignorePdb });
  });

  it('belongs to the host cluster of its name, or to the one that names it', () => {
    expect(config({}).config?.cluster).toBe('atlas');
    expect(
      config({}, settingsOf({ clusters: '[{ name: metal, server: "https://m.example.edu", applier: flux }]' })).config
        ?.cluster,
    ).toBe('metal');
  });

  it('belongs to some host cluster', () => {
    const other = (configs: string) =>
      settingsOf({
        clusters: `[{ name: atlas, server: "https://a.example.edu", applier: argocd, configs: [${configs}] }]`,
      });
    expect(config({}, other('')).said).toEqual([
      'config-without-host-cluster metadata.name: No host cluster in the settings has a cluster config "metal". Add "metal" to "configs" of the host cluster that its nodes are in.',
    ]);
    expect(config({}, other('mental')).said).toEqual([
      'config-without-host-cluster metadata.name: No host cluster in the settings has a cluster config "metal". Did you mean "mental"?',
    ]);
  });
});
