import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimText, day, get, type Lab, openLab, post, press, recordOf } from './lab.ts';

let lab: Lab;
const claims = ['ada', 'scanned', 'twice', 'two-mails', 'renamed', 'late', 'switch', 'mid', 'posted', 'old'];
beforeAll(async () => {
  const now = Date.now();
  lab = await openLab({
    claims,
    environment: { QUIESCE_FRESH_SECONDS: '0' },
    files: {
      'state/claims/team/asleep.yaml': claimText('asleep', '  state: Sleeping\n'),
      'state/records/asleep.yaml': recordOf('asleep', now - 100 * day),
      'state/claims/gone.yaml': claimText('gone', '  state: Deleted\n'),
      'state/records/gone.yaml': recordOf('gone', now - 200 * day),
      'state/claims/forever.yaml': claimText('forever', '  expiry: Never\n'),
      'state/records/forever.yaml': recordOf('forever', now - 200 * day),
      'state/claims/broken.yaml': claimText('broken', '  state: [\n'),
      'state/records/broken.yaml': recordOf('broken', now - 85 * day),
      'state/claims/german.yaml': claimText('german').replace('german@example.edu', 'german@example.edu, language: de'),
      'state/records/german.yaml': recordOf('german', now - 85 * day),
    },
  });
});
afterAll(async () => lab.close());

const forms = (html: string): number => (html.match(/<form /g) ?? []).length;
const dates = (html: string): string[] => [...html.matchAll(/<time datetime="([^"]+)"/g)].map(([, at]) => at ?? '');
const untouched = async (claim: string) => expect(await lab.record(claim)).not.toHaveProperty('renewals');

describe('a claim that can be renewed', () => {
  it('is shown with its state, its deadlines and what a renewal does, and one button', async () => {
    const page = await get(await lab.link('ada'));
    expect({ status: page.status, title: page.title, forms: forms(page.html) }).toEqual({
      status: 200,
      title: 'Do you still need ada?',
      forms: 1,
    });
    const [since, sleep, renewedSleep, end, renewedEnd] = dates(page.html).map((text) => Date.parse(text));
    expect([since, sleep, end].map((at) => Math.round(((at ?? 0) - lab.now) / day))).toEqual([-85, 5, 65]);
    expect([renewedSleep, renewedEnd].map((at) => Math.round(((at ?? 0) - lab.now) / day))).toEqual([90, 150]);
    expect(page.html).toContain('<dd>running</dd>');
    expect(page.html).toContain('It goes on running as it does now.');
  });

  it('is renewed by a press of the button, in a commit that names who pressed it', async () => {
    const page = await press(await lab.link('ada'));
    expect({ status: page.status, title: page.title, forms: forms(page.html) }).toEqual({
      status: 200,
      title: 'ada is kept',
      forms: 0,
    });
    const { renewals, deadlines } = await lab.record('ada');
    expect(renewals).toEqual([{ at: expect.any(String), by: 'ada@example.edu', deadline: expect.any(String) }]);
    expect(dates(page.html).map((text) => text.replace('.000', ''))).toEqual(Object.values(deadlines as object));
    expect((await lab.log())[0]).toBe('Renew ada');
  });

  it('is not renewed by whoever only follows links, however often', async () => {
    const address = await lab.link('scanned');
    for (let round = 0; round < 5; round += 1) await get(address);
    await fetch(address, { method: 'HEAD' });
    await fetch(address, { method: 'OPTIONS' });
    await untouched('scanned');
  });

  it('a second press is a no-op with the same answer, and so is a second mail of the same time', async () => {
    const address = await lab.link('twice');
    const { html } = await get(address);
    const form = /name="form" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const first = await post(address, form);
    const commits = await lab.log();
    const second = await post(address, form);
    expect(second.html).toBe(first.html);
    expect(await post(address, form, { 'accept-language': 'de' })).toMatchObject({ title: 'twice bleibt erhalten' });
    expect((await get(address)).html).toBe(first.html);
    const [one, other] = [await lab.link('two-mails'), await lab.link('two-mails', { deadline: lab.now + 65 * day })];
    const form2 = /name="form" value="([^"]+)"/.exec((await get(other)).html)?.[1] ?? '';
    expect((await press(one)).title).toBe('two-mails is kept');
    expect((await post(other, form2)).title).toBe('two-mails is kept');
    expect(await lab.log()).toEqual(['Renew two-mails', ...commits]);
  });

  it('of two presses at once one makes a commit', async () => {
    const address = await lab.link('mid');
    const form = /name="form" value="([^"]+)"/.exec((await get(address)).html)?.[1] ?? '';
    const pages = await Promise.all([1, 2, 3].map(() => post(address, form)));
    expect(pages.map(({ title }) => title)).toEqual(Array(3).fill('mid is kept'));
    expect((await lab.log()).filter((subject) => subject === 'Renew mid')).toHaveLength(1);
    expect((await lab.record('mid')).renewals).toHaveLength(1);
  });

  it('that sleeps is not woken, and the page says so', async () => {
    const address = await lab.link('asleep', { deadline: lab.now + 50 * day });
    const page = await get(address);
    expect(page.title).toBe('asleep is asleep. Do you still need it?');
    expect(page.html).toContain('Keeping it does not wake it up');
    expect((await press(address)).html).toContain('It is asleep, and stays so until somebody wakes it.');
    expect((await lab.record('asleep')).renewals).toHaveLength(1);
  });
});

describe('what renews nothing', () => {
  it.each([
    ['unknown', {}, 404, 'This virtual cluster is not there'],
    ['renamed', { identity: 'ffffffffffffffffffff' }, 409, 'This link is for another virtual cluster'],
    ['gone', {}, 410, 'It is too late to keep it'],
    ['forever', {}, 200, 'There is nothing to do'],
    ['late', { deadline: Date.now() - 60_000 }, 410, 'This link is too old'],
  ] as const)('a link for %s with %j is answered %i, with what to do', async (claim, change, status, title) => {
    const address = await lab.link(claim, change);
    const shown = await get(address);
    expect({ status: shown.status, title: shown.title, forms: forms(shown.html) }).toEqual({ status, title, forms: 0 });
    expect(shown.html).toMatch(/<p role="alert">[^<]{20,}<\/p><p>[^<]{20,}<\/p>/);
    const before = await lab.log();
    expect((await post(address, 'anything')).status).toBeGreaterThanOrEqual(400);
    expect(await lab.log()).toEqual(before);
  });

  it('a link that was changed, cut, or made by somebody else is forged', async () => {
    const address = await lab.link('ada');
    for (const forged of [address.slice(0, -5), `${address.slice(0, -5)}AAAAA`, `${lab.url}/renew/x`, `${address}x`]) {
      expect(await get(forged)).toMatchObject({ status: 403, title: 'This link does not work' });
    }
  });

  it('a claim whose file has errors is unknown, not gone: the answer is kept', async () => {
    const address = await lab.link('broken');
    const page = await get(address);
    expect(page.html).toContain('cannot be looked up just now');
    expect(await press(address)).toMatchObject({ status: 202, title: 'Your answer for broken is kept' });
    expect(readdirSync(join(lab.folder, 'work/requests'))).toHaveLength(1);
    await lab.commit('state/claims/broken.yaml', claimText('broken'));
    await expect.poll(async () => (await lab.log())[0], { timeout: 20_000 }).toBe('Renew broken');
    await expect.poll(() => readdirSync(join(lab.folder, 'work/requests')), { timeout: 5_000 }).toEqual([]);
  });

  it('another address is no page', async () => {
    for (const path of ['/', '/renew', '/renew/a/b', '/favicon.ico', '/metrics', '/healthz'])
      expect(await get(`${lab.url}${path}`)).toMatchObject({ status: 404, title: 'Nothing to see here' });
    expect(await (await fetch(`${lab.url}/robots.txt`)).text()).toContain('Disallow: /');
  });
});

describe('other sites', () => {
  it('cannot press the button for somebody', async () => {
    const address = await lab.link('posted');
    const form = /name="form" value="([^"]+)"/.exec((await get(address)).html)?.[1] ?? '';
    const elsewhere = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect(await post(address, form, elsewhere)).toMatchObject({
      status: 403,
      title: 'Please press the button on this page',
    });
    expect(await post(address, '')).toMatchObject({ status: 400, title: 'Please press the button again' });
    expect(await post(address, `${form}x`)).toMatchObject({ status: 400 });
    expect(await post(address, 'x'.repeat(10_000))).toMatchObject({ status: 400 });
    await untouched('posted');
  });

  it('can neither frame the page, nor keep it, nor hear of its address; scripts do not run in it', async () => {
    const { headers } = await get(await lab.link('ada'));
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[\w+/]+='; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      ),
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex, nofollow',
    });
    expect(headers.get('set-cookie')).toBeNull();
    const refused = await get(`${lab.url}/renew/x`);
    expect(refused.headers.get('cache-control')).toBe('no-store');
  });
});

describe('languages', () => {
  it.each([
    ['de-DE,de;q=0.9,en;q=0.8', '', 'de'],
    ['en-US,en;q=0.9,de;q=0.1', '', 'en'],
    ['fr-FR,fr;q=0.9,de;q=0.5,en;q=0.3', '', 'de'],
    ['fr', '', 'en'],
    ['de', '?lang=en', 'en'],
    ['en', '?lang=de', 'de'],
    ['en', '?lang=<script>', 'en'],
  ])('with Accept-Language %s and %s the page is in %s', async (wish, query, language) => {
    const page = await get(`${await lab.link('switch')}${query}`, { 'accept-language': wish });
    expect(page.html).toContain(`<html lang="${language}">`);
    expect(page.title).toBe(language === 'de' ? 'Brauchen Sie switch noch?' : 'Do you still need switch?');
    expect(page.html).toContain(`<form method="post" action="?lang=${language}">`);
  });

  it('without a wish it is in that of the owner', async () => {
    const page = await get(await lab.link('german'), { 'accept-language': '*' });
    expect(page.title).toBe('Brauchen Sie german noch?');
  });
});

describe('around the page', () => {
  it('says how it is and what it did, and tells nobody a link', async () => {
    const metrics = await lab.metrics();
    expect(metrics).toMatch(/quiesce_keepalive_pages_total\{method="POST",page="done"\} [1-9]/);
    expect(metrics).toMatch(/quiesce_keepalive_renewals_total\{outcome="renewed"\} [1-9]/);
    expect(metrics).toMatch(/quiesce_keepalive_waiting 0\n/);
    expect(JSON.stringify(lab.lines)).not.toMatch(/eyJ/);
    expect(lab.lines.some(({ message }) => message === 'the button was pressed')).toBe(true);
  });

  it('takes new keys without a restart, and goes on with the last ones when they are gone', async () => {
    const before = await lab.link('old');
    writeFileSync(join(lab.folder, 'keys/key-2'), 'another key of at least thirty-two bytes');
    const after = await lab.link('old', { owner: 'x' });
    await expect.poll(async () => (await get(after)).title, { timeout: 5_000 }).toBe('Do you still need old?');
    expect((await get(before)).title).toBe('Do you still need old?');
  });

  it('is too much for nobody: who asks without end is told to wait', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async () => (await get(`${lab.url}/renew/guess`, headers)).status),
    );
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(20);
    const other = await get(`${lab.url}/renew/guess`, { 'x-forwarded-for': '203.0.113.10' });
    expect(other.status).toBe(403);
  });
});
