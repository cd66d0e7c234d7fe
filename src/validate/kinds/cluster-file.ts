import type { LoadedDocument, LoadedFile } from '../../load/documents.ts';
import { isError } from '../codes.ts';
import { at, type Finding } from '../finding.ts';
import { shown } from '../grammar/fault.ts';
import { parseDocument } from '../parse.ts';
import { applyRules } from '../rule.ts';
import { closest } from '../suggest.ts';
import type { WrittenClusterConfig, WrittenNodePool } from '../written.ts';
import { bareMetalGroup, clusterSchema, nodePoolSchema } from './cluster.ts';
import { clusterRules } from './cluster-rules.ts';

interface ValidatedConfig {
  readonly written: readonly WrittenClusterConfig[];
  readonly findings: readonly Finding[];
}

/** A cluster config as its users have it: we read the Cluster and its NodePools and leave everything else alone. */
export function validateClusterFile(file: LoadedFile): ValidatedConfig {
  const findings = file.documents.flatMap(kindFindings);
  const [cluster, second] = file.documents.filter((document) => isOf(document, 'Cluster'));
  if (second !== undefined) findings.push(secondCluster(second));
  if (cluster === undefined) return { written: [], findings: [...findings, ...missingCluster(file)] };
  const parsed = parseDocument(clusterSchema, cluster);
  const pools: WrittenNodePool[] = [];
  const poolDocuments = file.documents.filter((each) => isOf(each, 'NodePool'));
  for (const document of poolDocuments) {
    const { value, findings: inPool } = parseDocument(nodePoolSchema, document);
    findings.push(...inPool);
    if (value !== undefined) pools.push({ origin: document.origin, pool: value });
  }
  findings.push(...parsed.findings);
  if (parsed.value === undefined) return { written: [], findings };
  const { name } = parsed.value.metadata;
  const own = pools.filter(({ pool }) => (pool.spec.clusterName ?? name) === name);
  const written: WrittenClusterConfig = { kind: 'Cluster', origin: cluster.origin, cluster: parsed.value, pools: own };
  findings.push(...pools.filter((pool) => !own.includes(pool)).map((pool) => foreignPool(pool, name)));
  findings.push(...nameFindings(name, cluster), ...applyRules(clusterRules, written, cluster.origin));
  // With a document missing nothing can be said about which nodes a block selects.
  const isWhole = pools.length === poolDocuments.length && !file.findings.some(isError);
  return { written: isWhole ? [written] : [], findings };
}

function headerOf({ value }: LoadedDocument): { readonly group: string; readonly kind: string } {
  const { apiVersion, kind } = value as Readonly<Record<string, unknown>>;
  return { group: String(apiVersion ?? '').split('/')[0] ?? '', kind: typeof kind === 'string' ? kind : '' };
}

function isOf(document: LoadedDocument, kind: 'Cluster' | 'NodePool'): boolean {
  const header = headerOf(document);
  return header.group === bareMetalGroup && header.kind === kind;
}

/** What looks like a document that should have been read. Others, such as a Namespace or the secrets, are fine. */
function kindFindings(document: LoadedDocument): Finding[] {
  const { group, kind } = headerOf(document);
  const { origin } = document;
  if (group === 'quiesce.dev') {
    const message = `${shown(kind)} does not belong here; state/clusters/ holds cluster configs.`;
    return [
      { code: 'kind-unexpected', at: at(origin, ['kind']), message, remedy: 'Move it to its own folder of state/.' },
    ];
  }
  if (kind === 'Cluster' || kind === 'NodePool') {
    const meant = group === bareMetalGroup ? undefined : closest(group, [bareMetalGroup]);
    return meant === undefined ? [] : [misspelt(document, 'apiVersion', `${meant}/v1`)];
  }
  const meant = group === bareMetalGroup ? closest(kind, ['Cluster', 'NodePool']) : undefined;
  return meant === undefined ? [] : [misspelt(document, 'kind', meant)];
}

function misspelt({ origin, value }: LoadedDocument, key: 'kind' | 'apiVersion', meant: string): Finding {
  const found = (value as Readonly<Record<string, unknown>>)[key];
  return {
    code: 'kind-misspelt',
    at: at(origin, [key]),
    message: `${shown(found)} is not read.`,
    remedy: `Did you mean "${meant}"?`,
  };
}

function missingCluster({ path, documents }: LoadedFile): Finding[] {
  // A file that could not be read says so itself.
  if (documents.length === 0) return [];
  return [
    {
      code: 'cluster-document-missing',
      at: { kind: 'file', file: path },
      message: `The file holds no Cluster of ${bareMetalGroup}.`,
      remedy: 'Add it, or move the file out of state/clusters/.',
    },
  ];
}

function secondCluster({ origin }: LoadedDocument): Finding {
  return {
    code: 'cluster-document-repeated',
    at: at(origin, ['kind']),
    message: 'The file holds a second Cluster.',
    remedy: 'Move it, with its node pools, into a file of its own.',
  };
}

function foreignPool({ origin, pool }: WrittenNodePool, cluster: string): Finding {
  return {
    code: 'node-pool-foreign',
    at: at(origin, ['spec', 'clusterName']),
    message: `The pool ${shown(pool.metadata.name)} belongs to ${shown(pool.spec.clusterName)}, not to ${shown(cluster)}: its nodes do not count here.`,
    remedy: `Write ${shown(cluster)}, or move the pool into the file of its cluster.`,
  };
}

function nameFindings(name: string, { origin }: LoadedDocument): Finding[] {
  const base = origin.file.slice(origin.file.lastIndexOf('/') + 1).replace(/\.yaml$/, '');
  if (base === name) return [];
  return [
    {
      code: 'name-differs-from-file',
      at: at(origin, ['metadata', 'name']),
      message: `The cluster is called ${shown(name)}, but the file ${shown(base)}.`,
      remedy: `Rename the file to ${shown(`${name}.yaml`)}.`,
    },
  ];
}
