import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fingerprint, openState, refusalOf, type StateFolder } from '../support/repo.ts';
import { claim, settings, uninstalled } from '../support/state.ts';

const names = ['ada', 'bob', 'cid', 'dan', 'eve', 'fay', 'gil'];
const file = (name: string): string => `state/claims/${name}.yaml`;

let state: StateFolder;
beforeEach(async () => {
  state = openState(Object.fromEntries(names.map((name) => [file(name), claim(name)])));
  await state.compile();
});
afterEach(() => state.close());

function deleteClaims(...some: readonly string[]): void {
  for (const name of some) state.write(file(name), claim(name, { state: 'Deleted' }));
}

describe('the guard against mass removal', () => {
  it('refuses a compile that drops more than five claims and more than their share, and writes nothing', async () => {
    deleteClaims(...names.slice(0, 6));
    const before = fingerprint(join(state.root, 'out'));
    expect(await state.refusal()).toEqual([
      'mass-removal: This would remove 6 of 7 claims: ada, bob, cid, dan, eve and 1 more.',
    ]);
    expect(fingerprint(join(state.root, 'out'))).toEqual(before);
  });

  it('lets it through when the operator allows that many, and no more', async () => {
    deleteClaims(...names);
    expect(refusalOf(await state.synth({ allowMassRemoval: 6 }))).toHaveLength(1);
    expect(await state.compile({ allowMassRemoval: 7 })).toHaveLength(8);
  });

  it('is not got around by new claims in the place of the old ones', async () => {
    deleteClaims(...names);
    for (const name of names) state.write(file(`new-${name}`), claim(`new-${name}`));
    expect(await state.refusal()).toEqual([expect.stringMatching(/^mass-removal: This would remove 7 of 7 claims: /)]);
  });

  it('is not got around by emptying out/ first, where it was committed', async () => {
    state.commit();
    state.remove('out');
    state.remove('.quiesce');
    deleteClaims(...names);
    expect(await state.refusal()).toEqual([expect.stringMatching(/^mass-removal: This would remove 7 of 7 claims: /)]);
  });

  it('follows the limits of the settings', async () => {
    state.write('state/settings.yaml', settings({ extra: '  removal: { maxShare: 0, atLeast: 0 }\n' }));
    await state.compile();
    deleteClaims('ada');
    expect(await state.refusal()).toEqual(['mass-removal: This would remove 1 of 7 claims: ada.']);
  });

  it('counts the objects of a host cluster that is taken out of the settings', async () => {
    const small = openState({ 'state/settings.yaml': settings({ clusters: ['main', 'south'] }) });
    await small.compile();
    small.write('state/settings.yaml', settings());
    const refusal = await small.refusal();
    small.close();
    expect(refusal).toEqual([
      expect.stringMatching(/^mass-removal: This would remove \d+ of \d+ objects: .* \(south\)/),
    ]);
  });
});

describe('a claim file', () => {
  it.each([
    ['gone', () => {}],
    ['gone together with out/, which was committed', () => state.remove('out')],
    ['gone on a fresh clone', () => state.remove('.quiesce')],
  ])('%s is refused, and says how to delete a claim', async (_, more) => {
    state.commit();
    state.remove(file('ada'));
    more();
    const result = await state.synth();
    expect(refusalOf(result)).toEqual([
      'claim-vanished: The claim "ada" is gone from state/claims/ada.yaml, but was never deleted.',
    ]);
    expect(result).toMatchObject({ problems: [{ remedy: expect.stringContaining('run "quiesce delete ada"') }] });
  });

  it('may move within state/, and nothing but its first line changes', async () => {
    const path = 'out/main/claims/ada/claim.k8s.yaml';
    const before = state.read(path);
    state.write('state/claims/team/ada.yaml', state.read(file('ada')));
    state.remove(file('ada'));
    expect(await state.compile()).toEqual(['~ inventory.jsonl', '~ main/claims/ada/claim.k8s.yaml']);
    expect(state.read(path)).toBe(before.replace('state/claims/ada.yaml', 'state/claims/team/ada.yaml'));
  });

  it('may move while its claim changes as well', async () => {
    state.remove(file('ada'));
    state.write('state/claims/team/ada.yaml', claim('ada', { state: 'Sleeping', replicas: 3 }));
    expect(await state.compile()).toContain('~ main/claims/ada/claim.k8s.yaml');
  });

  it('that gets another name with its claim is refused: a virtual cluster cannot be renamed', async () => {
    state.write(file('ada'), claim('ada', { replicas: 3 }));
    await state.compile();
    renameSync(join(state.root, file('ada')), join(state.root, file('ada-two')));
    state.write(file('ada-two'), claim('ada-two', { replicas: 3 }));
    expect(await state.refusal()).toEqual([
      'claim-renamed: The claim "ada" was renamed to "ada-two"; the new name would be an empty virtual cluster.',
    ]);
  });

  it('that cannot be read is not taken for one that is gone', async () => {
    state.write(file('ada'), `${claim('ada')}  nonsense: true\n`);
    expect(await state.refusal()).toEqual(['unknown-key: `nonsense` is not known in `spec`.']);
    state.write(file('ada'), '');
    expect(await state.refusal()).toEqual(['empty-file: The file has no content but blank lines and comments.']);
  });
});

describe('the end of a claim', () => {
  it('is its file, once its record tells of the completed uninstall', async () => {
    deleteClaims('ada');
    await state.compile();
    state.remove(file('ada'));
    expect(await state.refusal()).toEqual([
      'claim-vanished: The claim "ada" is gone from state/claims/ada.yaml before its uninstall was completed.',
    ]);
    state.write('state/records/ada.yaml', uninstalled('ada', 'Deleted'));
    expect(await state.compile()).toEqual(['~ inventory.jsonl', '- main/claims/ada/claim.k8s.yaml']);
    expect(state.has('out/main/claims/ada')).toBe(false);
  });

  it('needs the order first: a record alone may tell of an earlier claim of that name', async () => {
    state.write('state/records/ada.yaml', uninstalled('ada', 'Deleted'));
    await state.compile();
    state.remove(file('ada'));
    expect(await state.refusal()).toEqual([expect.stringMatching(/^claim-vanished: .* but was never deleted/)]);
  });

  it('frees its name when its data is gone, and blocks it while the data was kept', async () => {
    for (const data of ['Deleted', 'Kept'] as const) {
      deleteClaims('ada');
      await state.compile();
      state.remove(file('ada'));
      state.write('state/records/ada.yaml', uninstalled('ada', data));
      await state.compile();
      state.write(file('ada'), claim('ada'));
      if (data === 'Deleted') await state.compile();
    }
    expect(await state.refusal()).toEqual([
      'name-blocked-by-data: The volumes of an earlier "ada" were kept; this claim would start on them.',
    ]);
    state.remove('state/records/ada.yaml');
    expect(await state.compile()).toContain('+ main/claims/ada/claim.k8s.yaml');
  });

  it('can be taken back until the order is compiled and applied: then everything is rendered again', async () => {
    const before = state.out();
    deleteClaims('ada');
    await state.compile();
    expect(state.read('out/main/claims/ada/claim.k8s.yaml')).not.toMatch(/^kind: StatefulSet/m);
    state.write(file('ada'), claim('ada'));
    await state.compile();
    expect(state.out()).toEqual(before);
  });
});

describe('an inventory that cannot be trusted', () => {
  const lines = (): string[] => state.read('out/inventory.jsonl').split('\n');

  it.each([
    ['a line that is no JSON', () => ['{"id":', ...lines().slice(1)], 1],
    ['a line of something else', () => [...lines().slice(0, 2), '{"name":"x"}', ...lines().slice(2)], 3],
    ['a merge conflict', () => ['<<<<<<< HEAD', ...lines().slice(0, 3), '=======', '>>>>>>> other'], 1],
  ])('%s: nothing is removed or replaced, and the way back is told', async (_, spoiled, line) => {
    state.write('out/inventory.jsonl', spoiled().join('\n'));
    const before = fingerprint(join(state.root, 'out'));
    const result = await state.synth();
    expect(result).toMatchObject({
      kind: 'problems',
      problems: [
        {
          code: 'inventory-broken',
          message: `Line ${line} of out/inventory.jsonl is not an inventory line, so it is not known which files are ours.`,
          remedy: expect.stringContaining('git checkout HEAD -- out/inventory.jsonl'),
        },
      ],
    });
    expect(fingerprint(join(state.root, 'out'))).toEqual(before);
  });

  it('a folder in its place', async () => {
    state.remove('out/inventory.jsonl');
    state.write('out/inventory.jsonl/x', '');
    expect(await state.refusal()).toEqual([
      expect.stringMatching(/^inventory-broken: out\/inventory.jsonl cannot be read/),
    ]);
  });

  it('the last one of before a merge: files are compared, not believed', async () => {
    const old = state.read('out/inventory.jsonl');
    state.write(file('ada'), claim('ada', { state: 'Sleeping' }));
    await state.compile();
    const right = state.out();
    state.write('out/inventory.jsonl', old);
    expect(await state.compile()).toEqual(['~ inventory.jsonl']);
    expect(state.out()).toEqual(right);
  });
});
