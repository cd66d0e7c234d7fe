import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GitFailure } from '../../src/commit/git.ts';
import { findingOf } from '../../src/commit/stop.ts';
import { seedOf } from '../support/seed.ts';
import { commitInBare, openWorkshop, runGit, type TempRepo, type Workshop } from '../support/temp-repo.ts';
import { commitIn, target } from './stand-in.ts';

const sow = seedOf({ 'state/ada.yaml': 'state: Running\n', 'README.md': 'Read me.\n' });
let shop: Workshop;
let bare: string;
let repo: TempRepo;

beforeEach(async () => {
  shop = openWorkshop();
  ({ bare, repo } = await sow(shop, 'work'));
});
afterEach(() => shop.close());

const codeOf = async (options: Parameters<typeof commitIn>[2] = {}, of = repo, env = shop.env): Promise<string> => {
  const result = await commitIn(of, env, options);
  return result.kind === 'failed' ? result.finding.code : result.kind;
};

describe('a repository that is not ready', () => {
  it('is none', async () => {
    mkdirSync(shop.path('plain'));
    expect(await codeOf({ root: shop.path('plain') })).toBe('commit-no-repository');
    expect(await codeOf({ root: shop.path('nowhere') })).toBe('commit-no-repository');
    expect(await codeOf({ root: bare })).toBe('commit-no-repository');
  });

  it('has no commit', async () => {
    const fresh = await shop.repo('fresh');
    fresh.write('state/ada.yaml', 'x\n');
    expect(await codeOf({}, fresh)).toBe('commit-nothing-committed');
  });

  it.each([
    ['an edited file', 'state/ada.yaml'],
    ['a new file', 'state/new one.yaml'],
  ])('has state that is not committed: %s', async (_, path) => {
    repo.write(path, 'state: Sleeping\n');
    expect(await commitIn(repo, shop.env)).toMatchObject({
      kind: 'failed',
      finding: { code: 'commit-dirty-state', at: { kind: 'file', file: path } },
    });
    expect(await commitIn(repo, shop.env, { allowDirty: true })).toMatchObject({
      kind: 'committed',
      changes: [{ path: 'ada.k8s.yaml' }],
    });
    expect(repo.read(path)).toBe('state: Sleeping\n');
    expect(await repo.git('show', 'HEAD:out/ada.k8s.yaml')).toContain('Running');
  });

  it('has staged state', async () => {
    repo.write('state/ada.yaml', 'state: Sleeping\n');
    await repo.git('add', 'state');
    expect(await codeOf()).toBe('commit-dirty-state');
  });

  it('is in the middle of a merge', async () => {
    await repo.git('switch', '--quiet', '--create', 'side');
    await repo.commit('Side', { 'README.md': 'side\n' });
    await repo.git('switch', '--quiet', 'main');
    await repo.commit('Main', { 'README.md': 'main\n' });
    await repo.git('merge', 'side').catch(() => {});
    expect(await commitIn(repo, shop.env)).toMatchObject({
      finding: { code: 'commit-in-progress', message: expect.stringContaining('merge') },
    });
  });

  it('is in the middle of a rebase', async () => {
    await repo.commit('More', { 'README.md': 'more\n' });
    await runGit(repo.dir, ['rebase', '--quiet', '-i', 'HEAD^'], {
      ...shop.env,
      GIT_SEQUENCE_EDITOR: 'sed -i s/pick/edit/',
    });
    expect(await commitIn(repo, shop.env)).toMatchObject({
      finding: { code: 'commit-in-progress', message: expect.stringContaining('rebase') },
    });
  });

  it('is locked by another git command', { timeout: 20_000 }, async () => {
    writeFileSync(join(repo.dir, '.git/index.lock'), '');
    expect(await codeOf()).toBe('commit-index-locked');
    // Whoever does not touch the index does not wait for it.
    expect(await codeOf({ target: { ...target, branch: 'rendered' } })).toBe('committed');
  });

  it('is locked for an instant', async () => {
    writeFileSync(join(repo.dir, '.git/index.lock'), '');
    setTimeout(() => rmSync(join(repo.dir, '.git/index.lock')), 300);
    expect(await codeOf()).toBe('committed');
  });

  it('has diverged from its remote', async () => {
    await commitInBare(bare, { file: 'x', content: 'x' }, shop.env);
    await repo.commit('Mine', { 'state/ada.yaml': 'state: Sleeping\n' });
    expect(await commitIn(repo, shop.env)).toMatchObject({
      finding: {
        code: 'commit-diverged',
        message: 'main has 1 commit that origin does not have, and lacks 1 commit of origin.',
      },
    });
  });

  it('is a pull request that CI checked out', async () => {
    await repo.git('checkout', '--quiet', '--detach');
    await repo.commit('Merge', { 'state/ada.yaml': 'state: Sleeping\n' });
    expect(await codeOf()).toBe('commit-wrong-branch');
  });

  it('has several remotes and no upstream', async () => {
    await repo.git('remote', 'rename', 'origin', 'a');
    await repo.git('remote', 'add', 'b', bare);
    await repo.git('switch', '--quiet', '--create', 'new', '--no-track');
    expect(await codeOf()).toBe('commit-remote-unclear');
  });

  it('has a remote that is not there', async () => {
    await repo.git('remote', 'set-url', 'origin', `file://${shop.path('gone.git')}`);
    expect(await codeOf()).toBe('commit-remote-missing');
  });

  it('has a remote with a work tree on that branch', async () => {
    const other = await shop.clone(`file://${bare}`, 'other');
    await repo.git('remote', 'set-url', 'origin', `file://${other.dir}`);
    const result = await commitIn(repo, shop.env);
    expect(result).toMatchObject({
      finding: { code: 'commit-refused', message: expect.stringContaining('currently checked out') },
    });
  });

  it('cannot be written', async () => {
    if (process.getuid?.() === 0) return; // Root may write everything.
    chmodSync(join(repo.dir, '.git'), 0o555);
    try {
      expect(await codeOf()).toBe('commit-not-writable');
    } finally {
      chmodSync(join(repo.dir, '.git'), 0o755);
    }
  });

  it('there is no git', async () => {
    expect(await codeOf({}, repo, { ...shop.env, PATH: shop.path('empty') })).toBe('git-missing');
  });

  it('has a corrupt index', async () => {
    writeFileSync(join(repo.dir, '.git/index'), 'nonsense');
    expect(await codeOf()).toBe('commit-git-failed');
  });
});

describe('a commit that cannot be', () => {
  it('signed', async () => {
    await repo.git('config', 'commit.gpgSign', 'true');
    await repo.git('config', 'user.signingKey', 'NOBODY');
    const head = await repo.git('rev-parse', 'HEAD');
    expect(await codeOf()).toBe('commit-signing-failed');
    expect(await repo.git('rev-parse', 'HEAD')).toBe(head);
  });

  it('written, because the disk is full', async () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    expect(await codeOf({ compile: async () => Promise.reject(full) })).toBe('commit-no-space');
    expect(await repo.git('status', '--porcelain')).toBe('');
  });

  it('staged, because the disk is full: git names its lock then, and nobody else is at work', () => {
    const stderr = "fatal: sha1 file '/work/state.git/index.lock' write error. Out of diskspace\n";
    const failure = new GitFailure('update-index', { code: 128, stdout: '', stderr });
    expect(findingOf(failure)?.code).toBe('commit-no-space');
  });

  it('compiled, because of a bug: the error is passed on and nothing is left behind', async () => {
    await expect(
      commitIn(repo, shop.env, { compile: async () => Promise.reject(new TypeError('a bug')) }),
    ).rejects.toThrow('a bug');
    expect(existsSync(join(repo.dir, '.git/quiesce'))).toBe(false);
  });

  it.each(['../x.yaml', '/x.yaml', 'a//b.yaml', 'a\nb.yaml'])(
    'made of a file outside of its folder: %j',
    async (path) => {
      const compile = async () =>
        ({ kind: 'ok', changes: [{ path, change: 'added' }], message: { subject: 'x', body: [] } }) as const;
      await expect(commitIn(repo, shop.env, { compile })).rejects.toThrow('outside of its folder');
    },
  );
});

describe('signing', () => {
  it('signs with the SSH key that git is set up with', async () => {
    const key = shop.path('key');
    const { execFileSync } = await import('node:child_process');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
    await repo.git('config', 'gpg.format', 'ssh');
    await repo.git('config', 'user.signingKey', `${key}.pub`);
    await repo.git('config', 'commit.gpgSign', 'true');
    expect(await codeOf()).toBe('committed');
    expect(await repo.git('cat-file', 'commit', 'HEAD')).toContain('-----BEGIN SSH SIGNATURE-----');
    const elsewhere = await shop.bare('elsewhere.git');
    expect(await codeOf({ target: { ...target, url: `file://${elsewhere}` } })).toBe('committed');
    expect(await repo.git('--git-dir', elsewhere, 'cat-file', 'commit', 'main')).toContain(
      '-----BEGIN SSH SIGNATURE-----',
    );
  });
});
