import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';

/** A file system of its own with little room: what is written to it fails as it does on a full disk, because it is one. */
export interface SmallDisk {
  readonly path: string;
  /** Takes all the room that there is, but this many KiB. */
  fill(left: number): void;
  /** Gives back what `fill` took. */
  clear(): void;
  close(): void;
}

export function openSmallDisk(megabytes = 8): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'quiesce-disk-'));
  const close = (): void => {
    process.off('exit', close);
    execFileSync('umount', ['--lazy', path], { stdio: 'ignore' });
    rmdirSync(path);
  };
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], { stdio: 'ignore' });
  } catch (error) {
    rmdirSync(path);
    throw error;
  }
  process.once('exit', close);
  const ballast = join(path, 'ballast');
  const clear = (): void => rmSync(ballast, { recursive: true, force: true });
  const fill = (left: number): void => {
    clear();
    mkdirSync(ballast);
    const { bavail, bsize } = statfsSync(path);
    writeFileSync(join(ballast, 'all'), Buffer.alloc(Math.max(0, bavail * bsize - left * 1024)));
  };
  return { path, fill, clear, close };
}

/** Mounting takes a Linux and its root. Elsewhere these are skipped, with one line. */
export function describeOnSmallDisk(name: string, tests: () => void): void {
  if (canMount()) describe(name, tests);
  else describe.skip(`${name} (this user cannot mount a file system)`, tests);
}

export function canMount(): boolean {
  try {
    openSmallDisk().close();
    return true;
  } catch {
    return false;
  }
}
