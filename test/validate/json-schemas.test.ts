import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { jsonSchemas } from '../../src/validate/json-schemas.ts';

const schemas = jsonSchemas();

interface Node {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly [key: string]: unknown;
}

/** Every property anywhere in a schema, by its path. */
function properties(node: unknown, path: string): [path: string, node: Node][] {
  if (Array.isArray(node)) return node.flatMap((each) => properties(each, path));
  if (typeof node !== 'object' || node === null) return [];
  const { properties: own = {}, ...rest } = node as Node;
  return [
    ...Object.entries(own).flatMap(([key, child]) => [
      [`${path}.${key}`, child] as [string, Node],
      ...properties(child, `${path}.${key}`),
    ]),
    ...Object.values(rest).flatMap((each) => properties(each, path)),
  ];
}

describe('the JSON Schemas', () => {
  it('are one for each kind', () => {
    expect(Object.keys(schemas)).toEqual([
      'settings.schema.json',
      'vclusterclaim.schema.json',
      'cluster.schema.json',
      'installation.schema.json',
      'clustershutdown.schema.json',
      'record.schema.json',
    ]);
  });

  it.each(Object.entries(schemas))('%s is draft 7 and closed to unknown keys', (file, schema) => {
    expect(schema.$schema).toBe('http://json-schema.org/draft-07/schema#');
    expect(JSON.stringify(schema)).not.toMatch(/\$defs|prefixItems|unevaluated/);
    if (file !== 'cluster.schema.json') expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
  });

  const ours = Object.entries(schemas).filter(([file]) => file !== 'cluster.schema.json');
  it.each(ours)('%s explains every key', (_, schema) => {
    const silent = properties(schema, '').filter(
      ([path, node]) => node.description === undefined && !/^\.(metadata|spec)$/.test(path),
    );
    expect(silent.map(([path]) => path)).toEqual([]);
  });

  it('tell editors the form of values that have one', () => {
    expect(schemas['vclusterclaim.schema.json']).toMatchObject({
      properties: {
        metadata: { properties: { name: { pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$', maxLength: 52 } } },
        spec: { required: ['owner'], properties: { owner: { properties: { email: { format: 'email' } } } } },
      },
    });
  });

  it('hold each document of a cluster config against its own kind only', () => {
    expect(schemas['cluster.schema.json']).toMatchObject({
      allOf: [
        { if: { properties: { kind: { const: 'Cluster' } } } },
        { if: { properties: { kind: { const: 'NodePool' } } } },
      ],
    });
  });

  it.each(Object.entries(schemas))('%s lies beside the shipped state as it is made here', (file, schema) => {
    const path = fileURLToPath(new URL(`../../state/schemas/${file}`, import.meta.url));
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(JSON.parse(JSON.stringify(schema)));
  });
});
