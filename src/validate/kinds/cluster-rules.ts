import { at, type DataPath, type Finding, type Origin } from '../finding.ts';
import { type AddressBlock, blocksOverlap, compareAddresses, parseAddress, parseBlock } from '../grammar/addresses.ts';
import { shown } from '../grammar/fault.ts';
import { qualifiedNameFault } from '../grammar/names.ts';
import { faultAt, type Rule } from '../rule.ts';
import type { WrittenClusterConfig } from '../written.ts';
import { deadlineAnnotation, ignorePdbAnnotation } from './cluster.ts';
import { declaredNodes, declaredPools } from './cluster-nodes.ts';

export const clusterRules: readonly Rule<WrittenClusterConfig>[] = [
  blocksAreAddresses,
  blocksAreDisjoint,
  nodesHaveAddresses,
  nodesAreInOnePool,
  taintsHaveKeys,
  annotationsAreText,
  deadlineIsANumber,
  ignorePdbSaysNothing,
];

const blocksPath: DataPath = ['spec', 'maintenanceBlocks', 'cidrBlocks'];

function blocksOf({ cluster }: WrittenClusterConfig): readonly string[] {
  return cluster.spec.maintenanceBlocks?.cidrBlocks ?? [];
}

function blocksAreAddresses(written: WrittenClusterConfig, origin: Origin): Finding[] {
  return blocksOf(written).flatMap((text, index) => {
    const { fault } = parseBlock(text);
    return fault === undefined ? [] : [faultAt(fault, origin, [...blocksPath, index])];
  });
}

/** In the order of addresses each block is held against the one that reaches furthest so far: no pair is missed that matters. */
function blocksAreDisjoint(written: WrittenClusterConfig, origin: Origin): Finding[] {
  const blocks = blocksOf(written).flatMap((text, index) => {
    const { value } = parseBlock(text);
    return value === undefined ? [] : [{ ...value, index }];
  });
  blocks.sort(
    (a, b) =>
      compareAddresses({ family: a.family, value: a.first }, { family: b.family, value: b.first }) || a.index - b.index,
  );
  const findings: Finding[] = [];
  let furthest: (AddressBlock & { readonly index: number }) | undefined;
  for (const block of blocks) {
    if (furthest !== undefined && blocksOverlap(furthest, block)) findings.push(overlap(furthest, block, origin));
    if (furthest === undefined || furthest.family !== block.family || block.last > furthest.last) furthest = block;
  }
  return findings;
}

type Indexed = AddressBlock & { readonly index: number };

function overlap(a: Indexed, b: Indexed, origin: Origin): Finding {
  const [earlier, later] = a.index < b.index ? [a, b] : [b, a];
  return {
    code: 'blocks-overlap',
    at: at(origin, [...blocksPath, later.index]),
    message: `${shown(later.text)} overlaps ${shown(earlier.text)}.`,
    remedy: 'Make them disjoint: else removing one does not end the maintenance of what both hold.',
    related: [{ message: 'overlaps this one', at: at(origin, [...blocksPath, earlier.index]) }],
  };
}

function nodesHaveAddresses(written: WrittenClusterConfig): Finding[] {
  return declaredNodes(written).flatMap(({ address, origin, path }) => {
    const { fault } = parseAddress(address);
    return fault === undefined
      ? []
      : [
          faultAt(
            { ...fault, remedy: fault.remedy.replace(/^Write an address,.*/, 'Write one address.') },
            origin,
            path,
          ),
        ];
  });
}

function nodesAreInOnePool(written: WrittenClusterConfig): Finding[] {
  const first = new Map<string, ReturnType<typeof declaredNodes>[number]>();
  return declaredNodes(written).flatMap((node): Finding[] => {
    const { value } = parseAddress(node.address);
    if (value === undefined) return [];
    const key = `${value.family} ${value.value}`;
    const before = first.get(key);
    if (before === undefined) {
      first.set(key, node);
      return [];
    }
    return [
      {
        code: 'node-address-repeated',
        at: at(node.origin, node.path),
        message: `${shown(node.address)} is a node of ${shown(before.pool)} already.`,
        remedy: 'Remove one of them.',
        related: [{ message: 'the first one', at: at(before.origin, before.path) }],
      },
    ];
  });
}

function taintsHaveKeys(written: WrittenClusterConfig): Finding[] {
  return declaredPools(written).flatMap(({ taints, origin, path }) =>
    taints.flatMap(({ key }, index) => {
      const fault = qualifiedNameFault(key);
      return fault === undefined ? [] : [faultAt({ ...fault, on: 'value' }, origin, [...path, 'taints', index, 'key'])];
    }),
  );
}

function annotationsAreText({ cluster }: WrittenClusterConfig, origin: Origin): Finding[] {
  return [deadlineAnnotation, ignorePdbAnnotation].flatMap((key): Finding[] => {
    const value = cluster.metadata.annotations?.[key];
    if (value === undefined || typeof value === 'string') return [];
    const isEmpty = value === null;
    return [
      {
        code: 'annotation-not-text',
        at: at(origin, ['metadata', 'annotations', key]),
        message: isEmpty ? 'An annotation without a value is no text.' : `${String(value)} without quotes is no text.`,
        remedy: `Write "${isEmpty || typeof value === 'object' ? '' : String(value)}", with the quotes.`,
      },
    ];
  });
}

function deadlineIsANumber({ cluster }: WrittenClusterConfig, origin: Origin): Finding[] {
  const value = cluster.metadata.annotations?.[deadlineAnnotation];
  if (value === undefined || value === null || typeof value === 'object') return [];
  if (/^[1-9][0-9]{0,8}$/.test(String(value))) return [];
  return [
    {
      code: 'deadline-invalid',
      at: at(origin, ['metadata', 'annotations', deadlineAnnotation]),
      message: `${shown(value)} is no positive whole number of seconds.`,
      remedy: 'Write for example "1200", which is the default.',
    },
  ];
}

function ignorePdbSaysNothing({ cluster }: WrittenClusterConfig, origin: Origin): Finding[] {
  const value = cluster.metadata.annotations?.[ignorePdbAnnotation];
  if (value === undefined || value === null || typeof value === 'object') return [];
  // Whoever writes `true` means what happens.
  if (['', 'true'].includes(String(value))) return [];
  return [
    {
      code: 'ignore-pdb-misleading',
      at: at(origin, ['metadata', 'annotations', ignorePdbAnnotation]),
      message: `${shown(value)} does not restore the default: the annotation is there, so disruption budgets are ignored.`,
      remedy: 'Remove the annotation to honour them, or write "" to ignore them.',
    },
  ];
}
