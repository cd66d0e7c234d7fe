import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { builtCommand } from './built.ts';
import { claimFile, type Instance, openInstance } from './instance.ts';

let instance: Instance;
beforeEach(async () => {
  instance = await openInstance({ 'state/claims/ada.yaml': claimFile('ada') });
});
afterEach(() => instance.workshop.close());

describe('the exit status', () => {
  it('of a mistake of ours is 70, with a stack', async () => {
    const preload = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
fs.existsSync = () => { throw new TypeError('boom'); }; syncBuiltinESMExports();`;
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}` };
    const { status, stdout, stderr } = await instance.quiesceWith(env, 'validate');
    expect({ status, stdout }).toEqual({ status: 70, stdout: '' });
    expect(stderr).toMatch(
      /^quiesce \d+\.\d+\.\d+, Node v\d+.*: this is a mistake of Quiesce, please report it.\nTypeError: boom\n {4}at /,
    );
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('after %s is %d, and out/ is as it was', async (signal, expected) => {
    const slow = join(instance.workshop.dir, 'slow');
    const started = join(slow, 'started');
    mkdirSync(slow);
    writeFileSync(join(slow, 'git'), `#!/bin/sh\ntouch '${started}'\nexec sleep 30\n`);
    chmodSync(join(slow, 'git'), 0o755);
    const env = { ...instance.workshop.env, PATH: `${slow}:${instance.workshop.env.PATH}` };
    const child = spawn(process.execPath, [await builtCommand(), 'synth'], { cwd: instance.dir, env, stdio: 'ignore' });
    await vi.waitFor(() => expect(existsSync(started)).toBe(true), { timeout: 20_000 });
    child.kill(signal);
    expect((await once(child, 'exit'))[0]).toBe(expected);
    expect(instance.has('out')).toBe(false);
  });
});
