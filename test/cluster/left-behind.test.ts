import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assets, clusterTest } from '../support/cluster-test.ts';
import { openSandbox, type Sandbox } from '../support/sandbox.ts';
import { waitFor } from '../support/wait.ts';

const victim = fileURLToPath(new URL('./left-behind/victim.ts', import.meta.url));
const config = fileURLToPath(new URL('./left-behind/vitest.config.ts', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));

/** What a sandbox started carries its mark; /proc tells of every process of the machine. */
function processesOf(folder: string): readonly string[] {
  const mark = `QUIESCE_SANDBOX=${folder}`;
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const isOne = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark);
      return isOne ? commandLine(pid).slice(0, 3).join(' ') : [];
    } catch {
      return [];
    }
  });
}

function commandLine(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  } catch {
    return [];
  }
}

async function waitUntilNothingIsLeft(folder: string): Promise<number> {
  const begun = performance.now();
  await waitFor(`nothing to be left of ${folder}`, { seconds: 15, everyMs: 20 }, () => {
    const left = [...processesOf(folder), ...(existsSync(folder) ? ['the folder'] : [])];
    return left.length === 0 ? { met: true } : { seen: left.join(', ') };
  });
  return (performance.now() - begun) / 1000;
}

/** Between its fork and its exec a program still looks like the one that starts it. */
async function waitForProcesses(folder: string, count: number): Promise<void> {
  await waitFor(`${count} processes of ${folder}`, { seconds: 15, everyMs: 20 }, () => {
    const found = processesOf(folder);
    return found.length >= count ? { met: true } : { seen: found.join(', ') };
  });
}

let started: ChildProcess | undefined;

afterEach(() => {
  started?.kill('SIGKILL');
});

async function startVictim(mode: string, env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, ['--import', 'tsx', victim, mode], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  started = child;
  const [folder] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, folder };
}

describe.skipIf(process.platform !== 'linux')('nothing is left behind', () => {
  it.each(['SIGKILL', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'after %s of the process that started it',
    async (signal) => {
      const { child, folder } = await startVictim('sandbox');
      await waitForProcesses(folder, 5);
      child.kill(signal);
      await waitUntilNothingIsLeft(folder);
    },
  );

  it('after a crash', async () => {
    await waitUntilNothingIsLeft((await startVictim('crash')).folder);
  });

  it('when nobody remembers to stop it', async () => {
    const { child, folder } = await startVictim('forget');
    if (child.exitCode === null) await once(child, 'exit');
    expect(child.exitCode).toBe(0);
    await waitUntilNothingIsLeft(folder);
  });

  it('by stop, programs that are paused and that take no hint included', async () => {
    const sandbox = openSandbox('stopped');
    const paused = sandbox.start('paused', ['sleep', '1000']);
    sandbox.start('deaf', ['sh', '-c', "trap '' TERM; while :; do sleep 1; done"]);
    paused.pause();
    await sandbox.stop();
    expect(processesOf(sandbox.folder)).toEqual([]);
    expect(existsSync(sandbox.folder)).toBe(false);
    expect(() => sandbox.start('late', ['true'])).toThrow('is stopped');
  });

  it('by stop, although the reaper was ended', async () => {
    const sandbox = openSandbox('alone');
    const program = sandbox.start('one', ['sleep', '1000']);
    const reaper = readdirSync('/proc').find((pid) => commandLine(pid).some((word) => word === sandbox.folder));
    process.kill(Number(reaper), 'SIGKILL');
    await waitFor('the reaper to be gone', { seconds: 5 }, () =>
      commandLine(reaper ?? '').length === 0 ? { met: true } : { seen: 'running' },
    );
    await sandbox.stop();
    expect(program.end()).toBe('was ended by SIGKILL');
    expect(existsSync(sandbox.folder)).toBe(false);
  });
});

describe.skipIf(process.platform !== 'linux')('a run of vitest', () => {
  let report: Sandbox;

  beforeEach(() => {
    report = openSandbox('report');
  });

  afterEach(() => report.stop());

  it.each(['SIGKILL', 'SIGINT', 'SIGTERM'] as const)('leaves nothing behind after %s', async (signal) => {
    const file = join(report.folder, 'folder');
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
    const child = spawn(process.execPath, [vitest, 'run', '--root', root, '--config', config], {
      cwd: root,
      env: { ...process.env, QUIESCE_TEST_REPORT: file },
      stdio: 'ignore',
    });
    started = child;
    const folder = await waitFor('the test in vitest to begin', { seconds: 60 }, () => {
      const line = existsSync(file) ? readFileSync(file, 'utf8') : '';
      return line.endsWith('\n') ? { met: line.trim() } : { seen: `exit code ${child.exitCode}` };
    });
    await waitForProcesses(folder, 1);
    child.kill(signal);
    await waitUntilNothingIsLeft(folder);
  });
});

clusterTest('a whole cluster', () => {
  it.skipIf(process.platform !== 'linux')('is gone soon after kill -9 of the process that started it', async () => {
    const { child, folder } = await startVictim('cluster', { QUIESCE_TEST_ASSETS: JSON.stringify(assets()) });
    await waitForProcesses(folder, 5);
    child.kill('SIGKILL');
    console.info(`a cluster was gone ${(await waitUntilNothingIsLeft(folder)).toFixed(1)} s after kill -9`);
  });
});
