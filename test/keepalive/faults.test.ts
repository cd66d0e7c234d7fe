import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installHook } from '../support/temp-repo.ts';
import { claimText, get, type Lab, openLab, post, press } from './lab.ts';

/** Two hundred of them for a soak. */
const people = Array.from({ length: Number(process.env.QUIESCE_AT_ONCE ?? 50) }, (_, index) => `claim-${index}`);
const formOf = async (address: string): Promise<string> =>
  /name="form" value="([^"]+)"/.exec((await get(address)).html)?.[1] ?? '';

describe('a page in front of git', () => {
  let lab: Lab;
  beforeAll(async () => {
    const claims = ['ada', 'bob', 'race', 'lost', 'doomed', 'slow', 'twin', 'careless', 'orphan', ...people];
    lab = await openLab({ claims, environment: { QUIESCE_ANSWER_SECONDS: '60' } });
  });
  afterAll(async () => lab.close());

  const kept = (): number => readdirSync(join(lab.folder, 'work/requests')).length;
  /** Subjects of the commits since then, newest first. */
  async function since(act: () => Promise<void>): Promise<readonly string[]> {
    const before = (await lab.log()).length;
    await act();
    const after = await lab.log();
    return after.slice(0, after.length - before);
  }

  it(`is for ${people.length} people at once: few commits, and nobody is forgotten`, async () => {
    const addresses = await Promise.all(people.map(async (claim) => lab.link(claim)));
    const forms = await Promise.all(addresses.map(formOf));
    const commits = await since(async () => {
      const pages = await Promise.all(addresses.map(async (address, index) => post(address, forms[index] ?? '')));
      expect(pages.map(({ title }) => title)).toEqual(people.map((claim) => `${claim} is kept`));
    });
    const records = await lab.records(people);
    expect(records.map(({ renewals }) => (renewals as unknown[]).length)).toEqual(people.map(() => 1));
    expect(commits.length).toBeLessThanOrEqual(10);
    expect(kept()).toBe(0);
  }, 90_000);

  it('writes at the same time as people do: both are there', async () => {
    const address = await lab.link('race');
    const form = await formOf(address);
    const file = 'state/claims/race.yaml';
    lab.git.competeOnce('platform', { file, content: claimText('race', '  version: 0.31.0\n') });
    const commits = await since(async () => expect((await post(address, form)).title).toBe('race is kept'));
    expect(commits).toEqual(['Renew race', `Change ${file}`]);
    expect((await lab.record('race')).renewals).toHaveLength(1);
  }, 30_000);

  it('does not make a push twice that arrived although the line broke', async () => {
    const address = await lab.link('lost');
    const form = await formOf(address);
    lab.git.fault('push', { kind: 'cut-response', afterBytes: 0 });
    const commits = await since(async () => expect((await post(address, form)).title).toBe('lost is kept'));
    expect(commits).toEqual(['Renew lost']);
  }, 30_000);

  it('does not renew what goes to its deletion between page and press', async () => {
    const address = await lab.link('doomed');
    const form = await formOf(address);
    await lab.commit('state/claims/doomed.yaml', claimText('doomed', '  state: Deleted\n'));
    expect(await post(address, form)).toMatchObject({ status: 410, title: 'It is too late to keep it' });
    expect(await lab.record('doomed')).not.toHaveProperty('renewals');
  }, 30_000);

  it('loses no answer to settings that somebody broke', async () => {
    const address = await lab.link('careless');
    const form = await formOf(address);
    const settings = await lab.show('main:state/settings.yaml');
    await lab.commit('state/settings.yaml', 'spec: [\n');
    expect(await post(address, form)).toMatchObject({ status: 202, title: 'Your answer for careless is kept' });
    await lab.commit('state/settings.yaml', settings);
    await expect.poll(kept, { timeout: 20_000, interval: 200 }).toBe(0);
    expect((await lab.record('careless')).renewals).toHaveLength(1);
  }, 40_000);

  it('is not slow because git is', async () => {
    lab.git.fault('ask-fetch', { kind: 'delay', milliseconds: 8_000 });
    const begin = performance.now();
    const page = await get(await lab.link('slow'));
    expect(page.status).toBe(200);
    expect(performance.now() - begin).toBeLessThan(6_000);
  }, 30_000);

  it('goes on when its process that works with git dies in the middle', async () => {
    const address = await lab.link('orphan');
    const form = await formOf(address);
    const commits = await since(async () => {
      lab.git.fault('ask-fetch', { kind: 'delay', milliseconds: 3_000 });
      const answer = post(address, form);
      await expect.poll(kept, { timeout: 5_000, interval: 20 }).toBe(1);
      await sleep(500);
      for (const pid of lab.children()) process.kill(pid, 'SIGKILL');
      expect(await answer).toMatchObject({ status: 202, title: 'Your answer for orphan is kept' });
      await expect.poll(kept, { timeout: 20_000, interval: 200 }).toBe(0);
    });
    expect(commits).toEqual(['Renew orphan']);
    expect((await get(address)).title).toBe('orphan is kept');
  }, 40_000);

  it('says so while git cannot be reached, keeps the answers, and carries them out after crash and restart', async () => {
    const [ada, bob] = [await lab.link('ada'), await lab.link('bob')];
    const commits = await since(async () => {
      await lab.cut();
      const blind = await get(bob);
      expect(blind.status).toBe(200);
      expect(blind.html).toContain('cannot be looked up just now');
      const answers = await Promise.all([ada, bob].map(async (address) => press(address)));
      expect(answers.map(({ status, title }) => `${status} ${title}`)).toEqual([
        '202 Your answer for ada is kept',
        '202 Your answer for bob is kept',
      ]);
      expect(kept()).toBe(2);
      await lab.stop('SIGKILL');
      await lab.start();
      expect((await get(ada)).title).toBe('Your answer for ada is kept');
      expect(await lab.metrics()).toMatch(/quiesce_keepalive_waiting 2\n/);
      await lab.mend();
      await expect.poll(kept, { timeout: 30_000, interval: 200 }).toBe(0);
    });
    expect(commits).toEqual(['Renew ada and bob']);
    expect((await lab.record('ada')).renewals).toMatchObject([{ by: 'ada@example.edu' }]);
    expect((await get(ada)).title).toBe('ada is kept');
  }, 60_000);

  it('beside another one renews once, ends in good order, and without keys does not begin', async () => {
    const address = await lab.link('twin');
    const form = await formOf(address);
    const first = await post(address, form);
    const child = lab.process();
    await lab.stop();
    expect(child.exitCode).toBe(0);
    expect(lab.lines.at(-1)?.message).toBe('stopped in good order');
    // Another replica, which has not seen what this one did.
    await lab.start({ QUIESCE_WORK: join(lab.folder, 'other') });
    const commits = await since(async () => expect((await post(address, form)).html).toBe(first.html));
    expect(commits).toEqual([]);
    await lab.stop();
    await expect(lab.start({ QUIESCE_KEYS: join(lab.folder, 'nowhere') })).rejects.toThrow('the page ended with 2');
  }, 40_000);
});

it('where branches are protected it proposes, says so, and does not propose the same again', async () => {
  const lab = await openLab({ settings: '    state: { push: branch, pullRequestBranch: quiesce/state }' });
  try {
    installHook(lab.git.bare('platform'), 'update', 'test "$1" != refs/heads/main');
    const address = await lab.link('ada');
    expect((await get(address)).html).toContain('The renewal is proposed as a pull request');
    expect((await press(address)).html).toContain('The renewal is proposed to the operators.');
    expect(await lab.log('quiesce/state')).toEqual(['Renew ada', 'Begin']);
    expect((await lab.record('ada', 'quiesce/state')).renewals).toHaveLength(1);
    expect(await lab.record('ada')).not.toHaveProperty('renewals');
    expect((await get(address)).title).toBe('ada is kept');
  } finally {
    await lab.close();
  }
}, 30_000);
