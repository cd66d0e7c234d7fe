import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ObjectDiff } from '../../src/plan/object-diff.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { planHtml } from '../../src/report/html/plan-page.ts';
import { refusalHtml } from '../../src/report/html/refusal-page.ts';
import { claim, record } from '../plan/facts.ts';
import { brokenLinks, foreignParts, lowContrasts, openFolds, printedPage, unnamedParts } from './in-browser.ts';
import { hostile, planBetween, planned } from './plans.ts';

let browser: Browser;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quiesce-report-'));
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
});
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

/** The page in a real browser, which fails on anything that it would load or run. */
async function open(html: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
  const page = await browser.newPage(options);
  page.on('request', (request) => expect(request.url()).toMatch(/^file:.*plan\.html$/));
  page.on('dialog', () => expect.unreachable('a dialog'));
  page.on('pageerror', (error) => expect.unreachable(String(error)));
  page.on('console', (message) => expect.unreachable(message.text()));
  await show(page, html);
  return page;
}

async function show(page: Page, html: string): Promise<void> {
  const file = join(folder, 'plan.html');
  writeFileSync(file, html);
  await page.goto(pathToFileURL(file).href);
}

const names = Array.from({ length: 30 }, (_, index) => `team-${String(index).padStart(2, '0')}`);
const before = [
  ...names.map((name, index) => claim(name, { cluster: index % 2 === 0 ? 'north' : 'south' })),
  ...names.slice(10, 18).map((name, index) => ({
    ...record(name),
    deadlines: { sleep: `2026-0${(index % 4) + 3}-11T08:00:00Z`, delete: `2026-0${(index % 4) + 5}-11T08:00:00Z` },
  })),
];
const after = before.map((each, index) =>
  each.kind === 'claim' && index < 12
    ? { ...each, state: index % 3 === 0 ? ('Deleted' as const) : ('Sleeping' as const) }
    : each,
);
const replicas: ObjectDiff = {
  id: 'apps/StatefulSet/vcluster-team-00/team-00',
  action: 'changed',
  fields: [
    { path: 'spec.template.spec.containers[name=syncer].image', before: 'a', after: 'b' },
    { path: 'metadata.labels.x', after: 'y' },
  ],
};
const base = planBetween(before, after);
const plan: Plan = {
  ...base,
  changes: planned(base.changes, {
    place: { file: 'state/claims/a.yaml', line: 7, column: 1, endLine: 7, endColumn: 2, excerpt: '' },
    needs: [{ rule: 'data', approved: false, labelOnly: false }],
  }),
  objects: [{ unit: 'claim/team-00', cluster: 'north', objects: [replicas] }],
};

describe('the HTML report', () => {
  it('is one page with headings, landmarks and a list of contents that leads to each of them', async () => {
    const page = await open(planHtml(plan));
    expect(await page.locator('h1').textContent()).toBe('12 changes, 5 dangers, 1 approval missing');
    expect(await page.locator('h2').allInnerTexts()).toEqual([
      'At a glance',
      'Approvals',
      'What deserves a second look',
      'Everything that happens',
      'Virtual clusters by state',
      'Published deadlines',
      'Objects, field by field',
    ]);
    const broken = await page.evaluate(brokenLinks);
    expect(broken).toEqual({ missing: [], twice: 0 });
    await page.close();
  });

  it('tells a screen reader what the pictures show', async () => {
    const page = await open(planHtml(plan));
    const bars = page.getByRole('img', { name: /^(?:before|after): / });
    expect(await bars.count()).toBe(4);
    expect(await bars.nth(1).getAttribute('aria-label')).toBe('after: 9 running, 4 sleeping, 2 being deleted');
    expect(await page.getByRole('img', { name: '2026-05: 2 put to sleep, 2 deleted' }).count()).toBe(1);
    expect(await page.getByRole('table', { name: 'What happens, by cluster' }).count()).toBe(1);
    expect(await page.evaluate(unnamedParts)).toBe(0);
    await page.close();
  });

  it('can be gone through with the keyboard', async () => {
    const page = await open(planHtml(plan));
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the report');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('report');
    const folds = page.locator('details:not([open]) > summary');
    await folds.first().focus();
    const closed = await folds.count();
    await page.keyboard.press('Enter');
    expect(await folds.count()).toBe(closed - 1);
    const ring = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
    expect(ring).toBe('solid');
    await page.close();
  });

  it.each([320, 375, 768, 1280])('fits into %d pixels', async (width) => {
    const page = await open(planHtml(plan), { viewport: { width, height: 800 } });
    await page.evaluate(openFolds);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    await page.close();
  });

  it.each(['light', 'dark'] as const)('has enough contrast in the %s scheme', async (colorScheme) => {
    const page = await open(planHtml(plan), { colorScheme });
    await page.evaluate(openFolds);
    expect(await page.evaluate(lowContrasts)).toEqual([]);
    await page.close();
  });

  it('prints on white, with everything that is folded', async () => {
    const page = await open(planHtml(plan));
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const printed = await page.evaluate(printedPage);
    expect(printed).toEqual({ page: 'rgb(255, 255, 255)', hidden: 0, contents: 'none' });
    await page.close();
  });

  it('runs and loads nothing, whatever the names', async () => {
    const page = await open(planHtml(plan));
    for (const text of hostile) {
      const evil = planBetween(
        [claim('ada', { owners: [text] })],
        [claim('ada', { owners: [`${text}!`] }), claim(text, { cluster: text })],
        { from: text, to: text },
      );
      const diff = { ...replicas, id: `apps/X/${text}/${text}`, fields: [{ path: text, before: text, after: [text] }] };
      const html = planHtml({
        ...evil,
        changes: planned(evil.changes, {
          place: { file: text, line: 1, column: 1, endLine: 1, endColumn: 1, excerpt: text },
          needs: [{ rule: text, approved: false, labelOnly: false }],
        }),
        objects: [{ unit: text, cluster: text, objects: [diff] }],
        deadlines: [{ claim: text, cluster: text, what: 'sleep', at: '2026-01-01T00:00:00Z' }],
      });
      await show(page, html);
      expect(await page.evaluate(foreignParts)).toEqual([]);
    }
    await page.close();
  });

  it('stays below 5 MB for an enormous plan, and says what it leaves out', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) =>
      claim(`course-${index}`, { host: `course-${index}.apps.example.edu` }),
    );
    const huge = planBetween(
      many,
      many.map((each, index) => ({ ...each, state: index % 2 === 0 ? ('Deleted' as const) : ('Sleeping' as const) })),
    );
    const html = planHtml({
      ...huge,
      objects: many.map(({ name }) => ({
        unit: `claim/${name}`,
        cluster: 'west',
        objects: Array.from({ length: 12 }, () => replicas),
      })),
    });
    expect(Buffer.byteLength(html)).toBeLessThan(5_000_000);
    expect(html).toMatch(/… and \d+ more, which <code>quiesce plan<\/code> lists/);
    expect(html).toMatch(/… and \d+ more, which <code>quiesce plan --objects<\/code> lists/);
  });

  it('is short when nothing changes', async () => {
    const page = await open(planHtml(planBetween([], [])));
    expect(await page.locator('h1').textContent()).toBe('Nothing changes');
    expect(await page.locator('h2').allInnerTexts()).toEqual(['At a glance']);
    await page.close();
  });

  it('shows the problems of a state that cannot be compared', async () => {
    const problem = {
      code: 'unknown-key',
      severity: 'error',
      message: 'There is no <b>key</b>.',
      remedy: 'Remove it.',
      related: [],
    } as const;
    const page = await open(refusalHtml({ at: 'v1', problems: [problem] }));
    expect(await page.locator('main li').allInnerTexts()).toEqual([expect.stringContaining('There is no <b>key</b>.')]);
    await page.close();
  });
});
