import type { Json } from '../../constructs/plain-object.ts';

/** A schema as it is written, with whatever keywords it may have. */
export interface WrittenSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, WrittenSchema>>;
  readonly required?: readonly string[];
  readonly items?: WrittenSchema;
  readonly [keyword: string]: unknown;
}

const known = new Set([
  ...['type', 'description', 'enum', 'pattern', 'format', 'minLength', 'maxLength', 'minimum', 'maximum', 'maxItems'],
  ...['properties', 'required', 'items'],
  ...['x-kubernetes-list-type', 'x-kubernetes-list-map-keys', 'x-kubernetes-validations'],
]);

/** Kubernetes' rules for structural schemas, as far as the keywords go that our schemas use; others are faults. */
export function structuralFaults(schema: WrittenSchema, path = '$'): string[] {
  const faults = Object.keys(schema)
    .filter((keyword) => !known.has(keyword))
    .map((keyword) => `${path}: ${keyword} is not used here`);
  if (schema.type === undefined) faults.push(`${path}: no type`);
  if (path === '$.metadata' && Object.keys(schema).some((keyword) => keyword !== 'type')) {
    faults.push(`${path}: nothing but its type may be said`);
  }
  if ((schema.type === 'array') !== (schema.items !== undefined)) faults.push(`${path}: items belong to arrays`);
  if (schema.type === 'array' && schema['x-kubernetes-list-type'] === undefined) faults.push(`${path}: no list type`);
  for (const name of schema.required ?? []) {
    if (schema.properties?.[name] === undefined) faults.push(`${path}: requires ${name}, which it has not`);
  }
  for (const key of mapKeys(schema)) {
    if (schema.items?.required?.includes(key) !== true) faults.push(`${path}: key ${key} is not required`);
  }
  const children: [string, WrittenSchema][] = [];
  for (const [name, child] of Object.entries(schema.properties ?? {})) children.push([`${path}.${name}`, child]);
  if (schema.items !== undefined) children.push([`${path}[]`, schema.items]);
  return [...faults, ...children.flatMap(([where, child]) => structuralFaults(child, where))];
}

/** What the API server would say of a value, with `fieldValidation=Strict`; CEL rules are left to a real one. */
export function valueFaults(schema: WrittenSchema, value: Json | undefined, path = '$'): string[] {
  switch (schema.type) {
    case 'object':
      return isFields(value) ? objectFaults(schema, value, path) : [`${path}: no object`];
    case 'array':
      return Array.isArray(value) ? arrayFaults(schema, value, path) : [`${path}: no array`];
    case 'string':
      return typeof value === 'string' ? stringFaults(schema, value, path) : [`${path}: no string`];
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value)
        ? rangeFaults(schema, value, path)
        : [`${path}: no integer`];
    default:
      return typeof value === 'boolean' ? [] : [`${path}: no ${schema.type}`];
  }
}

function objectFaults(schema: WrittenSchema, value: Readonly<Record<string, Json>>, path: string): string[] {
  if (path === '$.metadata') return [];
  const missing = (schema.required ?? []).filter((name) => value[name] === undefined);
  return [
    ...missing.map((name) => `${path}: ${name} is missing`),
    ...Object.entries(value).flatMap(([name, child]) => {
      const inner = schema.properties?.[name];
      return inner === undefined ? [`${path}: unknown field ${name}`] : valueFaults(inner, child, `${path}.${name}`);
    }),
  ];
}

function arrayFaults(schema: WrittenSchema, value: readonly Json[], path: string): string[] {
  const keys = mapKeys(schema);
  const ids = value.map((item) => JSON.stringify(keys.map((key) => (isFields(item) ? item[key] : undefined))));
  return [
    ...(keys.length > 0 && new Set(ids).size < ids.length ? [`${path}: a key is there twice`] : []),
    ...(value.length > (schema.maxItems ?? Number.POSITIVE_INFINITY) ? [`${path}: too many items`] : []),
    ...value.flatMap((item, index) => valueFaults(schema.items ?? {}, item, `${path}[${index}]`)),
  ];
}

function stringFaults(schema: WrittenSchema, value: string, path: string): string[] {
  const fits =
    (schema.enum?.includes(value) ?? true) &&
    new RegExp(schema.pattern ?? '').test(value) &&
    value.length >= (schema.minLength ?? 0) &&
    value.length <= (schema.maxLength ?? Number.POSITIVE_INFINITY) &&
    (schema.format !== 'date-time' || /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value));
  return fits ? [] : [`${path}: ${JSON.stringify(value)} does not fit`];
}

function rangeFaults({ minimum, maximum }: WrittenSchema, value: number, path: string): string[] {
  const fits = value >= (minimum ?? Number.NEGATIVE_INFINITY) && value <= (maximum ?? Number.POSITIVE_INFINITY);
  return fits ? [] : [`${path}: ${value} is out of range`];
}

function mapKeys(schema: WrittenSchema): readonly string[] {
  return (schema['x-kubernetes-list-map-keys'] ?? []) as readonly string[];
}

function isFields(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
