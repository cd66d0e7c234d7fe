import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seedOf } from '../support/seed.ts';
import { openWorkshop, type TempRepo, type Workshop } from '../support/temp-repo.ts';
import { commitIn, target } from './stand-in.ts';

const review = { ...target, push: 'branch' as const };
const sow = seedOf({ 'state/ada.yaml': 'state: Running\n', 'README.md': 'Read me.\n' });
let shop: Workshop;
let bare: string;
let repo: TempRepo;

beforeEach(async () => {
  shop = openWorkshop();
  ({ bare, repo } = await sow(shop, 'work'));
});
afterEach(() => shop.close());

const remote = async (...args: string[]) => repo.git('--git-dir', bare, ...args);
const sleepAda = async () => {
  await repo.commit('Sleep ada', { 'state/ada.yaml': 'state: Sleeping\n' });
  await repo.git('push', '--quiet');
};
/** What people do in the browser. */
const merge = async (how: '--ff-only' | '--no-ff' | '--squash') => {
  await repo.git('fetch', '--quiet');
  await repo.git('merge', '--quiet', how, ...(how === '--no-ff' ? ['-m', 'Merge'] : []), 'origin/quiesce/out');
  if (how === '--squash') await repo.git('commit', '--quiet', '-m', 'Squashed');
  await repo.git('push', '--quiet');
};
const propose = async () => commitIn(repo, shop.env, { target: review });

describe('commit to a branch for a pull request', () => {
  it('puts the commit on a new branch and leaves the base and the work tree alone', async () => {
    const head = await repo.git('rev-parse', 'HEAD');
    expect(await propose()).toMatchObject({
      kind: 'committed',
      source: head,
      place: { branch: 'quiesce/out', base: 'main' },
      local: { kind: 'untouched' },
    });
    expect(await remote('rev-parse', 'quiesce/out^')).toBe(head);
    expect(await remote('rev-parse', 'main')).toBe(head);
    expect(await repo.git('rev-parse', 'HEAD')).toBe(head);
  });

  it('does nothing while the branch proposes the right thing already', async () => {
    await propose();
    expect(await propose()).toMatchObject({ kind: 'unchanged' });
  });

  it('does nothing when the base is up to date', async () => {
    await commitIn(repo, shop.env);
    expect(await propose()).toMatchObject({ kind: 'unchanged' });
    expect(await remote('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
  });

  it('keeps what people added to the open pull request', async () => {
    await propose();
    const other = await shop.clone(`file://${bare}`, 'other', '--branch', 'quiesce/out');
    await other.commit('Claim', { 'state/bob.yaml': 'state: Running\n' });
    await other.git('push', '--quiet');
    expect(await propose()).toMatchObject({ kind: 'committed', changes: [{ path: 'bob.k8s.yaml', change: 'added' }] });
    expect(await remote('log', '--format=%s', 'quiesce/out')).toBe(
      'added bob.k8s.yaml\nClaim\nadded ada.k8s.yaml\nState',
    );
  });

  it('brings an open pull request up to date when the base has gone on, without force', async () => {
    await propose();
    const before = await remote('rev-parse', 'quiesce/out');
    await sleepAda();
    expect(await propose()).toMatchObject({ kind: 'committed', source: await repo.git('rev-parse', 'HEAD') });
    expect(await remote('log', '-1', '--format=%P', 'quiesce/out')).toBe(
      `${before} ${await remote('rev-parse', 'main')}`,
    );
    expect(await remote('diff', '--name-only', 'main...quiesce/out')).toBe('out/ada.k8s.yaml');
    expect(await remote('show', 'quiesce/out:out/ada.k8s.yaml')).toContain('Sleeping');
    expect(await remote('show', 'quiesce/out:state/ada.yaml')).toContain('Sleeping');
  });

  it('leaves the branch alone when the base went on and the proposal stays the same', async () => {
    await propose();
    await repo.commit('Read', { 'README.md': 'Other words.\n' });
    await repo.git('push', '--quiet');
    expect(await propose()).toMatchObject({ kind: 'unchanged' });
  });

  it.each(['--ff-only', '--no-ff', '--squash'] as const)(
    'starts anew from the base after a merge (%s), on the same branch',
    async (how) => {
      await propose();
      await merge(how);
      expect(await propose()).toMatchObject({ kind: 'unchanged' });
      await sleepAda();
      expect(await propose()).toMatchObject({ kind: 'committed' });
      expect(await remote('diff', '--name-only', 'main...quiesce/out')).toBe('out/ada.k8s.yaml');
      await merge(how);
      expect(await remote('show', 'main:out/ada.k8s.yaml')).toContain('Sleeping');
      expect(await propose()).toMatchObject({ kind: 'unchanged' });
    },
  );

  it('empties a proposal that is no longer needed', async () => {
    await commitIn(repo, shop.env);
    await sleepAda();
    await propose();
    await repo.git('revert', '--no-edit', 'HEAD');
    await repo.git('push', '--quiet');
    expect(await propose()).toMatchObject({
      kind: 'committed',
      changes: [],
      subject: 'Bring quiesce/out up to date with main',
    });
    expect(await remote('diff', '--name-only', 'main...quiesce/out')).toBe('');
  });

  it('refuses to drop work when both went on', async () => {
    await propose();
    const other = await shop.clone(`file://${bare}`, 'other', '--branch', 'quiesce/out');
    await other.commit('Work', { 'README.md': 'Work.\n' });
    await other.git('push', '--quiet');
    await sleepAda();
    const tip = await remote('rev-parse', 'quiesce/out');
    expect(await propose()).toMatchObject({ kind: 'failed', finding: { code: 'commit-review-branch-edited' } });
    expect(await remote('rev-parse', 'quiesce/out')).toBe(tip);
  });

  it('takes commits along that are not pushed yet', async () => {
    await repo.commit('Sleep ada', { 'state/ada.yaml': 'state: Sleeping\n' });
    expect(await propose()).toMatchObject({ kind: 'committed' });
    expect(await remote('log', '--format=%s', 'quiesce/out')).toBe('added ada.k8s.yaml\nSleep ada\nState');
  });

  it('works in a shallow clone whose history ends before the branches part', async () => {
    await propose();
    await sleepAda();
    const shallow = await shop.clone(`file://${bare}`, 'shallow', '--depth=1');
    expect(await commitIn(shallow, shop.env, { target: review })).toMatchObject({ kind: 'committed' });
    expect(await remote('diff', '--name-only', 'main...quiesce/out')).toBe('out/ada.k8s.yaml');
  });

  it('proposes for another branch, with the state of this one', async () => {
    await commitIn(repo, shop.env, { target: { ...target, branch: 'rendered' } });
    await sleepAda();
    const result = await commitIn(repo, shop.env, { target: { ...review, branch: 'rendered' } });
    expect(result).toMatchObject({ kind: 'committed', place: { branch: 'quiesce/out', base: 'rendered' } });
    expect(await remote('diff', '--name-only', 'rendered...quiesce/out')).toBe('out/ada.k8s.yaml');
    expect(await commitIn(repo, shop.env, { target: { ...review, branch: 'rendered' } })).toMatchObject({
      kind: 'unchanged',
    });
  });

  it('needs a base branch', async () => {
    expect(await commitIn(repo, shop.env, { target: { ...review, branch: 'rendered' } })).toMatchObject({
      kind: 'failed',
      finding: { code: 'commit-no-base-branch' },
    });
  });

  it('proposes in another repository', async () => {
    const other = await shop.bare('other.git');
    await repo.git('push', '--quiet', `file://${other}`, 'main');
    const url = `file://${other}`;
    expect(await commitIn(repo, shop.env, { target: { ...review, url } })).toMatchObject({
      kind: 'committed',
      place: { remote: url, branch: 'quiesce/out', base: 'main' },
    });
    expect(await commitIn(repo, shop.env, { target: { ...review, url } })).toMatchObject({ kind: 'unchanged' });
  });
});
