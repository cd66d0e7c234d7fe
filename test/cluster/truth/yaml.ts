import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Json, toYaml } from '../../../src/render/yaml.ts';
import type { Cluster } from '../../support/cluster.ts';
import { yamlTraps } from '../line/yaml-traps.ts';

/** What is written reads back the same under Go's rules. */
export function yamlReadsBack(open: () => Cluster): void {
  /** What kubectl makes of each value: one document for each in one file, as the files of `out/` are. */
  const readByKubectl = async (name: string, values: readonly Json[]): Promise<readonly unknown[]> => {
    const cluster = open();
    const file = join(cluster.sandbox.folder, `${name}.yaml`);
    const documents = values.map((value, index) => toYaml({ ...configMap(`${index}`), value }));
    await writeFile(file, documents.join('---\n'));
    const options = ['--dry-run=client', '--validate=false', '-o', 'json', '-f', file];
    const objects = (await cluster.kubectl('create', ...options)).split(/(?<=^\})\n/m).filter((text) => text !== '');
    return objects.map((text) => (JSON.parse(text) as { value: unknown }).value);
  };

  it('strings that some reader takes for something else, as values and as keys', async () => {
    const values = yamlTraps.map((text) => [text, [text], { key: text }, { [text]: 1 }, [[text], { a: { b: text } }]]);
    expect(await readByKubectl('traps', values)).toEqual(values);
  });

  it('numbers', async () => {
    const values = [0, 1, -1, 0.5, 1e3, 1e21, 1.5e-7, 123456789012, Number.MAX_SAFE_INTEGER, -0.1, 1e300, 5e-324];
    expect(await readByKubectl('numbers', values)).toEqual(values);
  });

  it('whatever the data', async () => {
    const values = fc.sample(tree(), { numRuns: 1500, seed: 1 });
    expect(await readByKubectl('random', values)).toEqual(JSON.parse(JSON.stringify(values)));
  });
}

function configMap(name: string) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
}

function tree(): fc.Arbitrary<Json> {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }).filter((string) => string.isWellFormed()),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(...yamlTraps),
    fc.stringMatching(/^[ a-z:#\n-]{0,12}$/),
  );
  const key = text.filter((string) => string !== '__proto__');
  return fc.letrec<{ tree: Json }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      text,
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
    ),
  })).tree;
}
