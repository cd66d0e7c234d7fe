import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StateClone } from '../../src/writeback/clone.ts';
import { whyNoPush } from '../../src/writeback/may-push.ts';
import { readState } from '../../src/writeback/state-at-tip.ts';
import { type GitServer, startGitServer } from '../support/git-server.ts';
import { seedOf } from '../support/seed.ts';
import { competeWhileReceiving, openWorkshop, type TempRepo, type Workshop } from '../support/temp-repo.ts';
import { adaFile, author, claimText, cloneOf, renew, setState, writeIn } from './claims.ts';

const credentials = { username: 'bot', password: "s3cret/with:odd'signs" };
/** More of them for a soak. */
const programs = Number(process.env.QUIESCE_AT_ONCE ?? 3);
const renewals = Math.max(1, programs - 2);
const sow = seedOf({ [adaFile]: claimText('ada'), 'state/claims/bob.yaml': claimText('bob') });
let shop: Workshop;
let server: GitServer;
let repo: TempRepo;
let clone: StateClone;

beforeEach(async () => {
  shop = openWorkshop();
  server = await startGitServer({ repos: ['platform'], credentials });
  const origin = { bare: server.bare('platform'), url: server.url('platform', credentials) };
  ({ repo } = await sow(shop, 'person', origin));
  mkdirSync(shop.path('secret'));
  for (const [name, text] of Object.entries(credentials)) writeFileSync(join(shop.path('secret'), name), text);
  clone = cloneOf(shop, server.url('platform'), { credentials: shop.path('secret') });
});
afterEach(async () => {
  clone.close();
  await server.close();
  shop.close();
});

/** Each attempt is the whole of it again. */
const twice = { attempts: 2, delay: () => 1 };
const remote = async (...args: string[]) => repo.git('--git-dir', server.bare('platform'), ...args);
const subjects = async () => (await remote('log', '--format=%s', 'main')).split('\n');
const bobSleeps = { file: 'state/claims/bob.yaml', content: claimText('bob', 'Sleeping'), message: 'Sleep bob' };

describe('a push that somebody else was faster than', () => {
  it.each(['ask-push', 'push'] as const)('before the %s is decided again on what they pushed', async (stage) => {
    server.competeOnce('platform', bobSleeps, stage);
    const seen: string[] = [];
    const decide = setState('ada', 'Sleeping');
    const result = await writeIn(clone, async (state) => {
      seen.push((await state.text(bobSleeps.file)) ?? '');
      return decide(state);
    });
    expect(result).toMatchObject({ kind: 'written', attempts: 2 });
    expect(seen).toEqual([claimText('bob'), claimText('bob', 'Sleeping')]);
    expect(await subjects()).toEqual(['Sleeping ada', 'Sleep bob', 'State']);
  });

  it('while it was received, twice', async () => {
    competeWhileReceiving(server.bare('platform'), bobSleeps, 2);
    expect(await writeIn(clone, setState('ada', 'Sleeping'))).toMatchObject({ kind: 'written', attempts: 3 });
    expect(await subjects()).toEqual(['Sleeping ada', 'Compete', 'Compete', 'State']);
  });

  it('who edited the same claim: their words stay, and only ours change', async () => {
    const theirs = claimText('ada').replace('# ask her first', '# on leave').replace('ada@', 'ada.lovelace@');
    server.competeOnce('platform', { file: adaFile, content: theirs, message: 'Move ada' });
    await writeIn(clone, setState('ada', 'Sleeping'));
    expect(await remote('show', `main:${adaFile}`)).toBe(theirs.replace('Running', 'Sleeping').trim());
  });

  it('who did the same: nothing is left to do', async () => {
    server.competeOnce('platform', { file: adaFile, content: claimText('ada', 'Sleeping'), message: 'Sleep ada' });
    expect(await writeIn(clone, setState('ada', 'Sleeping'))).toMatchObject({ kind: 'nothing', attempts: 2 });
    expect(await subjects()).toEqual(['Sleep ada', 'State']);
  });

  it('who removed the claim', async () => {
    const empty = await remote('mktree', '--missing');
    server.competeOnce('platform', { file: 'state/notes.md', content: 'x' });
    const attempts: number[] = [];
    const decide = setState('ada', 'Sleeping');
    const result = await writeIn(clone, async (state) => {
      attempts.push(state.attempt);
      if (state.attempt === 1) {
        await remote('update-ref', 'refs/heads/main', await remote('commit-tree', '-p', 'main', '-m', 'Empty', empty));
      }
      return decide(state);
    });
    expect(result).toMatchObject({ kind: 'nothing', note: 'no such claim' });
    expect(attempts.length).toBeGreaterThan(1);
  });

  it('is given up after a while, with nothing changed', async () => {
    competeWhileReceiving(server.bare('platform'), bobSleeps, 3);
    expect(await writeIn(clone, setState('ada', 'Sleeping'), { retry: twice })).toMatchObject({
      kind: 'failed',
      finding: { code: 'commit-raced' },
    });
    expect(await subjects()).not.toContain('Sleeping ada');
    expect(await writeIn(clone, setState('ada', 'Sleeping'))).toMatchObject({ kind: 'written', attempts: 2 });
  });

  it('and rewrote the branch: nothing of what they dropped comes back', async () => {
    const first = await remote('rev-parse', 'main');
    await repo.commit('A secret by mistake', { 'state/secret.txt': 'hunter2\n' });
    await repo.git('push', '--quiet');
    const decide = setState('ada', 'Sleeping');
    const result = await writeIn(clone, async (state) => {
      if (state.attempt === 1) {
        const without = await remote('commit-tree', '-m', 'Rewritten', '-p', first, `${first}^{tree}`);
        await remote('update-ref', 'refs/heads/main', without);
      }
      return decide(state);
    });
    expect(result).toMatchObject({ kind: 'written', attempts: 2 });
    expect(await subjects()).toEqual(['Sleeping ada', 'Rewritten', 'State']);
    expect(await remote('ls-tree', '-r', '--name-only', 'main')).not.toContain('secret');
  });
});

describe('a connection that breaks', () => {
  it('after the push was done: it is seen, and not done twice', async () => {
    server.fault('push', { kind: 'cut-response', afterBytes: 0 });
    const result = await writeIn(clone, renew('ada', '2026-02-01T00:00:00Z'));
    expect(result).toMatchObject({ kind: 'written', note: 'done', attempts: 2 });
    expect(await subjects()).toEqual(['Renew ada', 'State']);
  });

  it('the same, and somebody else has pushed on top of it before we look again', async () => {
    server.fault('push', { kind: 'cut-response', afterBytes: 0 });
    server.competeOnce('platform', bobSleeps, 'ask-fetch');
    const again = renew('ada', '2026-02-01T00:00:00Z');
    expect(await writeIn(clone, again)).toMatchObject({ kind: 'written' });
    expect((await subjects()).filter((subject) => subject === 'Renew ada')).toHaveLength(1);
    expect(await writeIn(clone, again)).toMatchObject({ kind: 'nothing' });
  });

  it('the same, and the program ends before it looks again', async () => {
    server.fault('push', { kind: 'cut-response', afterBytes: 0 });
    const again = renew('ada', '2026-02-01T00:00:00Z');
    expect(await writeIn(clone, again, { retry: { attempts: 1, delay: () => 1 } })).toMatchObject({ kind: 'written' });
    const next = cloneOf(shop, server.url('platform'), { credentials: shop.path('secret') });
    expect(await writeIn(next, again)).toMatchObject({ kind: 'nothing' });
    next.close();
    expect(await subjects()).toEqual(['Renew ada', 'State']);
  });

  it('while sending, or in an error of the server: it is sent again', async () => {
    server.fault('push', { kind: 'cut-request', afterBytes: 10 }, 2);
    server.fault('ask-fetch', { kind: 'status', code: 500 });
    expect(await writeIn(clone, setState('ada', 'Sleeping'))).toMatchObject({ kind: 'written' });
    expect(await subjects()).toEqual(['Sleeping ada', 'State']);
  });

  it('for good: nothing is written, and it says so', async () => {
    server.fault('push', { kind: 'status', code: 502 }, 99);
    expect(await writeIn(clone, setState('ada', 'Sleeping'), { retry: twice })).toMatchObject({
      kind: 'failed',
      finding: { code: 'commit-connection-lost' },
    });
    expect(await subjects()).toEqual(['State']);
  });

  it('because nobody answers', async () => {
    await server.close();
    const result = await writeIn(clone, setState('ada', 'Sleeping'));
    expect(result).toMatchObject({ kind: 'failed', finding: { code: 'commit-unreachable' } });
  });
});

describe('refusals', () => {
  it('of a protected branch are final, and say which setting helps', async () => {
    server.hook('platform', 'pre-receive', 'echo "main is protected: open a pull request" >&2; exit 1');
    expect(await writeIn(clone, setState('ada', 'Sleeping'))).toMatchObject({
      kind: 'failed',
      finding: {
        code: 'commit-refused',
        message: expect.stringContaining('main is protected'),
        remedy: expect.stringContaining('git.state.push to "branch"'),
      },
    });
  });

  it('can be asked for beforehand, as far as a server knows them then', async () => {
    const commit = await remote('rev-parse', 'main');
    await readState(clone, { author });
    expect(await whyNoPush(clone, { commit })).toBeUndefined();
    expect(await whyNoPush(clone, { commit, review: 'quiesce/state' })).toBeUndefined();
    expect(await subjects()).toEqual(['State']);
    server.fault('ask-push', { kind: 'status', code: 403 });
    expect(await whyNoPush(clone, { commit })).toMatchObject({ code: 'commit-credentials' });
    await repo.commit('Meanwhile', { 'notes.md': 'x\n' });
    await repo.git('push', '--quiet');
    expect(await whyNoPush(clone, { commit })).toBeUndefined();
    await server.close();
    expect(await whyNoPush(clone, { commit })).toMatchObject({ code: 'commit-unreachable' });
  });

  it('of credentials never show them', async () => {
    writeFileSync(join(shop.path('secret'), 'password'), 'hunter2');
    const result = await writeIn(clone, setState('ada', 'Sleeping'));
    expect(result).toMatchObject({ kind: 'failed', finding: { code: 'commit-credentials' } });
    expect(JSON.stringify(result)).not.toMatch(/hunter2|s3cret/);
  });

  it('end when the Secret is right again, without a restart', async () => {
    writeFileSync(join(shop.path('secret'), 'password'), 'hunter2');
    await writeIn(clone, setState('ada', 'Sleeping'));
    writeFileSync(join(shop.path('secret'), 'password'), credentials.password);
    expect(await writeIn(clone, setState('ada', 'Sleeping'))).toMatchObject({ kind: 'written' });
  });

  it('of an empty Secret', async () => {
    mkdirSync(shop.path('empty'));
    const other = cloneOf(shop, server.url('platform'), { credentials: shop.path('empty') });
    expect(await writeIn(other, setState('ada', 'Sleeping'))).toMatchObject({
      kind: 'failed',
      finding: { code: 'commit-credentials', message: expect.stringContaining('holds no credentials') },
    });
  });
});

describe('many at once', () => {
  it(`lose nothing: ${programs} programs, some of them in one folder, write ${renewals} renewals each`, {
    timeout: 180_000,
  }, async () => {
    const clones = Array.from({ length: programs }, (_, index) =>
      cloneOf(shop, server.url('platform'), { credentials: shop.path('secret'), work: shop.path(`work-${index % 2}`) }),
    );
    const retry = { attempts: 200, delay: () => 5 };
    await Promise.all(
      clones.map(async (each, index) => {
        for (let n = 0; n < renewals; n += 1) {
          const at = `2026-02-0${index + 1}T0${n}:00:00Z`;
          expect(await writeIn(each, renew('ada', at), { retry })).toMatchObject({ kind: 'written' });
        }
        each.close();
      }),
    );
    const record = await remote('show', 'main:state/records/ada.yaml');
    expect(record.match(/- at:/g)).toHaveLength(programs * renewals);
    expect(await remote('rev-list', '--count', 'main')).toBe(`${programs * renewals + 1}`);
  });

  it('two of the very same decision write it once', async () => {
    const second = cloneOf(shop, server.url('platform'), { credentials: shop.path('secret') });
    const again = renew('ada', '2026-02-01T00:00:00Z');
    const results = await Promise.all([writeIn(clone, again), writeIn(second, again)]);
    second.close();
    expect(results.map(({ kind }) => kind)).toContain('written');
    expect(results.map(({ kind }) => kind)).not.toContain('failed');
    expect(await subjects()).toEqual(['Renew ada', 'State']);
  });
});
