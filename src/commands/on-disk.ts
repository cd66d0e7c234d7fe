import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// What is there, for commands that must not trip over folders, links and files in the place of folders.

/** Anything of that name, also a broken link. */
export function isTaken(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // a file stands where a folder on the way should be
  }
}

/** Undefined for what is no file that can be read. */
export function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** For `locate`, which shows the place in a file that may be gone by now. */
export function bytesAt(root: string, file: string): Uint8Array | undefined {
  try {
    return readFileSync(join(root, file));
  } catch {
    return undefined;
  }
}
