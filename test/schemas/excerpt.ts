/**
 * Takes from upstream's own schemas what `objects.test.ts` checks with, without the descriptions:
 *
 *     npm run schemas -- KUBERNETES CRD…
 *
 * KUBERNETES is a source tree of k8s.io/kubernetes (`go mod download -json k8s.io/kubernetes@v1.35.4`), CRD are files
 * with the definitions of Argo CD and Flux (those that `npm run controlplane` leaves in its cache).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseAllDocuments } from 'yaml';

type Schema = { readonly [keyword: string]: unknown };

/** API groups whose kinds are rendered, as upstream names the files. */
const groups = [
  ...['api__v1', 'apis__apps__v1', 'apis__batch__v1', 'apis__policy__v1', 'apis__networking.k8s.io__v1'],
  ...['apis__rbac.authorization.k8s.io__v1', 'apis__scheduling.k8s.io__v1', 'apis__apiextensions.k8s.io__v1'],
  'apis__admissionregistration.k8s.io__v1',
];

const kinds = new Set(
  `Namespace Node ConfigMap Secret Service ServiceAccount LimitRange ResourceQuota PersistentVolumeClaim
  StatefulSet Deployment DaemonSet CronJob Job PodDisruptionBudget Ingress NetworkPolicy
  Role RoleBinding ClusterRole ClusterRoleBinding PriorityClass CustomResourceDefinition
  ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding`.split(/\s+/),
);

/** An ApplicationSet holds a whole Application in each of its generators, twice over: a megabyte that is not used. */
const cut = new Set(
  ['clusterDecisionResource', 'clusters', 'list', 'matrix', 'merge', 'plugin', 'pullRequest', 'scmProvider'].map(
    (generator) => `ApplicationSet.spec.generators[].${generator}`,
  ),
);

const [kubernetes = '', ...crds] = process.argv.slice(2);
write('kubernetes.jsonl', kubernetesExcerpt());
write('appliers.jsonl', appliersExcerpt());

function kubernetesExcerpt(): Excerpt {
  const all: Record<string, Schema> = {};
  for (const group of groups) {
    const text = readFileSync(join(kubernetes, 'api/openapi-spec/v3', `${group}_openapi.json`), 'utf8');
    Object.assign(all, (JSON.parse(text) as { components: { schemas: Record<string, Schema> } }).components.schemas);
  }
  const roots: Record<string, string> = {};
  for (const [name, schema] of Object.entries(all)) {
    const of = schema['x-kubernetes-group-version-kind'] as
      | { group: string; version: string; kind: string }[]
      | undefined;
    const [first, second] = of ?? [];
    // A second one: DeleteOptions and the like, which belong to every group.
    if (first === undefined || second !== undefined || !kinds.has(first.kind)) continue;
    roots[`${first.group === '' ? '' : `${first.group}/`}${first.version} ${first.kind}`] = name;
  }
  const definitions: Record<string, Schema> = {};
  const take = (name: string): void => {
    if (definitions[name] !== undefined) return;
    definitions[name] = all[name] ?? {};
    for (const [, inner] of JSON.stringify(all[name]).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g))
      take(`${inner}`);
  };
  for (const name of Object.values(roots)) take(name);
  return { source: `k8s.io/${basename(kubernetes)}, api/openapi-spec/v3 (Apache-2.0)`, roots, definitions };
}

function appliersExcerpt(): Excerpt {
  const definitions: Record<string, Schema> = {};
  const roots: Record<string, string> = {};
  for (const file of crds) {
    for (const document of parseAllDocuments(readFileSync(file, 'utf8'))) {
      const { spec } = document.toJS() as { spec: { group: string; names: { kind: string }; versions: Version[] } };
      for (const { name, schema } of spec.versions) {
        const id = `${spec.group}.${name}.${spec.names.kind}`;
        roots[`${spec.group}/${name} ${spec.names.kind}`] = id;
        definitions[id] = without(schema.openAPIV3Schema, spec.names.kind) as Schema;
      }
    }
  }
  return { source: 'github.com/argoproj/argo-cd, github.com/fluxcd (Apache-2.0)', roots, definitions };
}

interface Version {
  readonly name: string;
  readonly schema: { readonly openAPIV3Schema: Schema };
}

/** A schema less what is cut: what is left unknown is refused, so nothing passes for that. */
function without(schema: unknown, path: string): unknown {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema;
  const entries = Object.entries(schema).map(([keyword, value]) => {
    if (keyword === 'items') return [keyword, without(value, `${path}[]`)];
    if (keyword !== 'properties') return [keyword, value as unknown];
    const kept = Object.entries(value as Schema).filter(([name]) => !cut.has(`${path}.${name}`));
    return [keyword, Object.fromEntries(kept.map(([name, inner]) => [name, without(inner, `${path}.${name}`)]))];
  });
  return Object.fromEntries(entries) as Schema;
}

/** One definition on each line, so that an update shows what changed. */
function write(name: string, { source, roots, definitions }: Excerpt): void {
  const kindOf = new Map(Object.entries(roots).map(([kind, id]) => [id, kind]));
  const lines = Object.entries(definitions)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, schema]) => JSON.stringify({ id, kind: kindOf.get(id), schema: bare(schema) }));
  writeFileSync(new URL(name, import.meta.url), [JSON.stringify({ source }), ...lines, ''].join('\n'));
}

interface Excerpt {
  readonly source: string;
  /** `apps/v1 StatefulSet` → id of its definition. */
  readonly roots: Readonly<Record<string, string>>;
  readonly definitions: Readonly<Record<string, Schema>>;
}

/** Descriptions and defaults say nothing about validity. Names of properties are no keywords, whatever they are. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => key !== 'description' && key !== 'default');
  return Object.fromEntries(
    kept.map(([key, inner]) => [key, key === 'properties' ? eachBare(inner as Schema) : bare(inner)]),
  );
}

function eachBare(properties: Schema): Schema {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, bare(schema)]));
}
