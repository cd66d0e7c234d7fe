import { readdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { fakeMachine } from './fake-programs.ts';
import { type Holder, takeLock } from './lock.ts';

const soon = { limitSeconds: 0 };
const gone: Holder = { pid: 2 ** 22 + 1, started: '1', host: hostname(), token: 'gone' };

async function lockPath(content?: string | Holder): Promise<string> {
  const path = join((await fakeMachine('none')).folder, 'part.lock');
  if (content !== undefined) await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

async function take(path: string, limitSeconds = 0) {
  const lock = await takeLock(path, { limitSeconds });
  if (lock.kind === 'busy') throw new Error(`held by ${lock.holder.pid}`);
  return lock;
}

describe('a lock', () => {
  it('is held by one and free again after its release', async () => {
    const path = await lockPath();
    const first = await take(path);
    expect(await takeLock(path, soon)).toMatchObject({ kind: 'busy', holder: { pid: process.pid } });
    await first.release();
    await (await take(path)).release();
  });

  it('is waited for, and the waiting tells who holds it', async () => {
    const path = await lockPath();
    const first = await take(path);
    const seen: number[] = [];
    const second = takeLock(path, { limitSeconds: 10, onWait: ({ pid }) => seen.push(pid) });
    await sleep(300);
    await first.release();
    expect((await second).kind).toBe('held');
    expect(seen[0]).toBe(process.pid);
  });

  it('is no longer waited for after an interruption', async () => {
    const path = await lockPath();
    await take(path);
    expect((await takeLock(path, { limitSeconds: 60, signal: AbortSignal.timeout(100) })).kind).toBe('busy');
  });

  it.each([
    ['a process that is gone', gone],
    ['a process whose pid another one has now', { ...gone, pid: process.pid }],
    ['nobody who can be read', 'half a li'],
    ['nobody', ''],
  ])('of %s is taken over', async (_, content) => {
    const path = await lockPath(content);
    await take(path);
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ pid: process.pid });
  });

  it('of another machine is left alone', async () => {
    const path = await lockPath({ ...gone, host: 'elsewhere' });
    expect(await takeLock(path, soon)).toMatchObject({ kind: 'busy', holder: { host: 'elsewhere' } });
  });

  it('whose holder died during a takeover is taken over too', async () => {
    const path = await lockPath(gone);
    await writeFile(`${path}.takeover`, JSON.stringify({ ...gone, token: 'also gone' }));
    await take(path);
    expect(await readdir(dirname(path))).not.toContain('part.lock.takeover');
  });

  it('that is stale has one holder at a time, however many find it', async () => {
    const path = await lockPath(gone);
    let holders = 0;
    let most = 0;
    const one = async () => {
      const lock = await take(path, 30);
      most = Math.max(most, ++holders);
      await sleep(5);
      holders -= 1;
      await lock.release();
    };
    await Promise.all(Array.from({ length: 10 }, one));
    expect(most).toBe(1);
  });
});
