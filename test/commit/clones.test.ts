import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seedOf } from '../support/seed.ts';
import { openWorkshop, runGit, type TempRepo, tempRepo, type Workshop } from '../support/temp-repo.ts';
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

const remote = async (...args: string[]) => (await repo.git('--git-dir', bare, ...args)).trim();

describe('commit in clones of every kind', () => {
  it('works in a folder of a larger repository', async () => {
    await repo.commit('Instance', { 'platform/edge/state/bob.yaml': 'state: Running\n' });
    const inner = { ...repo, dir: join(repo.dir, 'platform/edge') };
    expect(await commitIn(inner, shop.env)).toMatchObject({ kind: 'committed', place: { path: 'platform/edge/out' } });
    expect(await remote('ls-tree', '-r', '--name-only', 'main', 'platform')).toBe(
      'platform/edge/out/bob.k8s.yaml\nplatform/edge/state/bob.yaml',
    );
    expect(await repo.git('status', '--porcelain')).toBe('');
  });

  it('works in a linked work tree', async () => {
    await repo.git('worktree', 'add', '--quiet', '-b', 'feature', shop.path('linked'));
    const linked = { ...repo, dir: shop.path('linked') };
    expect(await commitIn(linked, shop.env)).toMatchObject({ kind: 'committed', place: { branch: 'feature' } });
    expect(await remote('rev-parse', 'feature')).toBe(await repo.git('rev-parse', 'feature'));
    expect(await repo.git('-C', shop.path('linked'), 'status', '--porcelain')).toBe('');
  });

  it('compiles everything in a sparse checkout, and keeps it sparse', async () => {
    await repo.commit('Bob', { 'docs/x.md': 'x\n', 'state/bob.yaml': 'state: Running\n' });
    await repo.git('sparse-checkout', 'set', '--cone', 'docs');
    expect(await commitIn(repo, shop.env)).toMatchObject({ kind: 'committed', local: { kind: 'advanced' } });
    expect(await remote('ls-tree', '-r', '--name-only', 'main', 'out')).toBe('out/ada.k8s.yaml\nout/bob.k8s.yaml');
    expect(existsSync(join(repo.dir, 'out'))).toBe(false);
    expect(await repo.git('status', '--porcelain')).toBe('');
  });

  it('works in a shallow clone', async () => {
    await repo.commit('More', { 'state/bob.yaml': 'state: Running\n' });
    await repo.git('push', '--quiet');
    const shallow = await shop.clone(`file://${bare}`, 'shallow', '--depth=1');
    expect(await commitIn(shallow, shop.env)).toMatchObject({ kind: 'committed', local: { kind: 'advanced' } });
    expect(await remote('log', '--format=%s', 'main')).toBe('added ada.k8s.yaml; added bob.k8s.yaml\nMore\nState');
    expect(await shallow.git('rev-list', '--count', 'HEAD')).toBe('2');
  });

  it('works in a partial clone', async () => {
    const partial = await shop.clone(`file://${bare}`, 'partial', '--filter=blob:none');
    expect(await commitIn(partial, shop.env)).toMatchObject({ kind: 'committed', local: { kind: 'advanced' } });
    expect(await partial.git('status', '--porcelain')).toBe('');
  });

  it('goes on from a detached HEAD that is the tip of the branch, as CI checks it out', async () => {
    await repo.git('checkout', '--quiet', '--detach');
    const head = await repo.git('rev-parse', 'HEAD');
    expect(await commitIn(repo, shop.env)).toMatchObject({
      kind: 'committed',
      place: { branch: 'main' },
      local: { kind: 'untouched' },
    });
    expect(await remote('rev-parse', 'main^')).toBe(head);
    expect(await repo.git('rev-parse', 'HEAD')).toBe(head);
  });

  it('compiles the tip when a detached HEAD is older than it', async () => {
    const old = await repo.git('rev-parse', 'HEAD');
    const tip = await repo.commit('Sleep', { 'state/ada.yaml': 'state: Sleeping\n' });
    await repo.git('push', '--quiet');
    await repo.git('checkout', '--quiet', '--detach', old);
    expect(await commitIn(repo, shop.env)).toMatchObject({ kind: 'committed', source: tip });
    expect(await remote('show', 'main:out/ada.k8s.yaml')).toContain('Sleeping');
  });

  it('works in a submodule', async () => {
    const outer = await shop.repo('outer');
    await outer.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', `file://${bare}`, 'platform');
    const inner = { ...repo, dir: join(outer.dir, 'platform') };
    expect(await commitIn(inner, shop.env)).toMatchObject({ kind: 'committed', local: { kind: 'advanced' } });
    expect(await repo.git('-C', inner.dir, 'status', '--porcelain')).toBe('');
    expect(await remote('ls-tree', '-r', '--name-only', 'main', 'out')).toBe('out/ada.k8s.yaml');
  });

  it('works in a repository with SHA-256', async () => {
    await runGit(shop.dir, ['init', '--quiet', '--object-format=sha256', '--initial-branch=main', 'sha256'], shop.env);
    const modern = tempRepo(shop.path('sha256'), shop.env);
    await modern.commit('State', { 'state/ada.yaml': 'x\n', 'state/bob.yaml': 'x\n' });
    expect(await commitIn(modern, shop.env)).toMatchObject({ kind: 'committed', local: { kind: 'advanced' } });
    await modern.commit('Less', { 'state/bob.yaml': null });
    expect(await commitIn(modern, shop.env)).toMatchObject({ changes: [{ path: 'bob.k8s.yaml', change: 'removed' }] });
    expect(await modern.git('status', '--porcelain')).toBe('');
    expect(await commitIn(modern, shop.env, { target: { ...target, branch: 'rendered' } })).toMatchObject({
      kind: 'committed',
    });
  });
});
