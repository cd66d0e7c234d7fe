/**
 * The part of OpenAPI that a structural schema may use. Plain JSON rather than the typed `JsonSchemaProps`, which
 * renames what is in `properties` but passes `items` through untouched.
 *
 * No `default` anywhere: the API server would fill it in, and an applier would see a difference to git.
 */
export interface Schema {
  readonly type: 'object' | 'array' | 'string' | 'integer' | 'boolean';
  readonly description?: string;
  readonly format?: 'date-time' | 'int64';
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'map' | 'set';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-validations'?: readonly Rule[];
}

/** CEL, with `self` and, for changes, `oldSelf`. */
export interface Rule {
  readonly rule: string;
  readonly message: string;
}

type Limits = Pick<Schema, 'pattern' | 'minLength' | 'maxLength'>;

export function text(description: string, limits: Limits = {}): Schema {
  return { type: 'string', description, ...limits };
}

/** The name of an object or a DNS label of the kind our own names are. */
export function label(description: string): Schema {
  return text(description, { pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', maxLength: 63 });
}

export function oneOf(description: string, values: readonly string[]): Schema {
  return { type: 'string', description, enum: values };
}

export function flag(description: string): Schema {
  return { type: 'boolean', description };
}

export function count(description: string, limits: Pick<Schema, 'minimum' | 'maximum'> = { minimum: 0 }): Schema {
  return { type: 'integer', format: 'int64', description, ...limits };
}

export function instant(description: string): Schema {
  return { type: 'string', format: 'date-time', description };
}

export function record(
  description: string,
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
  rules: readonly Rule[] = [],
): Schema {
  return {
    type: 'object',
    description,
    ...(required.length > 0 && { required }),
    properties,
    ...(rules.length > 0 && { 'x-kubernetes-validations': rules }),
  };
}

/** A list that is written as a whole. */
export function list(description: string, items: Schema, maxItems?: number): Schema {
  return {
    type: 'array',
    description,
    ...(maxItems !== undefined && { maxItems }),
    items,
    'x-kubernetes-list-type': 'atomic',
  };
}

/** A list whose items are known by their keys: twice the same key is refused, and each item can have its own writer. */
export function keyed(description: string, keys: readonly string[], items: Schema): Schema {
  return {
    type: 'array',
    description,
    items,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': keys,
  };
}
