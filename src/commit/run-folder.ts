import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/**
 * A folder for checkouts and the like, below the git folder: there it is on the repository's own disk, no tool takes
 * it for part of the work tree, and the next run finds what an interrupted one left behind.
 */
export async function inRunFolder<Result>(gitDir: string, work: (folder: string) => Promise<Result>): Promise<Result> {
  const home = join(gitDir, 'quiesce');
  const folder = claimRunFolder(home);
  try {
    return await work(folder.path);
  } finally {
    folder.remove();
    removeIfEmpty(home);
  }
}

export interface RunFolder {
  readonly path: string;
  remove(): void;
}

/** A folder below `home` that is ours until it is removed; what runs that ended badly left there goes. */
export function claimRunFolder(home: string): RunFolder {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  sweep(home);
  const path = mkdtempSync(join(home, 'run-'));
  ours.add(path);
  try {
    writeFileSync(join(path, 'owner.json'), JSON.stringify({ pid: process.pid, host: hostname() }));
  } catch (error) {
    remove(path);
    throw error;
  }
  return { path, remove: () => remove(path) };
}

/** Those of this process. */
const ours = new Set<string>();

/** Longer than any run, shorter than a process id or a host name comes back by chance often enough to matter. */
const abandonedAfterMs = 24 * 3600 * 1000;

function sweep(home: string): void {
  for (const name of readdirSync(home)) {
    const folder = join(home, name);
    if (name.startsWith('run-') && isAbandoned(folder)) remove(folder);
  }
}

function isAbandoned(folder: string): boolean {
  if (ours.has(folder)) return false;
  try {
    if (Date.now() - statSync(folder).mtimeMs > abandonedAfterMs) return true;
    const { pid, host } = JSON.parse(readFileSync(join(folder, 'owner.json'), 'utf8')) as { pid: number; host: string };
    // In a container every process has the same number, also the one before a restart.
    return host === hostname() && (pid === process.pid || !isRunning(pid));
  } catch {
    return false; // Just being made, or just being removed, by another run.
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** What cannot be removed now is removed by the next run: it must not hide how this one ended. */
function remove(folder: string): void {
  ours.delete(folder);
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {}
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {}
}
