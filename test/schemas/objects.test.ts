import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { listTree } from '../support/tree.ts';
import { type KubeObject, openChecks } from './upstream.ts';

/** Whatever was compiled: what the repository ships in `out/`, and the expected output of every golden directory. */
const repository = fileURLToPath(new URL('../../', import.meta.url));
const golden = readdirSync(join(repository, 'test/golden')).map((name) => `test/golden/${name}/expected`);
const files = ['out', ...golden].flatMap((folder) =>
  existsSync(join(repository, folder))
    ? [...listTree(join(repository, folder))].map(([path, text]) => ({ path: `${folder}/${path}`, text }))
    : [],
);
const manifests = files
  .filter(({ path }) => path.endsWith('.yaml'))
  .map(({ path, text }) => ({ path, text, objects: objectsOf(text) }));

function objectsOf(text: string, options: Parameters<typeof parseAllDocuments>[1] = {}): KubeObject[] {
  return parseAllDocuments(text, options).map((document) => document.toJS() as KubeObject);
}

const definitions = manifests
  .flatMap(({ objects }) => objects)
  .filter(({ kind }) => kind === 'CustomResourceDefinition');
const check = openChecks(definitions);

describe('every object that is written', () => {
  it('is there to be checked', () => {
    expect(manifests.length).toBeGreaterThan(80);
    expect(new Set(definitions.map(({ metadata }) => metadata.name)).size).toBeGreaterThan(4);
  });

  it('passes the schemas of Kubernetes, Argo CD and Flux, and ours, with no field that they do not know', () => {
    const faults = manifests.flatMap(({ path, objects }) =>
      objects.flatMap((object) => check(object).map((fault) => `${path} ${nameOf(object)}: ${fault}`)),
    );
    expect(faults).toEqual([]);
  });

  it('reads back the same under YAML 1.2, YAML 1.1, and by another reader', () => {
    for (const { path, text, objects } of manifests) {
      const others = text.split(/^---$/m).map((document) => load(document));
      expect({ path, objects: objectsOf(text, { version: '1.1', schema: 'yaml-1.1' }) }).toEqual({ path, objects });
      expect({ path, objects: others }).toEqual({ path, objects });
    }
  });

  it('is there once in its cluster', () => {
    for (const folder of ['out', ...golden]) {
      const ids = manifests
        .filter(({ path }) => path.startsWith(`${folder}/`))
        .flatMap(({ path, objects }) =>
          objects.map((object) => `${path.slice(folder.length).split('/')[1]} ${nameOf(object)}`),
        );
      expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    }
  });

  it('is in a file that an applier reads as nothing but objects', () => {
    for (const { path, text, objects } of manifests) {
      expect(text, path).toMatch(/^# Compiled by quiesce from state\/.*: edit that, not this\.\n(?!---)/);
      for (const object of objects) expect(object, path).toMatchObject({ metadata: { name: /./ } });
    }
  });
});

describe('the check itself', () => {
  const object = (more: object): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'a' },
    ...more,
  });

  it.each([
    ['a field that is not known', { spec: { prots: [] } }, '/spec must NOT have additional properties'],
    ['a value of the wrong type', { spec: { ports: [{ port: '80' }] } }, '/spec/ports/0/port must be integer'],
    ['a key that is missing', { spec: { ports: [{}] } }, "/spec/ports/0 must have required property 'port'"],
    ['two entries under one key', { spec: { ports: [{ port: 80 }, { port: 80 }] } }, '/spec/ports must pass'],
    ['a kind without a schema', { kind: 'Servcie' }, 'no schema is known for v1 Servcie'],
    [
      'metadata of a custom resource',
      { apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject', metadata: { nme: 'a' } },
      '/metadata must NOT',
    ],
  ])('finds %s', (_, more, fault) => {
    expect(check(object(more)).join('\n')).toContain(fault);
  });
});

function nameOf({ apiVersion, kind, metadata }: KubeObject): string {
  return `${apiVersion} ${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
}
