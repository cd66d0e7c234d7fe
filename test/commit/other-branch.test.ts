import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seedOf } from '../support/seed.ts';
import { openWorkshop, type TempRepo, type Workshop } from '../support/temp-repo.ts';
import { commitIn, target } from './stand-in.ts';

const rendered = { ...target, branch: 'rendered' };
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
  const commit = await repo.commit('Sleep ada', { 'state/ada.yaml': 'state: Sleeping\n' });
  await repo.git('push', '--quiet');
  return commit;
};

describe('commit to another branch of the same repository', () => {
  it('starts the branch without history when it does not exist', async () => {
    const source = await repo.git('rev-parse', 'HEAD');
    const result = await commitIn(repo, shop.env, { target: rendered });
    expect(result).toMatchObject({
      kind: 'committed',
      source,
      place: { remote: 'origin', branch: 'rendered', path: 'out' },
      local: { kind: 'untouched' },
    });
    expect(await remote('rev-list', '--count', 'rendered')).toBe('1');
    expect(await remote('ls-tree', '-r', '--name-only', 'rendered')).toBe('out/ada.k8s.yaml');
    expect(await repo.git('status', '--porcelain')).toBe('');
    expect(existsSync(join(repo.dir, 'out'))).toBe(false);
  });

  it('adds to the branch, and leaves what others have there', async () => {
    await commitIn(repo, shop.env, { target: rendered });
    const other = await shop.clone(`file://${bare}`, 'other', '--branch', 'rendered');
    await other.commit('Read', { 'README.md': 'Generated.\n', 'out/theirs.txt': 'x\n' });
    await other.git('push', '--quiet');
    await sleepAda();
    expect(await commitIn(repo, shop.env, { target: rendered })).toMatchObject({
      kind: 'committed',
      changes: [{ path: 'ada.k8s.yaml', change: 'changed' }],
    });
    expect(await remote('ls-tree', '-r', '--name-only', 'rendered')).toBe(
      'README.md\nout/ada.k8s.yaml\nout/theirs.txt',
    );
    expect(await remote('show', 'rendered:out/ada.k8s.yaml')).toContain('Sleeping');
    expect(await remote('rev-list', '--count', 'rendered')).toBe('3');
  });

  it('does nothing when no bytes changed', async () => {
    await commitIn(repo, shop.env, { target: rendered });
    await repo.commit('Read', { 'README.md': 'Other words.\n' });
    await repo.git('push', '--quiet');
    expect(await commitIn(repo, shop.env, { target: rendered })).toMatchObject({ kind: 'unchanged' });
  });

  it('lets two instances share a branch, each in its folder', async () => {
    await commitIn(repo, shop.env, { target: { ...rendered, path: 'live/one' } });
    await commitIn(repo, shop.env, { target: { ...rendered, path: 'live/two' } });
    expect(await remote('ls-tree', '-r', '--name-only', 'rendered')).toBe(
      'live/one/ada.k8s.yaml\nlive/two/ada.k8s.yaml',
    );
  });

  it('never goes back behind output of later state: an old job that is run again', async () => {
    const old = await repo.git('rev-parse', 'HEAD');
    const newer = await sleepAda();
    await commitIn(repo, shop.env, { target: rendered });
    await repo.git('checkout', '--quiet', '--detach', old);
    expect(await commitIn(repo, shop.env, { target: rendered })).toMatchObject({ kind: 'superseded', by: newer });
    const shallow = await shop.clone(`file://${bare}`, 'shallow', '--depth=2');
    await shallow.git('checkout', '--quiet', '--detach', old);
    expect(await commitIn(shallow, shop.env, { target: rendered })).toMatchObject({ kind: 'superseded', by: newer });
    expect(await remote('show', 'rendered:out/ada.k8s.yaml')).toContain('Sleeping');
  });

  it('the same for a clone that has never seen the later state', async () => {
    const late = await shop.clone(`file://${bare}`, 'late');
    const newer = await sleepAda();
    await commitIn(repo, shop.env, { target: rendered });
    expect(await commitIn(late, shop.env, { target: rendered })).toMatchObject({ kind: 'superseded', by: newer });
  });

  it('goes on after the state branch was rewritten', async () => {
    await sleepAda();
    await commitIn(repo, shop.env, { target: rendered });
    await repo.git('reset', '--quiet', '--hard', 'HEAD^');
    await repo.commit('Other', { 'state/ada.yaml': 'state: Other\n' });
    await repo.git('push', '--quiet', '--force');
    expect(await commitIn(repo, shop.env, { target: rendered })).toMatchObject({ kind: 'committed' });
  });

  it('leaves out state that is not committed when told so', async () => {
    repo.write('state/bob.yaml', 'state: Running\n');
    expect(await commitIn(repo, shop.env, { target: rendered, allowDirty: true })).toMatchObject({
      changes: [{ path: 'ada.k8s.yaml' }],
    });
  });

  it.each([
    ['a commit that is not pushed', async () => void (await repo.commit('Local', { 'state/bob.yaml': 'x\n' }))],
    [
      'a pull request as CI checks it out',
      async () => {
        await repo.git('checkout', '--quiet', '--detach');
        await repo.commit('Merge of a pull request', { 'state/bob.yaml': 'x\n' });
      },
    ],
  ])('refuses %s', async (_, prepare) => {
    await prepare();
    expect(await commitIn(repo, shop.env, { target: rendered })).toMatchObject({
      kind: 'failed',
      finding: { code: 'commit-wrong-branch' },
    });
    expect(await commitIn(repo, shop.env, { target: rendered, anyBranch: true })).toMatchObject({ kind: 'committed' });
  });

  it.each([
    ['a file', async (other: TempRepo) => void (await other.commit('x', { 'out/deep': 'a file\n' })), 'a file'],
    [
      'a link',
      async (other: TempRepo) => {
        await other.git('config', 'core.symlinks', 'true');
        const { symlinkSync } = await import('node:fs');
        symlinkSync('/tmp', join(other.dir, 'out'));
        await other.git('add', 'out');
        await other.git('commit', '--quiet', '-m', 'x');
      },
      'a link',
    ],
  ])('refuses a path where %s is in the way', async (_, prepare, what) => {
    const other = await shop.clone(`file://${bare}`, 'other');
    await other.git('switch', '--quiet', '--orphan', 'rendered');
    await prepare(other);
    await other.git('push', '--quiet', 'origin', 'rendered');
    const result = await commitIn(repo, shop.env, { target: { ...rendered, path: 'out/deep' } });
    expect(result).toMatchObject({
      kind: 'failed',
      finding: { code: 'commit-path-occupied', message: expect.stringContaining(what) },
    });
  });

  it('refuses output that Git LFS would replace by pointers', async () => {
    const other = await shop.clone(`file://${bare}`, 'other');
    await other.git('switch', '--quiet', '--orphan', 'rendered');
    await other.commit('LFS', { '.gitattributes': '*.yaml filter=lfs diff=lfs merge=lfs -text\n' });
    await other.git('push', '--quiet', 'origin', 'rendered');
    expect(await commitIn(repo, shop.env, { target: rendered })).toMatchObject({
      kind: 'failed',
      finding: { code: 'commit-filtered' },
    });
  });

  it('says when another branch stands in the way of the name', async () => {
    await repo.git('push', '--quiet', 'origin', 'main:refs/heads/live');
    expect(await commitIn(repo, shop.env, { target: { ...target, branch: 'live/eu' } })).toMatchObject({
      kind: 'failed',
      finding: { code: 'commit-branch-name' },
    });
  });

  it('moves a branch of this repository when there is no remote', async () => {
    await repo.git('remote', 'remove', 'origin');
    expect(await commitIn(repo, shop.env, { target: rendered })).toMatchObject({
      kind: 'committed',
      place: { branch: 'rendered' },
    });
    expect(await repo.git('ls-tree', '-r', '--name-only', 'rendered')).toBe('out/ada.k8s.yaml');
    await repo.git('worktree', 'add', '--quiet', shop.path('linked'), 'rendered');
    await repo.commit('Sleep', { 'state/ada.yaml': 'state: Sleeping\n' });
    expect(await commitIn(repo, shop.env, { target: rendered })).toMatchObject({
      kind: 'failed',
      finding: { code: 'commit-branch-in-use' },
    });
    await repo.git('worktree', 'remove', shop.path('linked'));
    expect(await commitIn(repo, shop.env, { target: rendered })).toMatchObject({ kind: 'committed' });
    expect(await repo.git('rev-list', '--count', 'rendered')).toBe('2');
  });

  it('needs only the tip in a shallow clone', async () => {
    await commitIn(repo, shop.env, { target: rendered });
    await sleepAda();
    const shallow = await shop.clone(`file://${bare}`, 'shallow', '--depth=1');
    expect(await commitIn(shallow, shop.env, { target: rendered })).toMatchObject({ kind: 'committed' });
    expect(await remote('rev-list', '--count', 'rendered')).toBe('2');
    expect(await shallow.git('rev-parse', '--is-shallow-repository')).toBe('true');
  });
});
