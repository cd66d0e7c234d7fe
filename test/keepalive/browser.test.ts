import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser, openBrowser } from '../support/browser.ts';
import { claimText, day, type Lab, openLab, recordOf } from './lab.ts';

const long = 'distributed-systems-exercise-winter-term-group-seven';

describeInBrowser('in a browser without JavaScript', () => {
  let lab: Lab;
  let browser: Browser;
  beforeAll(async () => {
    const now = Date.now();
    lab = await openLab({
      claims: ['keyboard', 'phone', 'dark', 'framed', 'spoken', 'switched'],
      files: {
        [`state/claims/${long}.yaml`]: claimText(long, '  state: Sleeping\n'),
        [`state/records/${long}.yaml`]: recordOf(long, now - 100 * day),
      },
    });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await lab?.close();
  });

  async function inPage(options: BrowserContextOptions, act: (page: Page, said: readonly string[]) => Promise<void>) {
    const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB', ...options });
    const page = await context.newPage();
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    page.on('request', (request) => new URL(request.url()).origin !== lab.url && said.push(request.url()));
    try {
      await act(page, said);
    } finally {
      await context.close();
    }
  }

  it('a claim is kept with the keyboard alone, and a reload does not ask again', async () => {
    await inPage({}, async (page, said) => {
      await page.goto(await lab.link('keyboard'));
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'keyboard is kept' }).waitFor();
      expect(await page.getByRole('status').textContent()).toMatch(/^The renewal is on record\./);
      expect(await page.title()).toBe('keyboard is kept · campus');
      await page.goBack();
      await page.reload();
      await page.getByRole('heading', { name: 'keyboard is kept' }).waitFor();
      expect(await page.getByRole('button').count()).toBe(0);
      // Nothing was blocked by the policy, and nothing fetched from elsewhere.
      expect(said.filter((text) => !text.startsWith('data:'))).toEqual([]);
    });
    expect((await lab.record('keyboard')).renewals).toHaveLength(1);
  });

  it('a screen reader finds language, headings, a table with headers, and a button that says what it does', async () => {
    await inPage({}, async (page) => {
      await page.goto(await lab.link('spoken'));
      expect(await page.locator('html').getAttribute('lang')).toBe('en');
      expect(await page.locator('main').ariaSnapshot()).toMatch(
        new RegExp(
          [
            '- heading "Do you still need spoken\\?" \\[level=1\\]',
            '- paragraph:',
            '- term: Host cluster',
            '- definition: atlas',
            '- table "What happens when":',
            '- columnheader "If you do nothing"',
            '- columnheader "If you keep it"',
            '- rowheader "Put to sleep"',
            '- cell "\\d+ \\w+ \\d{4} \\w+, \\d\\d:\\d\\d \\(\\w+\\)"',
            '- button "Keep spoken"',
          ].join('[\\s\\S]*'),
        ),
      );
    });
  });

  it.each([320, 390])(
    'on a screen of %i pixels nothing is cut off, and the button is large enough to hit',
    async (width) => {
      await inPage({ viewport: { width, height: 700 }, hasTouch: true, locale: 'de-DE' }, async (page) => {
        for (const claim of ['phone', long]) {
          await page.goto(await lab.link(claim, { deadline: lab.now + 50 * day }));
          const wide = await page.locator('body').evaluate((body) => body.scrollWidth);
          expect(wide).toBeLessThanOrEqual(width);
          const box = await page.getByRole('button').boundingBox();
          expect(box?.height).toBeGreaterThanOrEqual(44);
          expect(box?.width).toBeGreaterThan(width * 0.7);
          // The table is still one for those who cannot see it.
          expect(await page.getByRole('table').getByRole('columnheader').count()).toBe(3);
        }
      });
    },
  );

  it.each(['light', 'dark'] as const)(
    'in %s colours every text stands out from what is behind it',
    async (colorScheme) => {
      await inPage({ colorScheme }, async (page) => {
        for (const address of [await lab.link('dark'), `${lab.url}/renew/x`]) {
          await page.goto(address);
          expect(await worstContrast(page)).toBeGreaterThanOrEqual(4.5);
        }
      });
    },
  );

  it('the switch changes the language and stays on the same claim, through the press of the button', async () => {
    await inPage({}, async (page) => {
      await page.goto(await lab.link('switched'));
      await page.getByRole('link', { name: 'Deutsch' }).click();
      await page.getByRole('heading', { name: 'Brauchen Sie switched noch?' }).waitFor();
      await page.getByRole('button', { name: 'switched behalten' }).click();
      await page.getByRole('heading', { name: 'switched bleibt erhalten' }).waitFor();
    });
  });

  it('another page cannot show it in a frame', async () => {
    await inPage({}, async (page) => {
      await page.setContent(`<iframe src="${await lab.link('framed')}"></iframe>`);
      await page.waitForTimeout(500);
      const texts = await Promise.all(page.frames().map(async (frame) => frame.content().catch(() => '')));
      expect(texts.join()).not.toContain('Do you still need');
    });
  });
});

interface Painted {
  readonly parentElement: Painted | null;
}

/** The lowest contrast of any text on the page (WCAG 2, relative luminance). */
async function worstContrast(page: Page): Promise<number> {
  const pairs = await page.locator('body').evaluate((body) => {
    const view = body.ownerDocument.defaultView;
    const solid = (element: Painted | null): string => {
      const colour = element === null ? 'rgb(255, 255, 255)' : (view?.getComputedStyle(element).backgroundColor ?? '');
      return element === null || !/, 0\)$/.test(colour) ? colour : solid(element.parentElement);
    };
    return [...body.querySelectorAll('*')]
      .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim()))
      .map((element) => [view?.getComputedStyle(element).color ?? '', solid(element)] as const);
  });
  expect(pairs.length).toBeGreaterThan(5);
  return Math.min(...pairs.map(([text, behind]) => contrast(text, behind)));
}

function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
    const value = Number(part) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
