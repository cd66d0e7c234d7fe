import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inTurn } from '../../src/write/turn.ts';

let folder: string;
let mark: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quiesce-turn-'));
  mark = join(folder, 'moving');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a turn', () => {
  it('is marked while it lasts, and over also when what was done in it fails', () => {
    inTurn(mark, () => expect(readFileSync(mark, 'utf8')).toBe(`${process.pid}\n`));
    expect(existsSync(mark)).toBe(false);
    expect(() => inTurn(mark, () => expect.fail('on purpose'))).toThrow('on purpose');
    expect(existsSync(mark)).toBe(false);
  });

  it('of a process that was killed is nobody’s', () => {
    const gone = execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' });
    writeFileSync(mark, gone);
    let done = false;
    inTurn(mark, () => {
      done = true;
    });
    expect(done).toBe(true);
  });

  it('of a process that was killed before it could say who it is, is nobody’s after a while', () => {
    writeFileSync(mark, '');
    utimesSync(mark, new Date(0), new Date(0));
    inTurn(mark, () => expect(readFileSync(mark, 'utf8')).toBe(`${process.pid}\n`));
  });

  it('is waited for: two processes are never in it together', async () => {
    const log = join(folder, 'log');
    const module = fileURLToPath(new URL('../../src/write/turn.ts', import.meta.url));
    const script = `const { inTurn } = await import(${JSON.stringify(module)});
      const { appendFileSync } = await import('node:fs');
      for (let i = 0; i < 20; i += 1) inTurn(${JSON.stringify(mark)}, () => {
        appendFileSync(${JSON.stringify(log)}, '(');
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
        appendFileSync(${JSON.stringify(log)}, ')');
      });`;
    const loader = import.meta.resolve('tsx');
    const start = () => spawn(process.execPath, ['--import', loader, '--input-type=module', '-e', script]);
    const ends = await Promise.all([start(), start()].map((child) => once(child, 'close')));
    expect(ends.map(([code]) => code as number)).toEqual([0, 0]);
    expect(readFileSync(log, 'utf8')).toBe('()'.repeat(40));
  });
});
