import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { builtCommand } from '../commands/built.ts';
import { openState, type StateFolder } from '../support/repo.ts';
import { runs } from '../support/runs.ts';
import { claim, settings } from '../support/state.ts';

const names = Array.from({ length: 40 }, (_, index) => `claim-${index}`);
const attempts = runs(3);

const opened: StateFolder[] = [];
afterEach(() => {
  for (const state of opened.splice(0)) state.close();
});

function manyClaims(): StateFolder {
  const state = openState(Object.fromEntries(names.map((name) => [`state/claims/${name}.yaml`, claim(name)])));
  opened.push(state);
  return state;
}

/** A change that every claim's file shows. */
function changeAll(state: StateFolder, run: number): void {
  state.write('state/settings.yaml', settings({ domain: `apps-${run}.example.edu` }));
}

async function start(state: StateFolder) {
  const child = spawn(process.execPath, [await builtCommand(), 'synth'], { cwd: state.root, stdio: 'pipe' });
  let said = '';
  child.stderr.on('data', (data) => {
    said += data;
  });
  return { child, ended: once(child, 'close').then(([code]) => ({ code: code as number | null, said })) };
}

const wellDone = { code: 0, said: '' };

/** What a compile of the same state from nothing gives. */
async function fromNothing(state: StateFolder): Promise<Readonly<Record<string, string>>> {
  const fresh = openState();
  opened.push(fresh);
  cpSync(join(state.root, 'state'), join(fresh.root, 'state'), { recursive: true });
  await fresh.compile();
  return fresh.out();
}

function stages(state: StateFolder): readonly string[] {
  return readdirSync(join(state.root, '.quiesce')).filter((name) => name.startsWith('stage-'));
}

describe('a compile that is killed', () => {
  it('leaves what the next one makes whole, without a trace', async () => {
    const state = manyClaims();
    await state.compile();
    for (let run = 0; run < attempts; run += 1) {
      changeAll(state, run);
      const { child, ended } = await start(state);
      // From before it reads anything to after it has moved everything.
      await wait(40 + (run * 400) / attempts);
      child.kill('SIGKILL');
      await ended;
      if (run % 3 === 0) state.write('state/claims/claim-0.yaml', claim('claim-0', { owner: `Nobody ${run}` }));
    }
    await state.compile();
    expect(state.out()).toEqual(await fromNothing(state));
    expect(stages(state)).toEqual([]);
    expect(await state.compile()).toEqual([]);
  }, 600_000);
});

describe('two compiles at once', () => {
  it('both end well, with the whole output', async () => {
    const state = manyClaims();
    for (let run = 0; run < attempts; run += 1) {
      changeAll(state, run);
      const both = await Promise.all([start(state), start(state)]);
      const ends = await Promise.all(both.map(({ ended }) => ended));
      expect(ends).toEqual([wellDone, wellDone]);
      expect(state.out()).toEqual(await fromNothing(state));
    }
    expect(stages(state)).toEqual([]);
  }, 600_000);

  it('may be of one process', async () => {
    const state = manyClaims();
    const results = await Promise.all([state.synth(), state.synth()]);
    expect(results.map(({ kind }) => kind)).toEqual(['ok', 'ok']);
    expect(state.out()).toEqual(await fromNothing(state));
    expect(stages(state)).toEqual([]);
  });
});
