import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rehearsedChanges } from '../../src/plan/rehearsed-changes.ts';
import type { NodeRehearsal, Rehearsal } from '../../src/rehearsal/rehearsal.ts';
import { planHtml } from '../../src/report/html/plan-page.ts';
import { describeInBrowser, openBrowser } from '../support/browser.ts';
import { brokenLinks, foreignParts, lowContrasts, openFolds, printedPage, unnamedParts } from './in-browser.ts';
import { hostile, planBetween, planned } from './plans.ts';
import { blockedNode, drained, rehearsal } from './rehearsals.ts';

function pageOf(...rehearsals: Rehearsal[]): string {
  return planHtml({ ...planBetween([], []), changes: planned(rehearsals.flatMap(rehearsedChanges)), rehearsals });
}

/** A hundred nodes with fifty pods each, of which every tenth node is blocked. */
function large(): Rehearsal {
  const [block] = rehearsal().maintenance;
  if (block === undefined) throw new Error('the example has a block');
  const nodes = Array.from({ length: 100 }, (_, index): NodeRehearsal => {
    const node = index % 10 === 9 ? blockedNode : drained;
    const moves = Array.from({ length: 50 }, (__, number) => ({
      namespace: `team-${number % 20}`,
      name: `deployment-${number}-5c9f8b7d6c-${index}`,
      owner: { kind: 'ReplicaSet', name: `deployment-${number}-5c9f8b7d6c` },
      stage: 1 as const,
      evicted: { from: number, to: number * 9 },
      gone: { from: number + 1, to: number * 9 + 30 },
    }));
    return { ...node, node: `worker-${index}.region-1.example.edu`, address: `10.0.${index}.4`, moves };
  });
  return rehearsal({ maintenance: [{ ...block, nodes }] });
}

describeInBrowser('a rehearsal in the HTML report', () => {
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quiesce-rehearsal-'));
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  /** The page in a real browser, which fails on anything that it would load or run. */
  async function open(html: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
    const page = await browser.newPage(options);
    page.on('request', (request) => expect(request.url()).toMatch(/^file:.*plan\.html$/));
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

  it('shows a timeline, and says for a screen reader what is in it', async () => {
    const page = await open(pageOf(rehearsal()));
    const picture = page.getByRole('img', { name: /^Timeline of atlas-metal/ });
    expect(await picture.locator('g > title').allTextContents()).toEqual([
      'n4 (10.0.0.4) of workers: in maintenance after 95 s to 9 min, drained',
      'n5 (10.0.0.5): in maintenance after 20 min at the earliest, perhaps never, by its deadline',
      'n6 (10.0.0.6): takes pods again after 1 to 3 s',
    ]);
    expect(await page.getByRole('img', { name: 'Pods: 3 in stage 1, 1 removed by taint' }).count()).toBe(1);
    expect(await page.evaluate(unnamedParts)).toBe(0);
    expect(await page.evaluate(brokenLinks)).toEqual({ missing: [], twice: 0 });
    await page.close();
  });

  it('has the node that is held up for ever first, which opens by keyboard', async () => {
    const page = await open(pageOf(rehearsal()));
    const first = page.locator('details.node').first();
    expect(await first.locator('summary').textContent()).toMatch(/^n5 \(10\.0\.0\.5\)/);
    await first.locator('summary').focus();
    await page.keyboard.press('Enter');
    expect(await first.getByText('shop/db-1, past the budget shop/db').isVisible()).toBe(true);
    await page.close();
  });

  it.each([320, 390, 1280])('fits into %d pixels, with readable text in the timeline', async (width) => {
    const page = await open(pageOf(large(), rehearsal()), { viewport: { width, height: 800 } });
    await page.evaluate(openFolds);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    const text = await page.locator('.drain text.name').first().boundingBox();
    expect(text?.height).toBeGreaterThan(12);
    await page.close();
  });

  it.each(['light', 'dark'] as const)('has enough contrast in the %s scheme', async (colorScheme) => {
    const page = await open(pageOf(rehearsal()), { colorScheme });
    await page.evaluate(openFolds);
    expect(await page.evaluate(lowContrasts)).toEqual([]);
    await page.close();
  });

  it('prints on white, with the pods of folded nodes', async () => {
    const page = await open(pageOf(rehearsal()));
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.evaluate(printedPage)).toEqual({ page: 'rgb(255, 255, 255)', hidden: 0, contents: 'none' });
    await page.close();
  });

  it('runs and loads nothing, whatever the names', async () => {
    const page = await open(pageOf(rehearsal()));
    for (const text of hostile) {
      const evil = JSON.parse(JSON.stringify(rehearsal()), (key, value: unknown) =>
        ['name', 'node', 'namespace', 'message', 'detail', 'config', 'pool', 'address'].includes(key) ? text : value,
      );
      await show(page, pageOf(evil));
      expect(await page.evaluate(foreignParts)).toEqual([]);
    }
    await page.close();
  });

  it('stays below 5 MB for a hundred nodes with five thousand pods, each of which is named', () => {
    const html = pageOf(large());
    expect(Buffer.byteLength(html)).toBeLessThan(5_000_000);
    expect(html).toContain('deployment-49-5c9f8b7d6c-99');
    expect(html).toContain('… and 40 more nodes, which are done sooner');
  });

  it('counts what does not fit of an enormous cluster', () => {
    const [block] = large().maintenance;
    if (block === undefined) throw new Error('the example has a block');
    const nodes = Array.from({ length: 50 }, () => block.nodes).flat();
    const html = pageOf(rehearsal({ maintenance: [{ ...block, nodes }] }));
    expect(Buffer.byteLength(html)).toBeLessThan(5_000_000);
    expect(html).toMatch(/… and \d+ more nodes, which <code>--json<\/code> lists/);
  });
});
