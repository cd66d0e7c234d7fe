import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GitServer, startGitServer } from '../support/git-server.ts';
import { openWorkshop, runGit, type TempRepo, type Workshop } from '../support/temp-repo.ts';

const credentials = { username: 'bot', password: 'pa/ss:w@rd' };
let shop: Workshop;
let server: GitServer;
let repo: TempRepo;

beforeEach(async () => {
  shop = openWorkshop();
  server = await startGitServer({ repos: ['one', 'two'], credentials });
  repo = await shop.clone(server.url('one', credentials), 'work');
});
afterEach(async () => {
  await server.close();
  shop.close();
});

/** One that has ended but that nobody has asked about yet (a zombie) does not run. */
function isRunning(pid: string): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z');
}

const stages = (): string[] => server.requests.map(({ stage }) => stage);

describe('startGitServer', () => {
  it('takes pushes and gives clones', async () => {
    const commit = await repo.commit('One', { 'a.txt': 'a\n' });
    await repo.git('push', '--quiet', 'origin', 'main');
    const clone = await shop.clone(server.url('one', credentials), 'clone');
    expect(await clone.git('rev-parse', 'HEAD')).toBe(commit);
    expect(await runGit(shop.dir, ['ls-remote', server.url('two', credentials)], shop.env)).toBe('');
  });

  it.each([
    ['without credentials', undefined],
    ['with wrong ones', { username: 'bot', password: 'x' }],
  ])('lets nobody in %s', async (_, wrong) => {
    await expect(runGit(shop.dir, ['ls-remote', server.url('one', wrong)], shop.env)).rejects.toThrow(
      /could not read Username|Authentication failed/,
    );
  });

  it.each(['0', '2'])('speaks protocol %s', async (version) => {
    await repo.commit('One', { 'a.txt': 'a\n' });
    await repo.git('push', '--quiet', 'origin', 'main');
    const env = { ...shop.env, GIT_TRACE_PACKET: shop.path('trace') };
    await runGit(shop.dir, ['-c', `protocol.version=${version}`, 'ls-remote', server.url('one', credentials)], env);
    expect(readFileSync(shop.path('trace'), 'utf8').includes('version 2')).toBe(version === '2');
  });

  it('streams packs larger than any buffer both ways, in chunks', { timeout: 120_000 }, async () => {
    const large = randomBytes(4 << 20).toString('base64');
    const commit = await repo.commit('Large', { 'large.txt': large });
    await repo.git('-c', 'http.postBuffer=65536', 'push', '--quiet', 'origin', 'main');
    const clone = await shop.clone(server.url('one', credentials), 'clone');
    expect(await clone.git('rev-parse', 'HEAD')).toBe(commit);
    expect(clone.read('large.txt')).toBe(large);
  });

  it('reads compressed requests, as git sends them when it has much to say', async () => {
    const body = gzipSync('0014command=ls-refs\n0000');
    const text = await new Promise<string>((done, fail) => {
      const asked = request(
        `${server.url('one')}/git-upload-pack`,
        {
          method: 'POST',
          auth: `${credentials.username}:${credentials.password}`,
          headers: {
            'Content-Type': 'application/x-git-upload-pack-request',
            'Content-Encoding': 'gzip',
            'Git-Protocol': 'version=2',
          },
        },
        (response) => {
          let seen = '';
          response.on('data', (chunk: Buffer) => {
            seen += chunk.toString();
          });
          response.on('end', () => done(`${response.statusCode} ${seen}`));
        },
      );
      asked.on('error', fail);
      asked.end(body);
    });
    expect(text).toBe('200 0000');
  });

  it('runs hooks, for one repository or for all', async () => {
    server.hook('one', 'pre-receive', 'echo "no" >&2; exit 1');
    await repo.commit('One', { 'a.txt': 'a\n' });
    await expect(repo.git('push', 'origin', 'main')).rejects.toThrow(/remote: no/);
    await repo.git('push', '--quiet', server.url('two', credentials), 'main');
  });

  it('breaks what it is told to break, as often as it is told to', async () => {
    await repo.commit('One', { 'a.txt': 'a\n' });
    server.fault('ask-push', { kind: 'status', code: 503 });
    await expect(repo.git('push', 'origin', 'main')).rejects.toThrow(/503/);
    server.fault('push', { kind: 'cut-response', afterBytes: 5 });
    await expect(repo.git('push', 'origin', 'main')).rejects.toThrow(/hung up|disconnect|RPC failed/);
    expect(await repo.git('--git-dir', server.bare('one'), 'rev-list', '--count', 'main')).toBe('1');
    await repo.git('push', '--quiet', 'origin', 'main');
    expect(stages()).toContain('push');
  });

  it('lets somebody else push first', async () => {
    await repo.commit('One', { 'a.txt': 'a\n' });
    await repo.git('push', '--quiet', 'origin', 'main');
    await repo.commit('Two', { 'a.txt': 'b\n' });
    server.competeOnce('one', { file: 'b.txt', content: 'theirs\n' });
    await expect(repo.git('push', 'origin', 'main')).rejects.toThrow(/rejected/);
    await repo.git('pull', '--quiet', '--rebase', 'origin', 'main');
    await repo.git('push', '--quiet', 'origin', 'main');
    expect(await repo.git('--git-dir', server.bare('one'), 'rev-list', '--count', 'main')).toBe('3');
  });

  it('fails when the port is taken', async () => {
    await expect(startGitServer({ repos: ['three'], port: server.port })).rejects.toThrow('EADDRINUSE');
  });

  it('leaves no folder and no process behind, whatever is under way', async () => {
    const folder = server.bare('one');
    const pid = shop.path('pid');
    server.hook('one', 'pre-receive', `echo $$ > "${pid}"; sleep 30; true`);
    await repo.commit('One', { 'a.txt': 'a\n' });
    const pushing = repo.git('push', 'origin', 'main').catch(() => 'failed');
    while (!existsSync(pid) || readFileSync(pid, 'utf8') === '') await new Promise((done) => setTimeout(done, 50));
    await server.close();
    expect(await pushing).toBe('failed');
    expect(existsSync(folder)).toBe(false);
    await expect.poll(() => isRunning(readFileSync(pid, 'utf8').trim())).toBe(false);
  });
});
