import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtCommand } from '../commands/built.ts';
import { fingerprint, openState, type StateFolder } from '../support/repo.ts';
import { claim } from '../support/state.ts';

/** To the superuser nothing is forbidden, so the command then runs as somebody who owns nothing here. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

let state: StateFolder;
let command: string;
beforeEach(async () => {
  command = await builtCommand();
  state = openState({ 'state/claims/ada.yaml': claim('ada') });
  await state.compile();
});
afterEach(() => {
  execFileSync('chmod', ['-R', 'u+rwX', state.root]);
  state.close();
});

function permit(mode: string, ...paths: readonly string[]): void {
  execFileSync('chmod', ['-R', mode, ...paths.map((path) => join(state.root, path))]);
}

function quiesce(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
    cwd: state.root,
    encoding: 'utf8',
    ...nobody,
  });
  return { status, stdout, stderr };
}

describe('where nothing may be written', () => {
  beforeEach(() => permit('a=rX', '.'));

  it('validate, synth --check and a dry run work', () => {
    expect(quiesce('validate')).toMatchObject({ status: 0, stderr: '' });
    expect(quiesce('synth', '--check')).toMatchObject({ status: 0, stderr: '' });
    expect(quiesce('synth', '--dry-run')).toMatchObject({ status: 0, stderr: '' });
  });

  it('synth has nothing to complain of while there is nothing to write', () => {
    expect(quiesce('synth')).toMatchObject({ status: 0, stderr: '' });
    expect(quiesce('synth', '--full')).toMatchObject({ status: 0, stderr: '' });
  });

  it('synth says so when there is, and changes nothing', () => {
    permit('u+w', 'state/claims/ada.yaml');
    state.write('state/claims/ada.yaml', claim('ada', { state: 'Sleeping' }));
    const before = fingerprint(state.root);
    expect(quiesce('synth')).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^error write-failed {2}The output could not be written: EACCES: /),
    });
    expect(fingerprint(state.root)).toEqual(before);
  });
});

it('a folder of out/ that may not be written: what was moved before is moved back', () => {
  permit('a+rwX', '.');
  state.write('state/claims/bob.yaml', claim('bob'));
  state.write('state/claims/ada.yaml', claim('ada', { state: 'Sleeping' }));
  permit('a+rX', 'state');
  permit('a-w', 'out/main/claims/ada');
  const before = fingerprint(join(state.root, 'out'));
  expect(quiesce('synth')).toMatchObject({ status: 1, stderr: expect.stringContaining('error write-failed') });
  const after = fingerprint(join(state.root, 'out'));
  // Folders remember that something was moved in and out.
  const files = Object.keys(before).filter((path) => path.includes('.'));
  expect(files.map((path) => after[path])).toEqual(files.map((path) => before[path]));
  expect(Object.keys(after)).toEqual(Object.keys(before));
});
