import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listFiles } from '../../src/load/listing.ts';
import { worktree } from '../../src/load/worktree.ts';
import { synth } from '../../src/pipeline.ts';
import type { CommittedState } from '../../src/runner/known-claims.ts';
import { readStateInput, type StateInput } from '../../src/runner/state-input.ts';
import { claim, settings, uninstalled } from '../support/state.ts';
import { listTree, writeTree } from '../support/tree.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'quiesce-runner-'));
  writeTree(root, [['state/settings.yaml', settings()]]);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** What a commit of this folder would be read as. */
async function stateIn(): Promise<CommittedState> {
  const tree = worktree(root, await listFiles(root, { all: ['state'], tracked: [] }));
  const bytesOf = (path: string): Uint8Array | undefined => {
    const text = listTree(root).get(path);
    return text === undefined ? undefined : Buffer.from(text);
  };
  return { tree, bytes: async (path) => bytesOf(path) };
}

async function read(inFull?: ReadonlySet<string>): Promise<StateInput> {
  const answer = await readStateInput(await stateIn(), inFull);
  if (answer.kind !== 'ok') throw new Error(JSON.stringify(answer.problems));
  return answer.input;
}

const file = (name: string) => `state/claims/${name}.yaml`;

describe('what the runner reads', () => {
  it('is what the decider looks at, and nothing else of a claim', async () => {
    writeTree(root, [[file('ada'), claim('ada')]]);
    const { claims, unread, compiled } = await read();
    expect(claims).toMatchObject([{ name: 'ada', cluster: 'main', state: 'Running', schedules: [] }]);
    expect(Object.keys(claims[0] ?? {})).not.toContain('config');
    expect({ unread: [...unread], compiled }).toEqual({ unread: [], compiled: undefined });
  });

  it('of claims that the inventory knows comes from there, and is the same but for the names of owners', async () => {
    const more = '  expiry: { after: 30d, extendedUntil: "2027-05-01T00:00:00Z" }\n';
    writeTree(root, [
      [file('ada'), `${claim('ada')}${more}`],
      [file('bob'), claim('bob', { state: 'Sleeping' })],
    ]);
    const before = await read();
    await synth({ root });
    const after = await read();
    expect([...after.unread].sort()).toEqual([file('ada'), file('bob')]);
    expect(after.compiled).toEqual(new Set(['ada', 'bob']));
    const nameless = before.claims.map((each) => ({
      ...each,
      owners: each.owners.map(({ email }) => ({ name: '', email })),
    }));
    expect(after.claims).toEqual(nameless);
    expect((await read(new Set([file('ada')]))).claims[0]).toEqual(before.claims[0]);
  });

  it('is the file where it was edited since, or has schedules', async () => {
    const scheduled = `${claim('eve')}  sleepSchedules: [{ sleep: "0 18 * * *", timeZone: Europe/Berlin }]\n`;
    writeTree(root, [
      [file('ada'), claim('ada')],
      [file('eve'), scheduled],
    ]);
    await synth({ root });
    writeTree(root, [[file('ada'), claim('ada', { state: 'Deleted' })]]);
    const { claims, unread } = await read();
    expect([...unread]).toEqual([]);
    expect(claims.map(({ name, state, schedules }) => [name, state, schedules.length])).toEqual([
      ['ada', 'Deleted', 0],
      ['eve', 'Running', 1],
    ]);
  });

  it('is every file again after the settings changed', async () => {
    writeTree(root, [[file('ada'), claim('ada')]]);
    await synth({ root });
    writeTree(root, [['state/settings.yaml', settings({ extra: '  expiry: { after: 30d }\n' })]]);
    const { claims, unread } = await read();
    expect([[...unread], claims[0]?.expiry]).toEqual([[], { after: 2_592_000, grace: 5_184_000 }]);
  });
});

describe('what cannot be read', () => {
  it('is left out with its record, and all others are read', async () => {
    writeTree(root, [
      [file('ada'), claim('ada').replace('state: Running', 'state: Dozing')],
      [file('bob'), claim('bob')],
      ['state/records/ada.yaml', uninstalled('ada', 'Deleted')],
    ]);
    const { claims, unreadable, problems } = await read();
    expect(claims.map(({ name }) => name)).toEqual(['bob']);
    expect([...unreadable]).toEqual(['ada']);
    expect(problems).toMatchObject([{ place: { file: file('ada'), line: 9 } }]);
  });

  it('may be about anything: then no record is one of something that is gone', async () => {
    writeTree(root, [
      [file('ada'), 'kind: [\n'],
      [file('bob'), claim('bob')],
      ['state/records/bob.yaml', uninstalled('bob', 'Deleted')],
      ['state/records/carl.yaml', uninstalled('carl', 'Deleted')],
    ]);
    expect([...(await read()).unreadable].sort()).toEqual(['ada', 'carl']);
  });

  it('may be a record: then nothing is decided about its claim', async () => {
    writeTree(root, [
      [file('ada'), claim('ada')],
      ['state/records/ada.yaml', uninstalled('ada', 'Deleted').replace('at:', 'when:')],
    ]);
    const { records, unreadable } = await read();
    expect([records.size, [...unreadable]]).toEqual([0, ['ada']]);
  });

  it('includes a name that two claims have', async () => {
    writeTree(root, [
      [file('ada'), claim('ada')],
      ['state/claims/more/ada.yaml', claim('ada', { state: 'Deleted' })],
    ]);
    expect([...(await read()).unreadable]).toEqual(['ada']);
  });

  it('includes everything when it is the settings', async () => {
    writeTree(root, [['state/settings.yaml', 'kind: Settings\n']]);
    expect((await readStateInput(await stateIn())).kind).toBe('problems');
    rmSync(join(root, 'state/settings.yaml'));
    expect(await readStateInput(await stateIn())).toMatchObject({ problems: [{ code: 'settings-missing' }] });
  });
});
