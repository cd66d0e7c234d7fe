import { randomUUID } from 'node:crypto';
import { readFileSync, unlinkSync } from 'node:fs';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from './failures.ts';

export interface Holder {
  readonly pid: number;
  /** Tells two processes apart that got the same pid one after the other. */
  readonly started: string;
  readonly host: string;
  /** Tells two takings of the same lock apart. */
  readonly token: string;
}

export type LockResult =
  | { readonly kind: 'held'; readonly release: () => Promise<void> }
  | { readonly kind: 'busy'; readonly holder: Holder };

export interface LockOptions {
  readonly limitSeconds: number;
  readonly signal?: AbortSignal | undefined;
  readonly onWait?: (holder: Holder) => void;
}

const held = new Set<string>();
let exitHook = false;

/** A lock file that names its holder; the file of a process that is gone is taken over. */
export async function takeLock(path: string, options: LockOptions): Promise<LockResult> {
  const limit = performance.now() + options.limitSeconds * 1000;
  for (;;) {
    const holder = await readHolder(path);
    if (holder === undefined) {
      if (await create(path)) return { kind: 'held', release: () => release(path) };
      continue;
    }
    if (isGone(holder) && (await removeStale(path, holder, options))) continue;
    if (performance.now() >= limit || options.signal?.aborted === true) return { kind: 'busy', holder };
    options.onWait?.(holder);
    await sleep(200);
  }
}

/**
 * Two processes may find the same stale lock. Only the one that holds the lock beside it may remove it, and only if it
 * is still the one that was found stale: otherwise the slower one would remove the quicker one's new lock.
 */
async function removeStale(path: string, stale: Holder, options: LockOptions): Promise<boolean> {
  const beside = await takeLock(`${path}.takeover`, options);
  if (beside.kind === 'busy') return false;
  const now = await readHolder(path);
  if (now?.token === stale.token) await unlink(path);
  await beside.release();
  return true;
}

/** A link of a finished file: unlike an opened one, a lock is never seen without its holder. */
async function create(path: string): Promise<boolean> {
  const mine = thisProcess();
  const draft = `${path}.${mine.token}`;
  try {
    await writeFile(draft, JSON.stringify(mine));
    await link(draft, path);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await unlink(draft).catch(() => undefined);
  }
  remember(path);
  return true;
}

async function release(path: string): Promise<void> {
  held.delete(path);
  await unlink(path).catch(() => undefined);
}

async function readHolder(path: string): Promise<Holder | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const unreadable: Holder = { pid: 0, started: '', host: hostname(), token: text };
  try {
    return { ...unreadable, ...(JSON.parse(text) as Partial<Holder>) };
  } catch {
    return unreadable;
  }
}

/** A holder on another machine (a home folder on the network) is never declared gone. */
function isGone(holder: Holder): boolean {
  if (holder.host !== hostname()) return false;
  return !isAlive(holder.pid) || startOf(holder.pid) !== holder.started;
}

function isAlive(pid: number): boolean {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** Start time in clock ticks; empty where there is no /proc, and then the pid alone decides. */
function startOf(pid: number): string {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses and may hold spaces; start time is the 22nd.
    return fields.slice(fields.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

function thisProcess(): Holder {
  return { pid: process.pid, started: startOf(process.pid), host: hostname(), token: randomUUID() };
}

function remember(path: string): void {
  held.add(path);
  if (exitHook) return;
  exitHook = true;
  process.on('exit', () => {
    for (const lock of held) {
      try {
        unlinkSync(lock);
      } catch {
        // Already released.
      }
    }
  });
}
