import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Compile, CompileRequest } from '../../src/commit/build.ts';
import { seedOf } from '../support/seed.ts';
import { openWorkshop, type TempRepo, type Workshop } from '../support/temp-repo.ts';
import { commitIn, compileStandIn, target } from './stand-in.ts';

const reads = { without: ['state/claims'], output: ['inventory.txt'] };
const sow = seedOf({
  'state/settings.yaml': 'x\n',
  'state/claims/ada.yaml': 'x\n',
  'charts/web/Chart.yaml': 'x\n',
  'out/inventory.txt': '1\n',
  'out/ada.k8s.yaml': 'x\n',
  'out/bob.k8s.yaml': 'x\n',
});
let shop: Workshop;
let repo: TempRepo;

beforeEach(async () => {
  shop = openWorkshop();
  ({ repo } = await sow(shop, 'work'));
});
afterEach(() => shop.close());

const onDisk = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== '.git')
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
const git = (folder: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd: folder, encoding: 'utf8', env: shop.env });

/** Looks at what it is given, and changes one file. */
function looking(seen: CompileRequest[], look: (request: CompileRequest) => void): Compile<readonly string[]> {
  return async (request) => {
    seen.push(request);
    look(request);
    writeFileSync(join(request.out.root, request.out.folder, 'ada.k8s.yaml'), 'new\n');
    return { kind: 'ok', changes: [{ path: 'ada.k8s.yaml', change: 'changed' }], message: { subject: 'x', body: [] } };
  };
}

describe('a compile that knows most from git', () => {
  it('gets the files it reads, and an index in which the others count as present', async () => {
    const seen: CompileRequest[] = [];
    const compile = looking(seen, ({ root }) => {
      expect(onDisk(root)).toEqual(['charts/web/Chart.yaml', 'out/inventory.txt', 'state/settings.yaml']);
      expect(git(root, 'ls-files', 'out', 'state').split('\n')).toHaveLength(6);
      expect(git(root, 'diff-files', '--name-only')).toBe('');
    });
    expect(await commitIn(repo, shop.env, { compile, reads })).toMatchObject({
      kind: 'committed',
      local: { kind: 'advanced' },
    });
    expect(seen).toHaveLength(1);
    expect(await repo.git('show', '--name-status', '--format=', 'HEAD')).toBe('M\tout/ada.k8s.yaml');
    expect(await repo.git('status', '--porcelain')).toBe('');
  });

  it('the same where the output goes to another branch', async () => {
    await commitIn(repo, shop.env, { target: { ...target, branch: 'rendered' } });
    const seen: CompileRequest[] = [];
    const compile = looking(seen, ({ root, out }) => {
      expect(onDisk(root)).toEqual(['charts/web/Chart.yaml', 'state/settings.yaml']);
      expect(onDisk(out.root)).toEqual([]);
      expect(git(out.root, 'diff-files', '--name-only')).toBe('');
      mkdirSync(join(out.root, 'out'));
    });
    expect(await commitIn(repo, shop.env, { compile, reads, target: { ...target, branch: 'rendered' } })).toMatchObject(
      { kind: 'committed' },
    );
    expect(await repo.git('ls-tree', '-r', '--name-only', 'origin/rendered')).toBe(
      'out/ada.k8s.yaml\nout/settings.k8s.yaml',
    );
  });

  it.each([
    ['throws', async () => Promise.reject(new Error('ENOENT: a file that is not there'))],
    ['finds problems', async () => ({ kind: 'problems', problems: ['a file is missing'] }) as const],
  ])('gets all files when it %s without them, and that answer counts', async (_, first) => {
    const all: string[][] = [];
    const compile: Compile<readonly string[]> = async (request) => {
      all.push(onDisk(request.root));
      return all.length === 1 ? first() : compileStandIn(request);
    };
    expect(await commitIn(repo, shop.env, { compile, reads })).toMatchObject({ kind: 'committed' });
    expect(all.map((files) => files.length)).toEqual([3, 6]);
  });
});
