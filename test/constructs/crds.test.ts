import { describe, expect, test } from 'vitest';
import { fieldsOf, type PlainObject } from '../../constructs/plain-object.ts';
import { protectedAnnotations } from '../../constructs/protection.ts';
import { config, declared, lab, monitoring, objectsOf, shutdown } from './instance.ts';
import { claimWith, pick, render } from './sample.ts';
import { structuralFaults, valueFaults, type WrittenSchema } from './structural-schema.ts';

interface Version {
  readonly name: string;
  readonly schema: { readonly openAPIV3Schema: WrittenSchema };
  readonly additionalPrinterColumns: readonly {
    readonly name: string;
    readonly jsonPath: string;
    readonly priority?: number;
  }[];
}

const crds = objectsOf({ kind: 'system', part: 'crds', cluster: lab });

function versionOf(kind: string): Version {
  const crd = crds.find(({ spec }) => fieldsOf(fieldsOf(spec).names).kind === kind);
  return (fieldsOf(crd?.spec).versions as unknown as readonly [Version])[0];
}

function faultsOf(object: PlainObject): string[] {
  return valueFaults(versionOf(object.kind).schema.openAPIV3Schema, object);
}

test.each([
  ['ClusterShutdown', 'clustershutdowns.quiesce.dev', ['csd']],
  ['Installation', 'installations.quiesce.dev', ['inst']],
  ['MaintenanceBlock', 'maintenanceblocks.quiesce.dev', ['mb']],
  ['VClusterClaim', 'vclusterclaims.quiesce.dev', ['vcc']],
])('%s is cluster-scoped, protected, and served with a status', (kind, name, shortNames) => {
  const crd = crds.find(({ metadata }) => metadata.name === name);
  expect(crd?.metadata.annotations).toEqual(protectedAnnotations);
  expect(crd?.spec).toMatchObject({
    group: 'quiesce.dev',
    scope: 'Cluster',
    names: { kind, shortNames },
    versions: [{ name: 'v1alpha1', served: true, storage: true, subresources: { status: {} } }],
  });
});

test.each(['ClusterShutdown', 'Installation', 'MaintenanceBlock', 'VClusterClaim'])(
  'the schema of %s is structural',
  (kind) => {
    expect(structuralFaults(versionOf(kind).schema.openAPIV3Schema)).toEqual([]);
  },
);

describe('columns', () => {
  test.each([
    ['VClusterClaim', 'State Phase Since Expires Owner Blocker', 'Step Version Replicas Host Age'],
    ['MaintenanceBlock', 'Ready Reconciling Stalled UnderMaintenance Unknown', 'Config Deadline Age'],
    ['Installation', 'State Phase Since Step Blocker', 'Error Done Total Strategy Age'],
    ['ClusterShutdown', 'Action Phase Since NodesLeft WaitingFor', 'Age'],
  ])('of %s: %s; with -o wide also %s', (kind, narrow, wide) => {
    const columns = versionOf(kind).additionalPrinterColumns;
    const names = (isWide: boolean) =>
      columns.filter(({ priority }) => (priority === 1) === isWide).map(({ name }) => name);
    expect(names(false).join(' ')).toBe(narrow);
    expect(names(true).join(' ')).toBe(wide);
  });

  test.each(['ClusterShutdown', 'Installation', 'MaintenanceBlock', 'VClusterClaim'])(
    'of %s show fields that exist',
    (kind) => {
      const { schema, additionalPrinterColumns } = versionOf(kind);
      const shown = additionalPrinterColumns.filter(({ jsonPath }) => !jsonPath.startsWith('.metadata.'));
      expect(shown.filter(({ jsonPath }) => at(schema.openAPIV3Schema, jsonPath) === undefined)).toEqual([]);
    },
  );
});

/** `.spec.owners[0].email`, through the schema. */
function at(schema: WrittenSchema, jsonPath: string): WrittenSchema | undefined {
  return jsonPath
    .slice(1)
    .split('.')
    .reduce<WrittenSchema | undefined>((inner, step) => {
      const property = inner?.properties?.[step.replace('[0]', '')];
      return step.endsWith('[0]') ? property?.items : property;
    }, schema);
}

describe('what is rendered fits its own schema', () => {
  const claims = [
    claimWith(),
    claimWith({ name: 'bob', state: 'Deleted', expiry: 'Never', backingStore: 'deployedEtcd', replicas: 3 }),
    claimWith({ name: 'eve', schedules: [{ sleep: '0 20 * * *', timeZone: 'Europe/Berlin' }], protected: true }),
  ];
  const components = new Map([['operator', [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }]]]);
  const deleted = { ...monitoring, state: 'Deleted' } as const;
  const { powerHook: _, ...withoutHook } = shutdown;
  test.each<[string, PlainObject | undefined]>([
    ...claims.map((claim): [string, PlainObject] => [claim.name, pick(render(claim), 'VClusterClaim')]),
    ['a block', objectsOf({ kind: 'maintenance', config })[0]],
    [
      'an empty block',
      objectsOf({ kind: 'maintenance', config: { ...config, blocks: [], nodes: [], unmatched: [] } })[0],
    ],
    ['an installation', objectsOf({ kind: 'installation', installation: monitoring }, { components })[0]],
    ['a deleted installation', objectsOf({ kind: 'installation', installation: deleted })[0]],
    ['a shutdown', objectsOf({ kind: 'shutdown', shutdown, nodes: declared })[0]],
    ['a shutdown by hand', objectsOf({ kind: 'shutdown', shutdown: { ...withoutHook, action: 'None' }, nodes: [] })[0]],
  ])('%s', (_name, object) => {
    expect(object === undefined ? ['nothing rendered'] : faultsOf(object)).toEqual([]);
  });
});

describe('what cannot be right is refused', () => {
  const claim = pick(render(claimWith()), 'VClusterClaim');
  const block = objectsOf({ kind: 'maintenance', config })[0] as PlainObject;
  const node = { address: '10.0.0.11', pool: 'a', role: 'worker', taints: [] };
  test.each<[string, PlainObject, Record<string, unknown>, string]>([
    ['an unknown state', claim, { state: 'Paused' }, '$.spec.state: "Paused" does not fit'],
    ['no replicas', claim, { replicas: 0 }, '$.spec.replicas: 0 is out of range'],
    ['a misspelt field', claim, { replica: 1 }, '$.spec: unknown field replica'],
    [
      'half an address',
      block,
      { nodes: [{ ...node, address: '10.0.0' }] },
      '$.spec.nodes[0].address: "10.0.0" does not fit',
    ],
    ['one node twice', block, { nodes: [node, node] }, '$.spec.nodes: a key is there twice'],
    ['a role that is none', block, { nodes: [{ ...node, role: 'x' }] }, '$.spec.nodes[0].role: "x" does not fit'],
  ])('%s', (_name, object, changes, fault) => {
    const changed = { ...object, spec: { ...fieldsOf(object.spec), ...changes } } as PlainObject;
    expect(faultsOf(changed)).toEqual([fault]);
  });
});

test('there are no defaults: what the API server fills in would be a difference to git', () => {
  expect(JSON.stringify(crds)).not.toContain('"default":');
});
