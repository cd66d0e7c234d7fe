import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GitServer, startGitServer } from '../support/git-server.ts';
import { seedOf } from '../support/seed.ts';
import { openWorkshop, type TempRepo, type Workshop } from '../support/temp-repo.ts';
import { commitIn, target } from './stand-in.ts';

const credentials = { username: 'bot', password: 's3cret/with:odd@signs' };
const sow = seedOf({ 'state/ada.yaml': 'state: Running\n', 'README.md': 'Read me.\n' });
let shop: Workshop;
let repo: TempRepo;

beforeEach(async () => {
  shop = openWorkshop();
  ({ repo } = await sow(shop, 'work'));
});
afterEach(() => shop.close());

const sleepAda = async () => {
  const commit = await repo.commit('Sleep ada', { 'state/ada.yaml': 'state: Sleeping\n' });
  await repo.git('push', '--quiet');
  return commit;
};

describe('commit to another repository', () => {
  let server: GitServer;
  beforeEach(async () => {
    server = await startGitServer({ repos: ['live'], credentials });
  });
  afterEach(async () => server.close());
  const live = async (...args: string[]) => repo.git('--git-dir', server.bare('live'), ...args);

  it('starts the branch in an empty one, adds to it later, and does nothing without a change', async () => {
    const there = { ...target, url: server.url('live', credentials), path: 'clusters/edge' };
    const result = await commitIn(repo, shop.env, { target: there });
    expect(result).toMatchObject({
      kind: 'committed',
      place: { remote: `http://***@127.0.0.1:${server.port}/live.git`, branch: 'main', path: 'clusters/edge' },
      local: { kind: 'untouched' },
    });
    expect(await commitIn(repo, shop.env, { target: there })).toMatchObject({ kind: 'unchanged' });
    await sleepAda();
    expect(await commitIn(repo, shop.env, { target: there })).toMatchObject({ kind: 'committed' });
    expect(await live('ls-tree', '-r', '--name-only', 'main')).toBe('clusters/edge/ada.k8s.yaml');
    expect(await live('rev-list', '--count', 'main')).toBe('2');
    expect(await repo.git('status', '--porcelain')).toBe('');
    expect(existsSync(join(repo.dir, '.git/quiesce'))).toBe(false);
  });

  it('compiles again on the new tip when somebody was faster, keeping what they pushed', async () => {
    const there = { ...target, url: server.url('live', credentials) };
    await commitIn(repo, shop.env, { target: there });
    await sleepAda();
    server.competeOnce('live', { file: 'notes.md', content: 'x\n' });
    expect(await commitIn(repo, shop.env, { target: there })).toMatchObject({ kind: 'committed', attempts: 2 });
    expect(await live('ls-tree', '-r', '--name-only', 'main')).toBe('notes.md\nout/ada.k8s.yaml');
  });

  it('takes credentials from the settings of this repository', async () => {
    const basic = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64');
    await repo.git(
      'config',
      `http.${server.url('live').replace('/live.git', '/')}.extraHeader`,
      `Authorization: Basic ${basic}`,
    );
    expect(await commitIn(repo, shop.env, { target: { ...target, url: server.url('live') } })).toMatchObject({
      kind: 'committed',
    });
  });

  it('takes credentials from the environment', async () => {
    const helper = `!f() { echo username=${credentials.username}; echo "password=${credentials.password}"; }; f`;
    const env = {
      ...shop.env,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'credential.helper',
      GIT_CONFIG_VALUE_0: helper,
    };
    expect(await commitIn(repo, env, { target: { ...target, url: server.url('live') } })).toMatchObject({
      kind: 'committed',
    });
  });

  it.each([
    ['none', undefined],
    ['wrong ones', { username: 'bot', password: 'hunter2' }],
  ])('with credentials: %s, says so without showing them', async (_, wrong) => {
    const result = await commitIn(repo, shop.env, { target: { ...target, url: server.url('live', wrong) } });
    expect(result).toMatchObject({ kind: 'failed', finding: { code: 'commit-credentials' } });
    expect(JSON.stringify(result)).not.toContain('hunter2');
  });

  it('says that there is no such repository', async () => {
    const result = await commitIn(repo, shop.env, { target: { ...target, url: server.url('none', credentials) } });
    expect(result).toMatchObject({ kind: 'failed', finding: { code: 'commit-remote-missing' } });
    expect(JSON.stringify(result)).not.toContain('s3cret');
  });

  it('says that nobody answers', async () => {
    const url = server.url('live', credentials);
    await server.close();
    expect(await commitIn(repo, shop.env, { target: { ...target, url } })).toMatchObject({
      kind: 'failed',
      finding: { code: 'commit-unreachable' },
    });
  });
});
