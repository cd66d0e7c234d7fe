import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fingerprint, openState, type StateFolder } from '../support/repo.ts';
import { claim } from '../support/state.ts';

const file = (name: string): string => `main/claims/${name}/claim.k8s.yaml`;

let state: StateFolder;
beforeEach(async () => {
  state = openState({ 'state/claims/ada.yaml': claim('ada'), 'state/claims/bob.yaml': claim('bob') });
  await state.compile();
});
afterEach(() => state.close());

describe('a compile that fails', () => {
  it.each([
    ['before anything is rendered', () => state.write('state/claims/cid.yaml', claim('other-name'))],
    ['after everything else was rendered', () => state.write('state/installations/stack/web/x.yaml', 'no: object\n')],
    ['because the settings are broken', () => state.write('state/settings.yaml', 'kind: [\n')],
    ['because the state is gone', () => state.remove('state')],
  ])('%s leaves out/ as it is, down to the times', async (_, spoil) => {
    state.write('state/claims/ada.yaml', claim('ada', { state: 'Sleeping' }));
    state.write('state/installations/stack.yaml', installation);
    spoil();
    const before = fingerprint(join(state.root, 'out'));
    await state.refusal();
    expect(fingerprint(join(state.root, 'out'))).toEqual(before);
    expect(readdirSync(join(state.root, '.quiesce')).filter((name) => name.startsWith('stage-'))).toEqual([]);
  });

  it('says what is missing where there is no state', async () => {
    state.remove('state');
    expect(await state.refusal()).toEqual([
      'settings-missing: There is no state/settings.yaml.',
      'claim-vanished: The claim "ada" is gone from state/claims/ada.yaml, but was never deleted.',
      'claim-vanished: The claim "bob" is gone from state/claims/bob.yaml, but was never deleted.',
    ]);
  });
});

describe('a compile', () => {
  it('touches no file whose bytes stay the same', async () => {
    const before = fingerprint(join(state.root, 'out'));
    state.write('state/claims/ada.yaml', claim('ada', { state: 'Sleeping' }));
    expect(await state.compile({ full: true })).toEqual(['~ inventory.jsonl', `~ ${file('ada')}`]);
    const after = fingerprint(join(state.root, 'out'));
    const touched = Object.keys(after).filter((path) => after[path] !== before[path]);
    expect(touched).toEqual(['', '/inventory.jsonl', '/main/claims/ada', `/${file('ada')}`]);
  });

  it('leaves what is not ours, and names it', async () => {
    for (const path of ['out/README.md', 'out/main/claims/ada/notes', 'out/other/system/mine.yaml']) {
      state.write(path, 'mine\n');
    }
    const result = await state.synth({ full: true });
    expect(result).toMatchObject({
      kind: 'ok',
      changes: [],
      foreign: ['README.md', 'main/claims/ada/notes', 'other/system/mine.yaml'],
    });
  });

  it('removes the file of a unit that is gone, its empty folders, and nothing else', async () => {
    state.write('state/clusters/main.yaml', clusterConfig);
    state.write('out/main/maintenance/mine.yaml', 'mine\n');
    await state.compile();
    state.remove('state/clusters/main.yaml');
    expect(await state.synth()).toMatchObject({
      kind: 'ok',
      changes: [
        { path: 'inventory.jsonl', change: 'changed' },
        { path: 'main/maintenance/main.k8s.yaml', change: 'removed' },
      ],
      foreign: ['main/maintenance/mine.yaml'],
    });
    expect(readdirSync(join(state.root, 'out/main/maintenance'))).toEqual(['mine.yaml']);
    state.remove('out/main/maintenance/mine.yaml');
    state.write('state/clusters/main.yaml', clusterConfig);
    await state.compile();
    state.remove('state/clusters/main.yaml');
    await state.compile();
    expect(state.has('out/main/maintenance')).toBe(false);
  });

  it('never replaces a file that is not ours', async () => {
    state.write(`out/${file('cid')}`, 'mine\n');
    state.write('state/claims/cid.yaml', claim('cid'));
    const before = fingerprint(join(state.root, 'out'));
    expect(await state.refusal()).toEqual([
      `out-occupied: ${join(state.root, 'out', file('cid'))} is in the way: it is not one of our files.`,
    ]);
    expect(fingerprint(join(state.root, 'out'))).toEqual(before);
  });

  it('takes back files that carry our first line, when the inventory is lost', async () => {
    const before = state.out();
    state.remove('out/inventory.jsonl');
    await state.compile();
    expect(state.out()).toEqual(before);
  });

  it('mends a file that somebody edited or removed', async () => {
    const before = state.out();
    state.write(`out/${file('ada')}`, `${state.read(`out/${file('ada')}`)}# by hand\n`);
    state.remove(`out/${file('bob')}`);
    expect(await state.compile()).toEqual([`~ ${file('ada')}`, `+ ${file('bob')}`]);
    expect(state.out()).toEqual(before);
  });

  it('never follows a link that stands where its file should be', async () => {
    state.write('precious', 'mine\n');
    state.remove(`out/${file('ada')}`);
    symlinkSync(join(state.root, 'precious'), join(state.root, 'out', file('ada')));
    const result = await state.synth();
    expect(state.read('precious')).toBe('mine\n');
    expect(result.kind).toBe('ok');
    expect(state.read(`out/${file('ada')}`)).toContain('kind: VClusterClaim');
  });
});

describe('an output that cannot be written', () => {
  it('is refused with what the system says, where out is a file', async () => {
    state.remove('out');
    state.write('out', 'a file\n');
    expect(await state.refusal()).toEqual([expect.stringMatching(/^write-failed: The output could not be written: /)]);
    expect(state.read('out')).toBe('a file\n');
  });

  it('is refused where a file stands in for a folder', async () => {
    state.remove('out/main/claims');
    state.write('out/main/claims', 'a file\n');
    expect(await state.refusal()).toEqual([expect.stringMatching(/^write-failed: /)]);
    expect(state.read('out/main/claims')).toBe('a file\n');
  });

  it('is refused where a folder stands in for a file', async () => {
    state.remove(`out/${file('ada')}`);
    mkdirSync(join(state.root, 'out', file('ada'), 'inner'), { recursive: true });
    expect(await state.refusal()).toEqual([expect.stringMatching(/^write-failed: .* is a folder/)]);
    expect(state.has(`out/${file('ada')}/inner`)).toBe(true);
  });
});

const installation = `apiVersion: quiesce.dev/v1alpha1
kind: Installation
metadata:
  name: stack
spec:
  cluster: main
  components:
    - { name: web, namespace: web }
`;

const clusterConfig = `apiVersion: baremetal.cluster.gke.io/v1
kind: Cluster
metadata:
  name: main
spec:
  controlPlane: { nodePoolSpec: { nodes: [{ address: 10.0.0.11 }] } }
`;
