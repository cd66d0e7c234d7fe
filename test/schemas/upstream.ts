import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';

type Schema = { readonly [keyword: string]: unknown };

/** One line of an excerpt; the first one says where the others are from. */
interface Definition {
  readonly id: string;
  /** `apps/v1 StatefulSet`; absent for a part of others. */
  readonly kind?: string;
  readonly schema: Schema;
}

/** Says what is wrong with an object, as a strict API server would by its schema; nothing when all is well. */
export type Check = (object: KubeObject) => readonly string[];

export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly [key: string]: unknown;
}

/** Of Kubernetes, Argo CD and Flux (see excerpt.ts), and of these definitions of custom resources. */
export function openChecks(customResources: readonly KubeObject[]): Check {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  ajv.addKeyword({ keyword: 'x-kubernetes-list-map-keys', type: 'array', schemaType: 'array', validate: keysDiffer });
  const kubernetes = read('kubernetes.jsonl');
  const schemas = Object.fromEntries(kubernetes.map(({ id, schema }) => [id, closed(schema)]));
  ajv.addSchema({ components: { schemas } }, 'k8s');
  const checks = new Map<string, ValidateFunction>();
  for (const { id, kind } of kubernetes) {
    if (kind !== undefined) checks.set(kind, ajv.compile({ $ref: `k8s#/components/schemas/${id}` }));
  }
  for (const { kind, schema } of [...read('appliers.jsonl'), ...customResources.flatMap(versionsOf)]) {
    if (kind !== undefined) checks.set(kind, ajv.compile(customResource(schema)));
  }
  return (object) => {
    const validate = checks.get(`${object.apiVersion} ${object.kind}`);
    if (validate === undefined) return [`no schema is known for ${object.apiVersion} ${object.kind}`];
    validate(object);
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}

function read(name: string): Definition[] {
  const [, ...lines] = readFileSync(new URL(name, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as Definition);
}

function versionsOf({ spec }: KubeObject): Definition[] {
  const { group, names, versions } = spec as {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: Schema } }[];
  };
  return versions.map(({ name, schema }) => ({
    id: `${group}.${name}.${names.kind}`,
    kind: `${group}/${name} ${names.kind}`,
    schema: schema.openAPIV3Schema,
  }));
}

/** Its metadata are those of any object, which the definition of a custom resource does not repeat. */
function customResource(schema: Schema): Schema {
  const { properties, ...rest } = closed(schema) as { readonly properties: Schema };
  const metadata = { $ref: 'k8s#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' };
  const text = { type: 'string' };
  return { ...rest, properties: { ...properties, apiVersion: text, kind: text, metadata } };
}

/** Refuses what is not named, as the API server does under `fieldValidation=Strict`. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === 'properties' ? eachClosed(value as Schema) : closed(value),
    ]),
  );
  const isOpen = 'additionalProperties' in schema || 'x-kubernetes-preserve-unknown-fields' in schema;
  return 'properties' in schema && !isOpen ? { ...inner, additionalProperties: false } : inner;
}

function eachClosed(schemas: Schema): Schema {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, closed(schema)]));
}

/** Entries of a list that is a map to the API server: it refuses a second one under the same keys. */
function keysDiffer(keys: readonly string[], list: readonly Schema[]): boolean {
  const defaults: Schema = { protocol: 'TCP' };
  const seen = list.map((item) => JSON.stringify(keys.map((key) => item[key] ?? defaults[key])));
  return new Set(seen).size === seen.length;
}
