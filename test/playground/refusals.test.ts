import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { onPath } from '../controlplane/path-lookup.ts';
import { findRedis } from '../controlplane/redis.ts';
import { clusterTest } from '../support/cluster-test.ts';
import { waitFor } from '../support/wait.ts';
import { ownProcess, type Session, startSession } from './terminal-session.ts';

const headline = 'A playground for Quiesce. Whatever is in it is thrown away at its end.\n\n';
const cleanUps: (() => void)[] = [];

afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Session {
  const session = startSession(args, { env });
  cleanUps.push(session.close);
  return session;
}

/** A PATH with these programs and no others. */
async function pathWith(...programs: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'quiesce-path-'));
  cleanUps.push(() => rmSync(folder, { recursive: true }));
  for (const program of programs) symlinkSync((await onPath(program, process.env)) ?? '', join(folder, program));
  return folder;
}

/** A small disk in place of the temporary folder. Not every system lets everybody have one. */
const mount = 'mount -t tmpfs -o size=$0 none "$TMPDIR" && exec "$@"';
const onSmallDisk = ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', mount];
const canMount = spawnSync('env', [...onSmallDisk, '64k', 'true'], { env: { ...process.env, TMPDIR: tmpdir() } });

async function expectNoSpace(size: string): Promise<void> {
  const session = startSession(['--flux'], { argv: [...onSmallDisk, size, ...ownProcess] });
  cleanUps.push(session.close);
  expect(await session.ended()).toBe(1);
  expect(session.output()).toMatch(
    /\nerror: there is no space left on the device of \S+\. Make some, or set TMPDIR to another folder\n$/,
  );
  await waitFor('nothing to be left', { seconds: 30 }, () => {
    const left = session.left();
    return left.length === 0 ? { met: true } : { seen: left.join(', ') };
  });
}

async function takenPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  cleanUps.push(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

describe('the playground says in one line', () => {
  it('how it is used', async () => {
    const session = start(['--help']);
    expect(await session.ended()).toBe(0);
    expect(session.output()).toMatch(/^usage: npm run playground/);
  });

  it.each([
    ['--prot', "error: Unknown option '--prot'"],
    ['--port=many', 'error: --port has to be a number up to 65535, and is "many"\n'],
    ['--port=70000', 'error: --port has to be a number up to 65535, and is "70000"\n'],
  ])('what is wrong with %s', async (argument, said) => {
    const session = start([argument]);
    expect(await session.ended()).toBe(2);
    expect(session.output().startsWith(said)).toBe(true);
    expect(session.output().trimEnd()).not.toContain('\n');
  });

  it('that there is no git', async () => {
    const session = start([], { PATH: await pathWith() });
    expect(await session.ended()).toBe(1);
    expect(session.output()).toBe(`${headline}error: there is no git on the PATH. Install git\n`);
  });

  it('that there is no Redis, and that Flux needs none', async () => {
    const session = start([], { PATH: await pathWith('git') });
    expect(await session.ended()).toBe(1);
    expect(session.output()).toBe(
      `${headline}error: Argo CD needs Redis, and there is no redis-server on the PATH. apt-get install redis-server, or: npm run playground -- --flux\n`,
    );
  });

  it('that there is no Go to build with', async () => {
    const session = start(['--flux'], { PATH: await pathWith('git'), QUIESCE_ASSETS: '' });
    expect(await session.ended()).toBe(1);
    expect(session.output()).toContain(
      `${headline}error: the control plane is built with Go, and there is no go on the`,
    );
    expect(session.left()).toEqual([]);
  });

  it('that a port is taken', async () => {
    const port = await takenPort();
    const session = start(['--flux', '--port', String(port)]);
    expect(await session.ended()).toBe(1);
    const said = `error: port ${port} is taken. Choose another with --port, or any free one without it\n`;
    expect(session.output()).toBe(`${headline}${said}`);
    expect(session.left()).toEqual([]);
  });

  it('that ready binaries are not there', async () => {
    const redis = await findRedis(process.env);
    const session = start(redis.kind === 'ready' ? [] : ['--flux'], {
      QUIESCE_ASSETS: join(tmpdir(), 'no-such-folder'),
    });
    expect(await session.ended()).toBe(1);
    expect(session.output()).toMatch(/error: .*no-such-folder.*\n$/);
    expect(session.left()).toEqual([]);
  });

  it.skipIf(canMount.status !== 0)('that there is no space left', () => expectNoSpace('64k'));
});

clusterTest('once its programs start, the playground says in one line', () => {
  it.skipIf(canMount.status !== 0)('that there is no space left', () => expectNoSpace('8m'));
});
