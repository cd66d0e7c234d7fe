import { describe, expect, it } from 'vitest';
import { validated } from './said.ts';

interface Parts {
  readonly annotations?: string;
  readonly blocks?: string;
  readonly nodes?: string;
  readonly more?: string;
}

function configText({
  annotations = '{}',
  blocks = '[]',
  nodes = '[{ address: 10.0.0.1 }]',
  more = '',
}: Parts = {}): string {
  return `# secrets preamble
gcrKeyPath: keys/gcr.json
---
apiVersion: v1
kind: Namespace
metadata: { name: cluster-metal }
---
apiVersion: baremetal.cluster.gke.io/v1
kind: Cluster
metadata:
  name: metal
  namespace: cluster-metal
  annotations: ${annotations}
spec:
  type: user
  anthosBareMetalVersion: 1.30.100-gke.1
  controlPlane: { nodePoolSpec: { nodes: [{ address: 10.0.1.1 }] } }
  maintenanceBlocks: { cidrBlocks: ${blocks} }
---
apiVersion: baremetal.cluster.gke.io/v1
kind: NodePool
metadata: { name: np1, namespace: cluster-metal }
spec:
  clusterName: metal
  nodes: ${nodes}
${more}`;
}

function config(parts: Parts = {}) {
  return validated('state/clusters/metal.yaml', configText(parts)).said;
}

const deadline = 'baremetal.cluster.gke.io/maintenance-mode-deadline-seconds';
const ignorePdb = 'baremetal.cluster.gke.io/maintenance-mode-ignore-pdb';
const blocksAt = 'spec.maintenanceBlocks.cidrBlocks';

describe('a cluster config', () => {
  it('is read as its users have it: several documents, other kinds, unknown fields', () => {
    const { written, said } = validated('state/clusters/metal.yaml', configText());
    expect(said).toEqual([]);
    expect(written).toMatchObject([
      {
        kind: 'Cluster',
        origin: { document: 2 },
        pools: [{ origin: { document: 3 }, pool: { metadata: { name: 'np1' } } }],
      },
    ]);
  });

  it('may leave out or leave empty all that is read of it', () => {
    const text = `apiVersion: baremetal.cluster.gke.io/v1
kind: Cluster
metadata: { name: metal, annotations: }
spec: { controlPlane: , maintenanceBlocks: { cidrBlocks: } }
`;
    expect(validated('state/clusters/metal.yaml', text).findings).toEqual([]);
  });

  it.each<[what: string, parts: Parts, said: string[]]>([
    ['blocks of every form', { blocks: '[10.0.0.1, 10.0.0.2-10.0.0.4, 10.0.0.8/29, "::1", "2001:db8::/32"]' }, []],
    [
      'a block that is no text',
      { blocks: '[10.5]' },
      [`wrong-type ${blocksAt}[0]: \`${blocksAt}[0]\` must be text, not the number 10.5. Put quotes around it.`],
    ],
    [
      'a malformed and a reversed block',
      { blocks: '[10.0.0.01, 10.0.0.4-10.0.0.2]' },
      [
        `address-malformed ${blocksAt}[0]: "10.0.0.01" is no address: leading zeros are octal to some programs and decimal to others. Write "10.0.0.1".`,
        `address-range-reversed ${blocksAt}[1]: "10.0.0.4-10.0.0.2" ends before it begins. Write "10.0.0.2-10.0.0.4".`,
      ],
    ],
    [
      'overlapping blocks',
      { blocks: '[10.0.0.1, 10.0.0.0/29, 10.0.0.9, 10.0.0.1]' },
      [
        `blocks-overlap ${blocksAt}[1]: "10.0.0.0/29" overlaps "10.0.0.1". Make them disjoint: else removing one does not end the maintenance of what both hold.`,
        `blocks-overlap ${blocksAt}[3]: "10.0.0.1" overlaps "10.0.0.0/29". Make them disjoint: else removing one does not end the maintenance of what both hold.`,
      ],
    ],
    [
      'a node without an address',
      { nodes: '[{ address: worker-1 }]' },
      [
        'address-malformed spec.nodes[0].address: "worker-1" is no address: an IPv4 address is four numbers of 0 to 255. Write one address.',
      ],
    ],
    [
      'a node in two pools',
      { nodes: '[{ address: 10.0.1.1 }]' },
      [
        'node-address-repeated spec.nodes[0].address: "10.0.1.1" is a node of "control-plane" already. Remove one of them.',
      ],
    ],
    [
      'one IPv6 node twice, spelled differently',
      { nodes: '[{ address: "2001:db8::1" }, { address: "2001:0DB8::0:1" }]' },
      ['node-address-repeated spec.nodes[1].address: "2001:0DB8::0:1" is a node of "np1" already. Remove one of them.'],
    ],
    [
      'a taint without a valid key',
      { nodes: '[]\n  taints: [{ key: a b, effect: NoSchedule }, { key: a, effect: Never }]' },
      [
        'invalid-value spec.taints[1].effect: `spec.taints[1].effect` must be `NoSchedule`, `PreferNoSchedule` or `NoExecute`, not the text "Never". Write `NoSchedule`, `PreferNoSchedule` or `NoExecute`.',
      ],
    ],
    [
      'a taint whose key is no label key',
      { nodes: '[]\n  taints: [{ key: a b, effect: NoSchedule }]' },
      [
        'label-key-invalid spec.taints[0].key: "a b" is no valid key: letters, digits, "-", "_" and "." are allowed, starting and ending with a letter or digit. Write it as "name" or "example.edu/name".',
      ],
    ],
    ['a deadline', { annotations: `{ ${deadline}: "600" }` }, []],
    [
      'a deadline without quotes',
      { annotations: `{ ${deadline}: 600 }` },
      [
        `annotation-not-text metadata.annotations["${deadline}"]: 600 without quotes is no text. Write "600", with the quotes.`,
      ],
    ],
    [
      'a deadline that is no number',
      { annotations: `{ ${deadline}: 20m }` },
      [
        `deadline-invalid metadata.annotations["${deadline}"]: "20m" is no positive whole number of seconds. Write for example "1200", which is the default.`,
      ],
    ],
    [
      'a deadline of nothing',
      { annotations: `{ ${deadline}: "0" }` },
      [
        `deadline-invalid metadata.annotations["${deadline}"]: "0" is no positive whole number of seconds. Write for example "1200", which is the default.`,
      ],
    ],
    ['ignore-pdb without a value', { annotations: `{ ${ignorePdb}: "" }` }, []],
    [
      'ignore-pdb that says false',
      { annotations: `{ ${ignorePdb}: "false" }` },
      [
        `ignore-pdb-misleading metadata.annotations["${ignorePdb}"]: "false" does not restore the default: the annotation is there, so disruption budgets are ignored. Remove the annotation to honour them, or write "" to ignore them.`,
      ],
    ],
    [
      'ignore-pdb that is false, without quotes',
      { annotations: `{ ${ignorePdb}: false }` },
      [
        `annotation-not-text metadata.annotations["${ignorePdb}"]: false without quotes is no text. Write "false", with the quotes.`,
        `ignore-pdb-misleading metadata.annotations["${ignorePdb}"]: "false" does not restore the default: the annotation is there, so disruption budgets are ignored. Remove the annotation to honour them, or write "" to ignore them.`,
      ],
    ],
    [
      'an annotation without a value',
      { annotations: `{ ${ignorePdb}: }` },
      [
        `annotation-not-text metadata.annotations["${ignorePdb}"]: An annotation without a value is no text. Write "", with the quotes.`,
      ],
    ],
    [
      'a pool of another cluster',
      {
        more: '---\napiVersion: baremetal.cluster.gke.io/v1\nkind: NodePool\nmetadata: { name: np2 }\nspec: { clusterName: metall }\n',
      },
      [
        'node-pool-foreign spec.clusterName: The pool "np2" belongs to "metall", not to "metal": its nodes do not count here. Write "metal", or move the pool into the file of its cluster.',
      ],
    ],
    [
      'a second cluster',
      { more: '---\napiVersion: baremetal.cluster.gke.io/v1\nkind: Cluster\nmetadata: { name: b }\nspec: {}\n' },
      [
        'cluster-document-repeated kind: The file holds a second Cluster. Move it, with its node pools, into a file of its own.',
      ],
    ],
    [
      'misspelt kinds and groups',
      {
        more: '---\napiVersion: baremetal.cluster.gke.io/v1\nkind: Nodepool\n---\napiVersion: baremetal.cluster.gke.com/v1\nkind: NodePool\n---\napiVersion: cluster.x-k8s.io/v1\nkind: Cluster\n',
      },
      [
        'kind-misspelt kind: "Nodepool" is not read. Did you mean "NodePool"?',
        'kind-misspelt apiVersion: "baremetal.cluster.gke.com/v1" is not read. Did you mean "baremetal.cluster.gke.io/v1"?',
      ],
    ],
    [
      'a document of ours',
      { more: '---\napiVersion: quiesce.dev/v1alpha1\nkind: Installation\n' },
      [
        'kind-unexpected kind: "Installation" does not belong here; state/clusters/ holds cluster configs. Move it to its own folder of state/.',
      ],
    ],
  ])('with %s', (_, parts, expected) => {
    expect(config(parts)).toEqual(expected);
  });

  it('has the name of its cluster', () => {
    expect(validated('state/clusters/steel.yaml', configText()).said).toEqual([
      'name-differs-from-file metadata.name: The cluster is called "metal", but the file "steel". Rename the file to "metal.yaml".',
    ]);
  });

  it('has a cluster', () => {
    const text = 'apiVersion: v1\nkind: Namespace\nmetadata: { name: x }\n';
    expect(validated('state/clusters/x.yaml', text).said).toEqual([
      'cluster-document-missing file: The file holds no Cluster of baremetal.cluster.gke.io. Add it, or move the file out of state/clusters/.',
    ]);
  });

  it('is silent about a file that could not be read at all', () => {
    expect(validated('state/clusters/x.yaml', 'a: [').findings.map(({ code }) => code)).toEqual(['yaml-syntax']);
  });
});
