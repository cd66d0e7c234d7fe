import { InternalError } from '../internal-error.ts';
import { readPlainYaml } from '../load/plain-yaml.ts';
import { parseYaml } from '../load/yaml-syntax.ts';
import { isMap, type JsonObject, type ObjectDiff, type RenderedObject } from '../plan/object-diff.ts';
import type { Json } from './yaml.ts';

/** The documents of a rendered unit, by the ids of their objects, which come in the same order. */
export function documentsOf(text: string, ids: readonly string[]): ReadonlyMap<string, string> {
  // Documents are maps, so whatever else begins with dashes is indented.
  const documents = ids.length === 0 ? [] : text.split(/^---\n/m);
  if (documents.length !== ids.length)
    throw new InternalError(`${documents.length} documents for ${ids.length} objects`);
  return new Map(ids.map((id, index) => [id, documents[index] ?? '']));
}

/**
 * An object as people compare it: what is YAML inside of a ConfigMap, or inside of the Secret that vCluster reads its
 * configuration from, is opened, so that a change of one line of it is a change of one field.
 */
export function readable(id: string, text: string): RenderedObject {
  const value = yamlIn(text) ?? {};
  const kind = id.split('/')[1];
  if (kind === 'ConfigMap') return { id, value: opened(value, (inner) => inner) };
  if (kind !== 'Secret' || !isOurConfig(value)) return { id, value };
  return { id, value: opened(value, (inner) => Buffer.from(inner, 'base64').toString('utf8')) };
}

/** The Secret is made by us from the claim in git: there is nothing secret in it. */
function isOurConfig({ metadata }: JsonObject): boolean {
  return isMap(metadata) && isMap(metadata.labels) && metadata.labels['quiesce.dev/claim'] !== undefined;
}

function opened(object: JsonObject, decode: (text: string) => string): JsonObject {
  const { data } = object;
  if (!isMap(data)) return object;
  const entries = Object.entries(data).map(([name, value]) => {
    const inner = typeof value === 'string' && /\.(?:ya?ml|json)$/.test(name) ? yamlIn(decode(value)) : undefined;
    return [name, inner ?? value];
  });
  return { ...object, data: Object.fromEntries(entries) };
}

/** Undefined for what is no single map. */
function yamlIn(text: string): JsonObject | undefined {
  const plain = readPlainYaml(text);
  if (plain !== undefined) return plain.length === 1 ? (plain[0] as JsonObject) : undefined;
  const syntax = parseYaml(text);
  if (syntax.kind !== 'documents' || syntax.documents.length !== 1) return undefined;
  const [document] = syntax.documents;
  if (document === undefined || document.errors.length > 0) return undefined;
  const value = document.toJS({ maxAliasCount: 100 }) as Json;
  return isMap(value) ? value : undefined;
}

const hidden = '(hidden)';

/** That a value of a Secret changed may be told; what it is may not, however openly it lies in git. */
export function withoutSecrets(diff: ObjectDiff, unit: string): ObjectDiff {
  const [group, kind, , name = ''] = diff.id.split('/');
  const isOpen = unit.startsWith('claim/') && name.startsWith('vc-config-');
  if (group !== '' || kind !== 'Secret' || isOpen) return diff;
  const fields = diff.fields.map((field) => {
    if (!/^(?:data|stringData)\b/.test(field.path)) return field;
    const { path, before, after } = field;
    return { path, ...(before !== undefined && { before: hidden }), ...(after !== undefined && { after: hidden }) };
  });
  return { ...diff, fields };
}
