import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seedOf } from '../support/seed.ts';
import { installHook, openWorkshop, type TempRepo, type Workshop } from '../support/temp-repo.ts';
import { commitIn, compileStandIn, target } from './stand-in.ts';

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

describe('an interrupted run', () => {
  it('is cleaned up by the next one', async () => {
    const home = join(repo.dir, '.git/quiesce');
    mkdirSync(home);
    const dead = mkdtempSync(join(home, 'run-'));
    writeFileSync(join(dead, 'owner.json'), JSON.stringify({ pid: 2 ** 22 + 1, host: hostname() }));
    const alive = mkdtempSync(join(home, 'run-'));
    writeFileSync(join(alive, 'owner.json'), JSON.stringify({ pid: process.ppid, host: hostname() }));
    const elsewhere = mkdtempSync(join(home, 'run-'));
    writeFileSync(join(elsewhere, 'owner.json'), JSON.stringify({ pid: 1, host: 'another-machine' }));
    expect(await codeOf()).toBe('committed');
    expect([dead, alive, elsewhere].map(existsSync)).toEqual([false, true, true]);
  });

  it('after the push and before the branch moved is finished by the next one', async () => {
    const commit = await commitIn(repo, shop.env);
    await repo.git('reset', '--quiet', '--hard', 'HEAD^');
    expect(commit.kind).toBe('committed');
    expect(await codeOf()).toBe('unchanged');
    await repo.git('pull', '--quiet');
    expect(await repo.git('status', '--porcelain')).toBe('');
  });
});

describe('a run that is killed', () => {
  it.each(['compile', 'push'])(
    'in the middle of the %s leaves the work tree as it was, and the next run does the work',
    async (stage) => {
      const head = await repo.git('rev-parse', 'HEAD');
      installHook(bare, 'pre-receive', `[ "${stage}" = compile ] || sleep 5`);
      repo.write('README.md', 'edited\n');
      const program = spawn(
        process.execPath,
        ['--import', 'tsx', fileURLToPath(new URL('./killed.ts', import.meta.url)), repo.dir, stage],
        {
          env: shop.env,
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      await once(program.stdout, 'data');
      program.kill('SIGKILL');
      await once(program, 'close');
      expect(existsSync(join(repo.dir, '.git/quiesce'))).toBe(true);
      expect(await repo.git('rev-parse', 'HEAD')).toBe(head);
      expect(await repo.git('status', '--porcelain')).toBe('M README.md');
      rmSync(join(bare, 'hooks/pre-receive'));
      expect(['committed', 'unchanged']).toContain(await codeOf());
      expect(existsSync(join(repo.dir, '.git/quiesce'))).toBe(false);
      expect(await repo.git('--git-dir', bare, 'show', 'main:out/ada.k8s.yaml')).toContain('Running');
    },
  );
});

describe('what else happens at the same time', () => {
  it('a commit of the user during the compile stays, and the branch is left behind', async () => {
    const result = await commitIn(repo, shop.env, {
      compile: async (request) => {
        await repo.commit('Meanwhile', { 'README.md': 'meanwhile\n' });
        return compileStandIn(request);
      },
    });
    expect(result).toMatchObject({
      kind: 'committed',
      local: { kind: 'behind', reason: 'there are new commits on the branch' },
    });
    expect(await repo.git('log', '-1', '--format=%s')).toBe('Meanwhile');
  });

  it('a switch to another branch during the compile', async () => {
    const result = await commitIn(repo, shop.env, {
      compile: async (request) => {
        await repo.git('switch', '--quiet', '--create', 'other');
        return compileStandIn(request);
      },
    });
    expect(result).toMatchObject({
      kind: 'committed',
      place: { branch: 'main' },
      local: { kind: 'behind', reason: 'other is checked out by now' },
    });
    expect(await repo.git('status', '--porcelain')).toBe('');
  });

  it('two runs in one repository', async () => {
    const results = await Promise.all([commitIn(repo, shop.env), commitIn(repo, shop.env)]);
    // Within one second the two make the very same commit, and then both have pushed it.
    expect(results.every(({ kind }) => kind === 'committed' || kind === 'unchanged')).toBe(true);
    expect(await repo.git('--git-dir', bare, 'rev-list', '--count', 'main')).toBe('2');
  });

  it("a hook of the user's that runs quiesce commit", async () => {
    const env = { ...shop.env, GIT_DIR: '.git', GIT_INDEX_FILE: join(repo.dir, '.git/index.tmp'), GIT_PREFIX: '' };
    expect(await codeOf({}, repo, env)).toBe('committed');
    expect(await repo.git('status', '--porcelain')).toBe('');
  });

  it('a branch that is protected gets a pull request branch', async () => {
    installHook(bare, 'update', '[ "$1" != refs/heads/main ] || { echo "protected" >&2; exit 1; }');
    expect(await codeOf()).toBe('commit-refused');
    expect(await codeOf({ target: { ...target, push: 'branch' } })).toBe('committed');
  });
});
