import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GitServer, startGitServer } from '../support/git-server.ts';
import { seedOf } from '../support/seed.ts';
import {
  competeWhileReceiving,
  installHook,
  openWorkshop,
  type TempRepo,
  type Workshop,
} from '../support/temp-repo.ts';
import { commitIn, compileStandIn } from './stand-in.ts';

/** More of them for a soak. */
const atOnce = Number(process.env.QUIESCE_AT_ONCE ?? 3);
const sow = seedOf({ 'state/ada.yaml': 'state: Running\n' });
let shop: Workshop;
let server: GitServer;
let repo: TempRepo;

beforeEach(async () => {
  shop = openWorkshop();
  server = await startGitServer({ repos: ['platform'] });
  const origin = { bare: server.bare('platform'), url: server.url('platform') };
  ({ repo } = await sow(shop, 'work', origin));
});
afterEach(async () => {
  await server.close();
  shop.close();
});

/** Each attempt is the whole of it again. */
const twice = { attempts: 2, delay: () => 1 };
const remote = async (...args: string[]) => repo.git('--git-dir', server.bare('platform'), ...args);
const sleepAda = { file: 'state/ada.yaml', content: 'state: Sleeping\n', message: 'Sleep ada' };

describe('a push that somebody else was faster than', () => {
  it('compiles the state of the new tip, when the other push came before ours began', async () => {
    server.competeOnce('platform', sleepAda, 'ask-push');
    const sources: string[] = [];
    const result = await commitIn(repo, shop.env, {
      compile: async (request) => {
        sources.push(request.source);
        return compileStandIn(request);
      },
    });
    expect(result).toMatchObject({ kind: 'committed', attempts: 2, local: { kind: 'advanced' } });
    expect(sources[1]).toBe(await remote('rev-parse', 'main^'));
    expect(await remote('log', '--format=%s', 'main')).toBe('added ada.k8s.yaml\nSleep ada\nState');
    expect(await remote('show', 'main:out/ada.k8s.yaml')).toBe('# rendered\nstate: Sleeping');
    expect(await repo.git('rev-parse', 'HEAD')).toBe(await remote('rev-parse', 'main'));
    expect(await repo.git('status', '--porcelain')).toBe('');
  });

  it('the same, when the other push came between our question and our push', async () => {
    server.competeOnce('platform', sleepAda, 'push');
    expect(await commitIn(repo, shop.env)).toMatchObject({ kind: 'committed', attempts: 2 });
    expect(await remote('show', 'main:out/ada.k8s.yaml')).toContain('Sleeping');
  });

  it('the same, when the other push was finished while ours was being received', async () => {
    competeWhileReceiving(server.bare('platform'), sleepAda, 2);
    expect(await commitIn(repo, shop.env)).toMatchObject({ kind: 'committed', attempts: 3 });
    expect(await remote('log', '--format=%s', 'main')).toBe('added ada.k8s.yaml\nCompete\nCompete\nState');
    expect(await remote('show', 'main:out/ada.k8s.yaml')).toContain('Sleeping');
  });

  it('the same over the file system', async () => {
    await repo.git('remote', 'set-url', 'origin', `file://${server.bare('platform')}`);
    competeWhileReceiving(server.bare('platform'), sleepAda);
    expect(await commitIn(repo, shop.env)).toMatchObject({ kind: 'committed', attempts: 2 });
  });

  it('ends without a commit when the other one has pushed the very same output', async () => {
    server.competeOnce('platform', { file: 'out/ada.k8s.yaml', content: '# rendered\nstate: Running\n' }, 'push');
    expect(await commitIn(repo, shop.env)).toMatchObject({ kind: 'unchanged' });
  });

  it('returns the problems of the new tip', async () => {
    server.competeOnce('platform', { file: 'state/eve.yaml', content: 'broken\n' }, 'push');
    expect(await commitIn(repo, shop.env)).toEqual({ kind: 'problems', problems: ['eve is broken'] });
  });

  it('gives up after a while, and has changed nothing', async () => {
    competeWhileReceiving(server.bare('platform'), sleepAda, 99);
    const head = await repo.git('rev-parse', 'HEAD');
    const result = await commitIn(repo, shop.env, { retry: twice });
    expect(result).toMatchObject({
      kind: 'failed',
      finding: { code: 'commit-raced', message: expect.stringContaining('2 times in a row') },
    });
    expect(await repo.git('rev-parse', 'HEAD')).toBe(head);
    expect(await repo.git('status', '--porcelain')).toBe('');
    expect(await remote('log', '--format=%s', 'main')).not.toContain('k8s');
  });

  it('waits between attempts as told', async () => {
    competeWhileReceiving(server.bare('platform'), sleepAda, 1);
    const stages: string[] = [];
    await commitIn(repo, shop.env, { onProgress: ({ stage, attempt }) => stages.push(`${stage} ${attempt}`) });
    expect(stages).toEqual([
      'fetch 1',
      'compile 1',
      'commit 1',
      'push 1',
      'wait 1',
      'fetch 2',
      'compile 2',
      'commit 2',
      'push 2',
    ]);
  });

  it(`loses no commit of ${atOnce} clones that commit at once`, { timeout: 180_000 }, async () => {
    const clones = await Promise.all(
      Array.from({ length: atOnce }, async (_, index) => shop.clone(server.url('platform'), `clone-${index}`)),
    );
    const results = await Promise.all(
      clones.map(async (clone, index) => {
        await clone.commit(`Claim ${index}`, { [`state/claim-${index}.yaml`]: 'state: Running\n' });
        // People bring their own commit up to date; `quiesce commit` does the rest.
        for (;;) {
          await clone.git('pull', '--quiet', '--rebase');
          const result = await commitIn(clone, shop.env, { retry: { attempts: 40, delay: (attempt) => attempt * 20 } });
          if (result.kind !== 'failed' || result.finding.code !== 'commit-diverged') return result.kind;
        }
      }),
    );
    expect(results.every((kind) => kind === 'committed' || kind === 'unchanged')).toBe(true);
    const files = (await remote('ls-tree', '-r', '--name-only', 'main')).split('\n');
    expect(files.filter((file) => file.startsWith('out/'))).toHaveLength(atOnce + 1);
    expect(files.filter((file) => file.startsWith('state/'))).toHaveLength(atOnce + 1);
  });

  it('the remote is rewritten while we compile: our commit is not put on top of what was dropped', async () => {
    const first = await remote('rev-parse', 'main');
    await repo.commit('Sleep', { 'state/ada.yaml': 'state: Sleeping\n' });
    await repo.git('push', '--quiet');
    const clone = await shop.clone(server.url('platform'), 'clone');
    const result = await commitIn(clone, shop.env, {
      compile: async (request) => {
        if (request.attempt === 1) {
          await remote(
            'update-ref',
            'refs/heads/main',
            await remote('commit-tree', '-m', 'Rewritten', '-p', first, `${first}^{tree}`),
          );
        }
        return compileStandIn(request);
      },
    });
    expect(result).toMatchObject({ kind: 'failed', finding: { code: 'commit-diverged' } });
    expect(await remote('log', '--format=%s', 'main')).toBe('Rewritten\nState');
  });
});

describe('pushes that break', () => {
  it('are tried again after an error of the server', async () => {
    server.fault('push', { kind: 'status', code: 503 }, 2);
    expect(await commitIn(repo, shop.env)).toMatchObject({ kind: 'committed', attempts: 3 });
    expect(await remote('rev-list', '--count', 'main')).toBe('2');
  });

  it('are tried again after an error while fetching', async () => {
    server.fault('ask-fetch', { kind: 'status', code: 500 }, 1);
    expect(await commitIn(repo, shop.env)).toMatchObject({ kind: 'committed', attempts: 2 });
  });

  it('are not repeated when they arrived although the line broke', async () => {
    server.fault('push', { kind: 'cut-response', afterBytes: 0 });
    const result = await commitIn(repo, shop.env);
    expect(result).toMatchObject({
      kind: 'committed',
      attempts: 2,
      changes: [{ path: 'ada.k8s.yaml' }],
      local: { kind: 'advanced' },
    });
    expect(await remote('log', '--format=%s', 'main')).toBe('added ada.k8s.yaml\nState');
    expect(await repo.git('rev-parse', 'HEAD')).toBe(await remote('rev-parse', 'main'));
  });

  it('are repeated when they did not arrive', async () => {
    // Git asks a second time by itself.
    server.fault('push', { kind: 'cut-request', afterBytes: 10 }, 2);
    expect(await commitIn(repo, shop.env)).toMatchObject({ kind: 'committed', attempts: 2 });
    expect(await remote('rev-list', '--count', 'main')).toBe('2');
  });

  it('fail when the server stays broken', async () => {
    server.fault('push', { kind: 'status', code: 502 }, 99);
    const head = await repo.git('rev-parse', 'HEAD');
    expect(await commitIn(repo, shop.env, { retry: twice })).toMatchObject({
      kind: 'failed',
      finding: { code: 'commit-connection-lost' },
    });
    expect(await repo.git('rev-parse', 'HEAD')).toBe(head);
  });

  it('wait for a slow server', async () => {
    server.fault('push', { kind: 'delay', milliseconds: 700 });
    expect(await commitIn(repo, shop.env)).toMatchObject({ kind: 'committed', attempts: 1 });
  });

  it('end when they are called off, and the next run cleans up', async () => {
    server.fault('push', { kind: 'delay', milliseconds: 20_000 });
    const controller = new AbortController();
    const started = Date.now();
    const running = commitIn(repo, shop.env, {
      signal: controller.signal,
      onProgress: ({ stage }) => stage === 'push' && setTimeout(() => controller.abort(), 200),
    });
    await expect(running).rejects.toThrow(/abort/i);
    expect(Date.now() - started).toBeLessThan(15_000);
    expect(repo.has('.git/quiesce')).toBe(false);
    expect(await repo.git('status', '--porcelain')).toBe('');
  });
});

describe('hooks', () => {
  it("the server's refusal is final and shown in its words", async () => {
    server.hook('platform', 'pre-receive', 'echo "main is protected: open a pull request" >&2; exit 1');
    const head = await repo.git('rev-parse', 'HEAD');
    const result = await commitIn(repo, shop.env);
    expect(result).toMatchObject({
      kind: 'failed',
      finding: { code: 'commit-refused', message: expect.stringContaining('main is protected: open a pull request') },
    });
    expect(server.requests.filter(({ stage }) => stage === 'push')).toHaveLength(1);
    expect(await repo.git('rev-parse', 'HEAD')).toBe(head);
  });

  it("the user's pre-push hook runs and can refuse", async () => {
    installHook(repo.dir, 'pre-push', 'echo "tests failed"; exit 1');
    expect(await commitIn(repo, shop.env)).toMatchObject({ kind: 'failed', finding: { code: 'commit-hook-refused' } });
  });

  it("the user's commit and checkout hooks do not run", async () => {
    for (const hook of [
      'pre-commit',
      'commit-msg',
      'prepare-commit-msg',
      'post-commit',
      'post-checkout',
      'post-merge',
      'post-index-change',
    ]) {
      installHook(repo.dir, hook, `touch "${shop.path(`ran-${hook}`)}"; exit 1`);
    }
    expect(await commitIn(repo, shop.env)).toMatchObject({ kind: 'committed' });
    expect(readdirSync(shop.dir).filter((name) => name.startsWith('ran-'))).toEqual([]);
  });
});
