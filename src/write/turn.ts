import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { isAlive } from './alive.ts';

/** Moving takes milliseconds, or seconds for ten thousand files. */
const LONGEST_WAIT_MS = 30_000;
const PAUSE_MS = 20;
const LONGEST_WRITE_MS = 2_000;

/**
 * One process at a time moves files into place: two that did so side by side would take each other's files for the
 * ones to restore. `file` marks whose turn it is; the mark of a process that was killed is nobody's.
 */
export function inTurn(file: string, action: () => void): void {
  const deadline = Date.now() + LONGEST_WAIT_MS;
  while (!takes(file)) {
    if (isAbandoned(file)) rmSync(file, { force: true });
    else if (Date.now() > deadline) throw Object.assign(new Error(`another compile holds ${file}`), { code: 'EBUSY' });
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
  try {
    action();
  } finally {
    rmSync(file, { force: true });
  }
}

function takes(file: string): boolean {
  try {
    const mark = openSync(file, 'wx');
    writeSync(mark, `${process.pid}\n`);
    closeSync(mark);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Of a process that is gone; or without a process for so long that it was killed before it could say which. */
function isAbandoned(file: string): boolean {
  try {
    const { mtimeMs } = statSync(file);
    const pid = Number(readFileSync(file, 'utf8'));
    return pid > 0 ? !isAlive(pid) : Date.now() - mtimeMs > LONGEST_WRITE_MS;
  } catch {
    return false; // that turn is over
  }
}
