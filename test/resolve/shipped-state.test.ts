import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadFile, sourceKind } from '../../src/load/documents.ts';
import { unitsOf } from '../../src/plan/units.ts';
import { acrossFindings } from '../../src/resolve/across.ts';
import type { Claim } from '../../src/resolve/state.ts';
import { resolveSettingsFile, resolveWritten } from '../../src/resolve/written.ts';
import { validateFile } from '../../src/validate/file.ts';
import { said } from '../validate/kinds/said.ts';
import { tools } from './resolved.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const files = readdirSync(join(root, 'state'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
  .sort();
const kinds = new Map(files.map((file) => [file, sourceKind(file)]));

function load(file: string) {
  const loaded = loadFile(file, readFileSync(join(root, file)));
  const { written, findings } = validateFile(loaded);
  return { written, findings: [...loaded.findings, ...findings] };
}

const settings = resolveSettingsFile(load('state/settings.yaml').written).value;
if (settings === undefined) throw new Error('the shipped settings do not resolve');
const results = files
  .filter((file) => !['asset', 'stray', 'settings'].includes(kinds.get(file) ?? ''))
  .map((file) => ({ file, loaded: load(file), ...resolveWritten(load(file).written, settings, tools) }));
const values = results.flatMap((result) => result.values);
const claims = values.flatMap((each): Claim[] => (each.kind === 'claim' ? [each.value] : []));

describe('the shipped state', () => {
  it('is without a fault', () => {
    const units = values.flatMap((value) => unitsOf(value, settings, () => ''));
    const across = acrossFindings({ items: units.map(({ facts, origin }) => ({ facts, origin })), previous: [] });
    const single = [
      ...load('state/settings.yaml').findings,
      ...results.flatMap(({ loaded, findings }) => [...loaded.findings, ...findings]),
    ];
    expect(said([...single, ...across])).toEqual([]);
    expect([...kinds].filter(([, kind]) => kind === 'stray')).toEqual([]);
  });

  it.each<[what: string, has: (claim: Claim) => boolean]>([
    ['highly available', ({ replicas }) => replicas === 3],
    ['asleep with several replicas', ({ state, replicas }) => state === 'Sleeping' && replicas > 1],
    ['on an embedded database', ({ backingStore }) => backingStore === 'embeddedDatabase'],
    ['on an embedded etcd', ({ backingStore }) => backingStore === 'embeddedEtcd'],
    ['on an etcd of its own', ({ backingStore }) => backingStore === 'deployedEtcd'],
    ['on an external database', ({ externalDatabaseSecret }) => externalDatabaseSecret !== undefined],
    ['whose Service name is shortened', ({ name, exposure }) => name.length > 46 && exposure?.service.length === 63],
    ['not exposed where others are', ({ cluster, exposure }) => cluster === 'atlas' && exposure === undefined],
    ['with a schedule', ({ schedules }) => schedules.length > 0],
    ['protected', (claim) => claim.protected && claim.expiry === 'Never'],
    ['that keeps its data', ({ keepData }) => keepData === true],
    ['to be deleted', ({ state }) => state === 'Deleted'],
    ['in a folder below', ({ origin }) => origin.file.split('/').length > 3],
    ['of the older system', ({ renewedAt }) => renewedAt !== undefined],
    ['with raw values', ({ hostSync }) => hostSync.length > 0],
  ])('has a claim that is %s', (_, has) => {
    expect(claims.some(has)).toBe(true);
  });

  it('has maintenance of every form, that selects nodes and only declared ones', () => {
    const configs = values.flatMap((each) => (each.kind === 'cluster' ? [each.value] : []));
    const blocks = configs.flatMap((config) => config.blocks);
    for (const form of [/^[0-9.]+$/, /^[0-9.]+-/, /^[0-9.]+\//, /^[0-9a-f:]+$/, /^[0-9a-f:]+-/, /^[0-9a-f:]+\//]) {
      expect(blocks.some((block) => form.test(block))).toBe(true);
    }
    expect(configs.map(({ nodes, profile }) => [nodes.length, profile])).toEqual([
      [6, '1.29'],
      [4, '1.28'],
    ]);
  });

  it('has two host clusters with two appliers, of which one exposes applications', () => {
    expect(settings.clusters.map(({ applier, exposedAppsBaseDomain }) => [applier, exposedAppsBaseDomain])).toEqual([
      ['argocd', 'apps.example.edu'],
      ['flux', undefined],
    ]);
  });

  it('has manifests for every component', () => {
    const components = values.flatMap((each) => (each.kind === 'installation' ? each.value.components : []));
    expect(components.length).toBeGreaterThanOrEqual(4);
    for (const { source } of components) {
      expect(source.kind === 'manifests' && files.some((file) => file.startsWith(`${source.dir}/`))).toBe(true);
    }
  });

  it('leads editors to the schema of each file', () => {
    for (const [file, kind] of kinds) {
      if (kind === 'asset' || kind === 'stray') continue;
      const [first = '', second = ''] = readFileSync(join(root, file), 'utf8').split('\n');
      const schema = /^# yaml-language-server: \$schema=(\S+)$/.exec(first)?.[1] ?? '';
      expect(second).toBe(`# $schema: ${schema}`);
      expect(files).toContain(normalize(join(dirname(file), schema)));
    }
  });
});
