import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { compile } from '../../src/compile.ts';
import { blobId } from '../../src/load/blob.ts';
import type { Tree } from '../../src/load/tree.ts';
import { objectId, sortObjects } from '../../src/render/objects.ts';
import { createRenderer, renderObjects } from '../../src/render/renderer.ts';
import { type Json, toYaml } from '../../src/render/yaml.ts';
import { version } from '../../src/version.ts';
import { runs } from '../support/runs.ts';
import { settings } from '../support/state.ts';

/** Claims are rendered by filling in a template. It must come to what building each claim's objects by itself gives. */

const repository = fileURLToPath(new URL('../../', import.meta.url));
const numRuns = runs(60);

function treeOf(files: ReadonlyMap<string, string>): Tree {
  const sources = [...files].map(([path, text]) => ({ path, oid: blobId(Buffer.from(text)) }));
  return {
    label: 'memory',
    sources: sources.sort((a, b) => (a.path < b.path ? -1 : 1)),
    prefetch: async () => {},
    read: (path) => Buffer.from(files.get(path) ?? ''),
  };
}

/** Checks every claim of a state and says how many there were. */
async function compareAll(files: ReadonlyMap<string, string>): Promise<number> {
  const compiled = await compile({ tree: treeOf(files), reusable: [], reference: [] });
  expect(compiled.findings.filter(({ code }) => code !== 'claim-file-name')).toEqual([]);
  if (compiled.settings === undefined) throw new Error('no settings');
  const context = { settings: compiled.settings, version };
  const renderer = createRenderer(context);
  const contents = compiled.units.flatMap(({ unit: { content } }) => (content?.kind === 'claim' ? content : []));
  for (const content of contents) {
    const filled = renderer.render(content, { objects: [], components: new Map(), findings: [] });
    const direct = sortObjects(renderObjects(content, context, { objects: [], components: new Map(), findings: [] }));
    expect(filled.text).toBe(direct.map((object) => toYaml(object)).join('---\n'));
    expect(filled.objects).toEqual(direct.map(objectId));
    expect(parsed(filled.text)).toEqual(JSON.parse(JSON.stringify(direct)) as Json);
  }
  return contents.length;
}

function parsed(text: string): unknown[] {
  return parseAllDocuments(text, { version: '1.1', schema: 'yaml-1.1' }).map((document) => document.toJS() as unknown);
}

describe('rendering by example', () => {
  it('is the same as rendering each by itself for every shipped claim', async () => {
    const claims = readdirSync(join(repository, 'state/claims'), { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.yaml'),
    );
    const paths = ['state/settings.yaml', ...claims.map((path) => `state/claims/${path}`)];
    const files = new Map(paths.map((path) => [path, readFileSync(join(repository, path), 'utf8')]));
    expect(await compareAll(files)).toBeGreaterThanOrEqual(10);
  });

  it('is the same for claims with any text that a person may write', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(claim, { minLength: 1, maxLength: 4, selector: nameOf }), async (claims) => {
        const files = new Map(claims.map((each) => [`state/claims/${nameOf(each)}.yaml`, JSON.stringify(each)]));
        expect(await compareAll(new Map([...files, ['state/settings.yaml', settings()]]))).toBe(claims.length);
      }),
      { numRuns },
    );
  }, 120_000);
});

/** Whatever can be typed: no control characters, and no half of a pair. */
const allowed = /^[^\p{Cc}\p{Cs}\p{Cn}\p{Co}\u2028\u2029\ufeff]*$/u;
const awkward = fc.constantFrom(
  'on',
  '~',
  '0o17',
  '1e3',
  '12:30',
  '=',
  'a: b',
  '- a',
  '# no',
  "it's",
  '"q"',
  '\\',
  '…',
);
const words = fc.oneof(awkward, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }));
const line = words.filter((text) => allowed.test(text) && text.trim() !== '');
const lines = fc
  .array(
    words.filter((text) => allowed.test(text)),
    { maxLength: 3 },
  )
  .map((all) => all.join('\n'));

const claim = fc
  .record({
    name: fc.stringMatching(/^[a-z]([a-z0-9-]{0,44}[a-z0-9])?$/).filter((name) => !name.includes('-x-')),
    owner: line,
    annotation: lines,
    label: fc.stringMatching(/^([A-Za-z0-9]([A-Za-z0-9_.-]{0,20}[A-Za-z0-9])?)?$/),
    state: fc.constantFrom('Running', 'Sleeping', 'Deleted'),
    store: fc.constantFrom('embeddedDatabase', 'embeddedEtcd', 'deployedEtcd', 'externalDatabase'),
    more: fc.record(
      {
        expose: fc.boolean(),
        protected: fc.constant(false),
        expiry: fc.constantFrom('Never', { after: '30d' }),
        quota: fc.constantFrom({}, { pods: 5 }),
        limits: fc.constantFrom({}, { default: { memory: '1Gi' } }),
        values: fc.constantFrom({}, { sync: { fromHost: { nodes: { enabled: true } } } }),
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ name, owner, annotation, label, state, store, more }) => ({
    apiVersion: 'quiesce.dev/v1alpha1',
    kind: 'VClusterClaim',
    metadata: { name, labels: { 'example.edu/label': label }, annotations: { 'example.edu/note': annotation } },
    spec: {
      owner: { name: owner, email: 'ada@example.edu' },
      state,
      backingStore: store,
      ...(store === 'externalDatabase' && { externalDatabaseSecret: 'database' }),
      ...more,
    },
  }));

function nameOf(each: { readonly metadata: { readonly name: string } }): string {
  return each.metadata.name;
}
