import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { rehearseOnFiles } from '../src/commands/rehearse-on-files.ts';
import { type Compared, type CompareOptions, compare } from '../src/compare.ts';
import type { Problems } from '../src/pipeline.ts';
import { type PlanForm, planForms, planIn, refusalIn } from '../src/report/forms.ts';
import { listTree, writeTree } from './support/tree.ts';

/**
 * Each folder of `test/golden-plans` is a case: `before/` and `after/` hold the two states, `expected/` what is said of
 * the step between them, in every form. With a `west.snapshot` beside them it is rehearsed on that. `UPDATE_GOLDEN=1 npx vitest run test/golden-plans.test.ts` writes it anew; read
 * the diff before you commit it.
 */
const golden = fileURLToPath(new URL('./golden-plans', import.meta.url));
const update = process.env.UPDATE_GOLDEN === '1';
const cases = readdirSync(golden);

const endings: Record<PlanForm, string> = {
  text: 'txt',
  markdown: 'md',
  json: 'json',
  html: 'html',
  sarif: 'sarif',
  github: 'github.txt',
  gitlab: 'gitlab.json',
  status: 'status',
};

const rehearsedAt = Date.parse('2026-03-01T11:00:00Z');

describe('golden plans', () => {
  it.each(cases)('%s', async (name) => {
    const compared = await compareFolders(name);
    const files = new Map<string, string>();
    // SARIF of problems has the whole table of codes in it.
    const forms = compared.kind === 'ok' ? planForms : planForms.filter((form) => form !== 'sarif');
    for (const form of forms) files.set(`plan.${endings[form]}`, await inForm(form, compared));
    const expected = join(golden, name, 'expected');
    if (update) {
      rmSync(expected, { recursive: true, force: true });
      writeTree(expected, files);
    }
    expect(Object.fromEntries(files)).toEqual(Object.fromEntries(existsSync(expected) ? listTree(expected) : []));
    const again = await compareFolders(name);
    for (const form of forms) expect(await inForm(form, again)).toBe(files.get(`plan.${endings[form]}`));
  });
});

it('nothing that a cluster holds is markup, or moves the cursor of a terminal', async () => {
  const compared = await compareFolders('rehearsed');
  expect(compared).toMatchObject({ kind: 'ok' });
  for (const form of planForms.filter((each) => each !== 'json')) {
    const text = await inForm(form, compared);
    // Page and comment are the forms that somebody's browser renders.
    if (form === 'html' || form === 'markdown') expect(text, form).not.toMatch(/<script/);
    if (form === 'markdown') expect(text).not.toContain('**bold**');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be in it
    expect(text, form).not.toMatch(/\x1b/);
  }
});

async function compareFolders(name: string): ReturnType<typeof compare> {
  const options: CompareOptions = {
    root: join(golden, name),
    from: './before',
    to: './after',
    objects: true,
    labels: ['quiesce-approve/rights'],
    beginnings: [],
    onProgress: () => {},
  };
  const snapshot = 'west.snapshot';
  if (!existsSync(join(options.root, snapshot))) return compare(options);
  const { root: directory, from, to } = options;
  return compare({
    ...options,
    rehearse: (sides) => rehearseOnFiles(sides, [snapshot], { directory, from, to, at: rehearsedAt }),
  });
}

function inForm(form: PlanForm, compared: Compared | (Problems & { readonly at: string })): Promise<string> {
  return compared.kind === 'ok' ? planIn(form, compared.plan) : refusalIn(form, compared);
}
