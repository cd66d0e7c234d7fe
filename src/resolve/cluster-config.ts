import { at, type Finding } from '../validate/finding.ts';
import {
  type Address,
  type AddressBlock,
  addressText,
  compareAddresses,
  contains,
  parseAddress,
  parseBlock,
} from '../validate/grammar/addresses.ts';
import { shown } from '../validate/grammar/fault.ts';
import { bareMetalGroup, deadlineAnnotation, ignorePdbAnnotation } from '../validate/kinds/cluster.ts';
import { declaredNodes } from '../validate/kinds/cluster-nodes.ts';
import { closest } from '../validate/suggest.ts';
import type { WrittenClusterConfig } from '../validate/written.ts';
import type { ClusterConfig, DeclaredNode, Settings, Taint } from './state.ts';
import type { Resolved } from './tools.ts';

const defaultDeadline = 1200;

const maintenanceTaints: readonly Taint[] = [
  { key: `${bareMetalGroup}/maintenance`, effect: 'NoSchedule' },
  { key: `${bareMetalGroup}/maintenance`, effect: 'NoExecute' },
];

/** Which declared nodes a cluster config puts into maintenance, and how. */
export function resolveClusterConfig(written: WrittenClusterConfig, settings: Settings): Resolved<ClusterConfig> {
  const { origin, cluster } = written;
  const { name, annotations } = cluster.metadata;
  const host = settings.clusters.find((each) => each.name === name || each.configs.includes(name));
  if (host === undefined) return { findings: [withoutHost(written, settings)] };
  const texts = cluster.spec.maintenanceBlocks?.cidrBlocks ?? [];
  const blocks = texts.flatMap((text, index) => {
    const { value } = parseBlock(text);
    return value === undefined ? [] : [{ ...value, index }];
  });
  const declared = sortedNodes(written);
  const members = blocks.map((block) => ({ block, nodes: nodesIn(block, declared) }));
  const selected = new Set(members.flatMap(({ nodes }) => nodes));
  const empty = members.filter(({ nodes }) => nodes.length === 0).map(({ block }) => block);
  const profile = profileOf(cluster.spec.anthosBareMetalVersion) ?? settings.maintenance.profile;
  const value: ClusterConfig = {
    origin,
    name,
    cluster: host.name,
    blocks: texts,
    nodes: declared.filter((node) => selected.has(node)).map(({ node }) => ({ ...node, maintenanceTaints })),
    unmatched: empty.map(({ text }) => text),
    deadlineSeconds: deadlineOf(annotations?.[deadlineAnnotation]),
    ignorePdb: profile === '1.28' || (annotations != null && Object.hasOwn(annotations, ignorePdbAnnotation)),
    profile,
    declared: declared.map(({ node }) => node),
  };
  return { value, findings: empty.map((block) => withoutNode(written, block, settings.maintenance.strict)) };
}

interface Located {
  readonly address: Address;
  readonly node: DeclaredNode;
}

/** By address, each once, written as a node reports it. Malformed ones are left out: they are errors already. */
function sortedNodes(written: WrittenClusterConfig): Located[] {
  const nodes = declaredNodes(written).flatMap(({ address: text, pool, role, taints }): Located[] => {
    const { value } = parseAddress(text);
    return value === undefined ? [] : [{ address: value, node: { address: addressText(value), pool, role, taints } }];
  });
  nodes.sort((a, b) => compareAddresses(a.address, b.address));
  return nodes.filter(({ address }, index) => {
    const before = nodes[index - 1];
    return before === undefined || compareAddresses(before.address, address) !== 0;
  });
}

/** From the first node that is not before the block to the last one in it: a block may hold more addresses than atoms are. */
function nodesIn(block: AddressBlock, nodes: readonly Located[]): Located[] {
  const first = { family: block.family, value: block.first };
  let low = 0;
  let high = nodes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const node = nodes[middle];
    if (node !== undefined && compareAddresses(node.address, first) < 0) low = middle + 1;
    else high = middle;
  }
  const found: Located[] = [];
  for (let index = low; index < nodes.length; index++) {
    const node = nodes[index];
    if (node === undefined || !contains(block, node.address)) break;
    found.push(node);
  }
  return found;
}

/** 1.28 and before drain by taint. A version that cannot be read is left to the settings. */
function profileOf(version: string | null | undefined): ClusterConfig['profile'] | undefined {
  const [, major, minor] = /^v?([0-9]+)\.([0-9]+)(?:\.|$)/.exec(version ?? '') ?? [];
  if (major === undefined || minor === undefined) return undefined;
  return Number(major) > 1 || Number(minor) > 28 ? '1.29' : '1.28';
}

function deadlineOf(annotation: unknown): number {
  const seconds = Number(annotation ?? defaultDeadline);
  return Number.isSafeInteger(seconds) && seconds > 0 ? seconds : defaultDeadline;
}

function withoutHost({ origin, cluster }: WrittenClusterConfig, settings: Settings): Finding {
  const { name } = cluster.metadata;
  const meant = closest(
    name,
    settings.clusters.flatMap((each) => [each.name, ...each.configs]),
  );
  return {
    code: 'config-without-host-cluster',
    at: at(origin, ['metadata', 'name']),
    message: `No host cluster in the settings has a cluster config ${shown(name)}.`,
    remedy:
      meant === undefined
        ? `Add ${shown(name)} to "configs" of the host cluster that its nodes are in.`
        : `Did you mean ${shown(meant)}?`,
  };
}

function withoutNode(
  { origin }: WrittenClusterConfig,
  block: AddressBlock & { readonly index: number },
  strict: boolean,
): Finding {
  const isSingle = block.form === 'single';
  return {
    code: strict ? 'block-matches-no-node-strict' : 'block-matches-no-node',
    at: at(origin, ['spec', 'maintenanceBlocks', 'cidrBlocks', block.index]),
    message: isSingle
      ? `No node of this file has the address ${shown(block.text)}.`
      : `No node of this file is in ${shown(block.text)}.`,
    remedy: 'Correct the address, or add the node to its pool.',
  };
}
