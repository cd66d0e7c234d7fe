import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ObjectDiff } from '../../src/plan/object-diff.ts';
import { documentsOf, readable, withoutSecrets } from '../../src/render/readable.ts';
import { type Json, toYaml } from '../../src/render/yaml.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('readable', () => {
  it('gives back any document that we write', () => {
    const anyObject = fc
      .dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }))
      .map((value) => JSON.parse(JSON.stringify(value)) as Json);
    fc.assert(
      fc.property(fc.array(anyObject, { minLength: 1, maxLength: 4 }), (values) => {
        const ids = values.map((_, index) => `g/X//${index}`);
        const documents = documentsOf(values.map((value) => toYaml(value)).join('---\n'), ids);
        expect([...documents].map(([id, text]) => readable(id, text).value)).toEqual(values);
      }),
    );
  });

  it('opens YAML in a ConfigMap, and in the Secret that we make of a claim', () => {
    const config = { apiVersion: 'v1', data: { 'a.yaml': 'x:\n  y: 1\n', 'b.txt': 'x: 1', 'c.yaml': 'just text' } };
    expect(readable('/ConfigMap/ns/a', toYaml(config)).value).toEqual({
      ...config,
      data: { ...config.data, 'a.yaml': { x: { y: 1 } } },
    });
    const secret = (labels: Json) => ({ metadata: { labels }, data: { 'config.yaml': base64('x: 1\n') } });
    const ours = secret({ 'quiesce.dev/claim': 'ada' });
    expect(readable('/Secret/ns/a', toYaml(ours)).value).toEqual({ ...ours, data: { 'config.yaml': { x: 1 } } });
    expect(readable('/Secret/ns/a', toYaml(secret({}))).value).toEqual(secret({}));
  });
});

describe('withoutSecrets', () => {
  const field = { path: 'data.key', before: 'a', after: 'b' };
  const diff = (id: string): ObjectDiff => ({
    id,
    action: 'changed',
    fields: [field, { path: 'metadata.labels.x', after: 'y' }],
  });

  it.each([
    ['/Secret/ns/a', 'component/shop/web', true],
    ['/Secret/ns/vc-config-ada', 'component/shop/web', true],
    ['/Secret/ns/vc-config-ada', 'claim/ada', false],
    ['/Secret/ns/other', 'claim/ada', true],
    ['/ConfigMap/ns/a', 'component/shop/web', false],
    ['sealed.example/Secret/ns/a', 'component/shop/web', false],
  ])('%s of %s', (id, unit, isHidden) => {
    const [first, second] = withoutSecrets(diff(id), unit).fields;
    expect(first).toEqual(isHidden ? { path: 'data.key', before: '(hidden)', after: '(hidden)' } : field);
    expect(second).toEqual({ path: 'metadata.labels.x', after: 'y' });
  });
});
