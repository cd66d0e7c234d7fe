import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seedOf } from '../support/seed.ts';
import { openWorkshop, type TempRepo, type Workshop } from '../support/temp-repo.ts';
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

describe('commit to the branch that is checked out', () => {
  it('commits and pushes the output, and moves the branch, index and work tree along', async () => {
    const source = await repo.git('rev-parse', 'HEAD');
    const result = await commitIn(repo, shop.env);
    expect(result).toMatchObject({
      kind: 'committed',
      source,
      changes: [{ path: 'ada.k8s.yaml', change: 'added' }],
      place: { remote: 'origin', branch: 'main', path: 'out' },
      local: { kind: 'advanced', replaced: [] },
      attempts: 1,
    });
    expect(await remote('rev-parse', 'main')).toBe(await repo.git('rev-parse', 'HEAD'));
    expect(await remote('show', 'main:out/ada.k8s.yaml')).toBe('# rendered\nstate: Running');
    expect(repo.read('out/ada.k8s.yaml')).toBe('# rendered\nstate: Running\n');
    expect(await repo.git('status', '--porcelain')).toBe('');
    expect(await repo.git('rev-parse', 'origin/main')).toBe(await repo.git('rev-parse', 'HEAD'));
  });

  it('writes author, committer, subject and trailers', async () => {
    const source = await repo.git('rev-parse', 'HEAD');
    await commitIn(repo, shop.env);
    expect(await repo.git('log', '-1', '--format=%an <%ae>%n%cn <%ce>%n%s')).toBe(
      'Quiesce <quiesce@example.com>\nQuiesce <quiesce@example.com>\nadded ada.k8s.yaml',
    );
    expect(await repo.git('log', '-1', '--format=%(trailers:key=Quiesce-Source,valueonly)')).toBe(source);
    expect(await repo.git('log', '-1', '--format=%(trailers:key=Quiesce-Version,valueonly)')).toMatch(/^\d+\.\d+\.\d+/);
  });

  it('does nothing when no bytes changed', async () => {
    await commitIn(repo, shop.env);
    const head = await repo.git('rev-parse', 'HEAD');
    expect(await commitIn(repo, shop.env)).toMatchObject({ kind: 'unchanged', source: head });
    expect(await remote('rev-parse', 'main')).toBe(head);
  });

  it('removes what the compile removed, and empty folders with it', async () => {
    await commitIn(repo, shop.env);
    await repo.commit('Others', { 'state/ada.yaml': null, 'state/bob.yaml': 'state: Running\n' });
    await commitIn(repo, shop.env);
    expect(await remote('ls-tree', '-r', '--name-only', 'main')).toBe('README.md\nout/bob.k8s.yaml\nstate/bob.yaml');
    expect(readdirSync(join(repo.dir, 'out'))).toEqual(['bob.k8s.yaml']);
    expect(await repo.git('status', '--porcelain')).toBe('');
  });

  it('pushes commits of the user that are not pushed yet together with the output', async () => {
    await repo.commit('Sleep ada', { 'state/ada.yaml': 'state: Sleeping\n' });
    expect(await commitIn(repo, shop.env)).toMatchObject({ kind: 'committed' });
    expect(await remote('log', '--format=%s', 'main')).toBe('added ada.k8s.yaml\nSleep ada\nState');
  });

  it('leaves alone what is staged, edited and untracked', async () => {
    repo.write('README.md', 'Staged.\n');
    await repo.git('add', 'README.md');
    repo.write('README.md', 'Staged and edited.\n');
    repo.write('notes.txt', 'untracked');
    repo.write('out/mine.txt', 'not ours');
    const result = await commitIn(repo, shop.env);
    expect(result).toMatchObject({ kind: 'committed', local: { kind: 'advanced' } });
    expect((await repo.git('status', '--porcelain')).split('\n')).toEqual([
      'MM README.md',
      '?? notes.txt',
      '?? out/mine.txt',
    ]);
    expect(await repo.git('show', ':README.md')).toBe('Staged.');
    expect(await repo.git('show', '--name-only', '--format=')).toBe('out/ada.k8s.yaml');
    expect(repo.read('README.md')).toBe('Staged and edited.\n');
  });

  it('takes a copy of the output that synth left in the work tree for what it is', async () => {
    repo.write('out/ada.k8s.yaml', '# rendered\nstate: Running\n');
    expect(await commitIn(repo, shop.env)).toMatchObject({ local: { kind: 'advanced', replaced: [] } });
    expect(await repo.git('status', '--porcelain')).toBe('');
  });

  it('names output files whose bytes it replaced because they belonged to no commit', async () => {
    repo.write('out/ada.k8s.yaml', 'from an older synth\n');
    expect(await commitIn(repo, shop.env)).toMatchObject({
      local: { kind: 'advanced', replaced: ['out/ada.k8s.yaml'] },
    });
    expect(repo.read('out/ada.k8s.yaml')).toBe('# rendered\nstate: Running\n');
  });

  it('compiles the newer state when the branch is behind, and brings the work tree up to date', async () => {
    const other = await shop.clone(`file://${bare}`, 'other');
    await other.commit('Sleep ada', { 'state/ada.yaml': 'state: Sleeping\n' });
    await other.git('push', '--quiet');
    expect(await commitIn(repo, shop.env)).toMatchObject({
      kind: 'committed',
      source: await other.git('rev-parse', 'HEAD'),
      local: { kind: 'advanced' },
    });
    expect(repo.read('state/ada.yaml')).toBe('state: Sleeping\n');
    expect(repo.read('out/ada.k8s.yaml')).toBe('# rendered\nstate: Sleeping\n');
    expect(await repo.git('status', '--porcelain')).toBe('');
  });

  it('leaves the branch behind when an edit is in the way, and says so', async () => {
    const other = await shop.clone(`file://${bare}`, 'other');
    await other.commit('Read', { 'README.md': 'Theirs.\n' });
    await other.git('push', '--quiet');
    const head = await repo.git('rev-parse', 'HEAD');
    repo.write('README.md', 'Mine.\n');
    expect(await commitIn(repo, shop.env)).toMatchObject({
      kind: 'committed',
      local: { kind: 'behind', reason: expect.stringContaining('README.md') },
    });
    expect(repo.read('README.md')).toBe('Mine.\n');
    expect(await repo.git('rev-parse', 'HEAD')).toBe(head);
    expect(existsSync(join(repo.dir, 'out'))).toBe(false);
    expect(await remote('show', 'main:out/ada.k8s.yaml')).toContain('Running');
  });

  it('pushes a branch without an upstream under its own name', async () => {
    await repo.git('switch', '--quiet', '--create', 'feature', '--track', 'origin/main');
    expect(await commitIn(repo, shop.env)).toMatchObject({ kind: 'committed', place: { branch: 'feature' } });
    expect(await remote('rev-parse', 'feature^')).toBe(await remote('rev-parse', 'main'));
  });

  it('commits the bytes of the compile whatever git converts', async () => {
    await repo.git('config', 'core.autocrlf', 'true');
    expect(await commitIn(repo, shop.env)).toMatchObject({ kind: 'committed', local: { kind: 'advanced' } });
    expect(await remote('cat-file', 'blob', 'main:out/ada.k8s.yaml')).toBe('# rendered\nstate: Running');
    expect(repo.read('out/ada.k8s.yaml')).toBe('# rendered\r\nstate: Running\r\n');
    expect(await repo.git('status', '--porcelain')).toBe('');
  });

  it('commits here when there is no remote', async () => {
    await repo.git('remote', 'remove', 'origin');
    expect(await commitIn(repo, shop.env)).toMatchObject({
      kind: 'committed',
      place: { branch: 'main', path: 'out' },
      local: { kind: 'advanced' },
    });
    expect(await repo.git('log', '-1', '--format=%s')).toBe('added ada.k8s.yaml');
    expect(await repo.git('status', '--porcelain')).toBe('');
  });

  it('commits here only when asked to', async () => {
    const before = await remote('rev-parse', 'main');
    expect(await commitIn(repo, shop.env, { push: false })).toMatchObject({
      kind: 'committed',
      local: { kind: 'advanced' },
    });
    expect(await remote('rev-parse', 'main')).toBe(before);
    expect(await repo.git('rev-parse', 'HEAD^')).toBe(before);
  });

  it('says what it would do and does nothing in a dry run', async () => {
    const head = await repo.git('rev-parse', 'HEAD');
    expect(await commitIn(repo, shop.env, { dryRun: true })).toMatchObject({
      kind: 'would-commit',
      subject: 'added ada.k8s.yaml',
      place: { remote: 'origin', branch: 'main' },
    });
    expect([await repo.git('rev-parse', 'HEAD'), await remote('rev-parse', 'main')]).toEqual([head, head]);
    expect(existsSync(join(repo.dir, 'out'))).toBe(false);
  });

  it('returns the problems of the state and changes nothing', async () => {
    const head = await repo.commit('Break', { 'state/eve.yaml': 'broken\n' });
    expect(await commitIn(repo, shop.env)).toEqual({ kind: 'problems', problems: ['eve is broken'] });
    expect(await repo.git('rev-parse', 'HEAD')).toBe(head);
    expect(await repo.git('status', '--porcelain')).toBe('');
  });

  it('creates the branch in an empty remote', async () => {
    const empty = await shop.bare('empty.git');
    await repo.git('remote', 'set-url', 'origin', `file://${empty}`);
    expect(await commitIn(repo, shop.env)).toMatchObject({ kind: 'committed' });
    expect(await repo.git('--git-dir', empty, 'rev-parse', 'main')).toBe(await repo.git('rev-parse', 'HEAD'));
  });

  it('accepts a target that names this very branch and repository', async () => {
    await repo.git('config', 'remote.origin.url', `file://${bare}/`);
    const result = await commitIn(repo, shop.env, { target: { ...target, url: `file://${bare}`, branch: 'main' } });
    expect(result).toMatchObject({
      kind: 'committed',
      place: { remote: 'origin', branch: 'main' },
      local: { kind: 'advanced' },
    });
  });

  it('leaves no folder and no ref behind', async () => {
    await commitIn(repo, shop.env);
    expect(existsSync(join(repo.dir, '.git/quiesce'))).toBe(false);
    expect((await repo.git('for-each-ref', '--format=%(refname)')).split('\n')).toEqual([
      'refs/heads/main',
      'refs/remotes/origin/main',
    ]);
  });
});
