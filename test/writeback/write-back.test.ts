import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StateClone } from '../../src/writeback/clone.ts';
import { readState } from '../../src/writeback/state-at-tip.ts';
import { seedOf } from '../support/seed.ts';
import { itInSoak } from '../support/soak.ts';
import { openWorkshop, type TempRepo, type Workshop } from '../support/temp-repo.ts';
import { adaFile, author, claimText, cloneOf, renew, setState, writeIn } from './claims.ts';

const sow = seedOf({
  [adaFile]: claimText('ada'),
  'state/claims/bob.yaml': claimText('bob').replaceAll('\n', '\r\n'),
  'out/inventory.jsonl': '{}\n',
});
let shop: Workshop;
let bare: string;
let repo: TempRepo;
let clone: StateClone;

beforeEach(async () => {
  shop = openWorkshop();
  ({ bare, repo } = await sow(shop, 'person'));
  clone = cloneOf(shop, `file://${bare}`);
});
afterEach(() => {
  clone.close();
  shop.close();
});

const remote = async (...args: string[]) => repo.git('--git-dir', bare, ...args);

describe('writing back', () => {
  it('changes one word of one file and nothing else, in one commit', async () => {
    const result = await writeIn(clone, setState('ada', 'Sleeping'));
    expect(result).toMatchObject({ kind: 'written', paths: [adaFile], branch: 'main', note: 'done', attempts: 1 });
    expect(await remote('diff', '--stat', 'main^', 'main')).toContain('1 file changed, 1 insertion(+), 1 deletion(-)');
    expect(await remote('show', `main:${adaFile}`)).toBe(claimText('ada', 'Sleeping').trim());
    expect(await remote('log', '-1', '--format=%an <%ae>|%s', 'main')).toBe(
      'Quiesce <quiesce@example.com>|Sleeping ada',
    );
  });

  it('keeps the line ends of a file', async () => {
    await writeIn(clone, setState('bob', 'Sleeping'));
    await repo.git('pull', '--quiet');
    expect(repo.read('state/claims/bob.yaml')).toBe(claimText('bob', 'Sleeping').replaceAll('\n', '\r\n'));
  });

  it('adds and removes files', async () => {
    await writeIn(clone, renew('ada', '2026-02-01T00:00:00Z'));
    expect(await remote('show', 'main:state/records/ada.yaml')).toContain('    - at: "2026-02-01T00:00:00Z"');
    const edits = [{ path: adaFile, text: undefined }];
    await writeIn(clone, async () => ({ kind: 'write', edits, subject: 'Forget ada', body: [], note: '' }));
    expect(await remote('ls-tree', '-r', '--name-only', 'main')).toBe(
      'out/inventory.jsonl\nstate/claims/bob.yaml\nstate/records/ada.yaml',
    );
  });

  it('changes many files as it changes one', async () => {
    const paths = Array.from({ length: 300 }, (_, index) => `state/records/r${index}.yaml`);
    const edits = [{ path: adaFile, text: claimText('ada', 'Sleeping') }].concat(
      paths.map((path) => ({ path, text: `of: ${path}\n` })),
    );
    const decide = async () => ({ kind: 'write', edits, subject: 'Many', body: [], note: '' }) as const;
    expect(await writeIn(clone, decide)).toMatchObject({ kind: 'written', paths: [adaFile, ...paths] });
    expect(await remote('show', 'main:state/records/r299.yaml')).toBe('of: state/records/r299.yaml');
    expect(await writeIn(clone, decide)).toMatchObject({ kind: 'nothing' });
    const link = [...edits, { path: 'state/claims/bob.yaml/inside', text: 'x\n' }];
    const wrong = async () => ({ kind: 'write', edits: link, subject: 'Wrong', body: [], note: '' }) as const;
    expect(await writeIn(clone, wrong)).toMatchObject({ kind: 'failed', finding: { code: 'commit-path-occupied' } });
  });

  it('names who asked for it as co-authors, whatever their names hold', async () => {
    const coAuthors = [
      { name: 'Ada <script>\nX-Evil: 1', email: 'ada@example.com>' },
      { name: 'Bob', email: 'bob@example.com' },
    ];
    const decide = setState('ada', 'Sleeping');
    await writeIn(clone, async (state) => {
      const decision = await decide(state);
      return decision.kind === 'write' ? { ...decision, body: ['Because.'], coAuthors } : decision;
    });
    const trailers = '%(trailers:key=Co-authored-by,valueonly)';
    expect(await remote('log', '-1', `--format=${trailers}`, 'main')).toBe(
      'Ada script X-Evil: 1 <ada@example.com>\nBob <bob@example.com>',
    );
    expect(await remote('log', '-1', '--format=%(trailers:only)', 'main')).not.toMatch(/^X-Evil/m);
    expect(await remote('log', '-1', '--format=%b', 'main')).toMatch(/^Because\.\n\nCo-authored-by/);
  });

  it('does nothing when there is nothing to do, or when it has been done', async () => {
    expect(await writeIn(clone, setState('ada', 'Running'))).toMatchObject({ kind: 'nothing' });
    expect(await writeIn(clone, setState('eve', 'Running'))).toMatchObject({ kind: 'nothing', note: 'no such claim' });
    const same = [
      { path: adaFile, text: claimText('ada') },
      { path: 'state/claims/none.yaml', text: undefined },
    ];
    const decide = async () => ({ kind: 'write', edits: same, subject: 'Nothing', body: [], note: '' }) as const;
    expect(await writeIn(clone, decide)).toMatchObject({ kind: 'nothing' });
    expect(await remote('rev-list', '--count', 'main')).toBe('1');
  });

  it('says what it would write without writing it', async () => {
    expect(await writeIn(clone, setState('ada', 'Deleted'), { dryRun: true })).toMatchObject({
      kind: 'would-write',
      subject: 'Deleted ada',
      edits: [{ path: adaFile, text: claimText('ada', 'Deleted') }],
    });
    expect(await remote('rev-list', '--count', 'main')).toBe('1');
  });

  it('sees what others pushed since the last time', async () => {
    await writeIn(clone, setState('ada', 'Sleeping'));
    await repo.git('pull', '--quiet');
    await repo.commit('Wake', { [adaFile]: claimText('ada') });
    await repo.git('push', '--quiet');
    const answer = await readState(clone, { author });
    expect(answer.kind === 'ok' && (await answer.state.text(adaFile))).toBe(claimText('ada'));
    expect(await writeIn(clone, setState('ada', 'Sleeping'))).toMatchObject({ kind: 'written' });
    expect(await remote('rev-list', '--count', 'main')).toBe('4');
  });

  it('goes on with a branch that was rewritten', async () => {
    await writeIn(clone, setState('ada', 'Sleeping'));
    await repo.commit('Rewritten', { 'state/notes.md': 'x\n' });
    await repo.git('commit', '--quiet', '--amend', '-m', 'A new beginning');
    await repo.git('push', '--quiet', '--force', 'origin', 'main');
    expect(await writeIn(clone, setState('ada', 'Deleted'))).toMatchObject({ kind: 'written', attempts: 1 });
    expect(await remote('log', '--format=%s', 'main')).toBe('Deleted ada\nA new beginning\nState');
  });

  it('fetches only the newest commit, and none of the past', async () => {
    for (const n of [1, 2, 3]) await repo.commit(`Note ${n}`, { 'notes.md': `${n}\n` });
    await repo.git('push', '--quiet');
    await writeIn(clone, setState('ada', 'Sleeping'));
    await clone.with(async ({ git }) => expect(await git.run(['rev-list', '--count', '--all'])).toBe('2\n'));
    expect(await remote('rev-list', '--count', 'main')).toBe('5');
  });

  it.each([
    [
      'a link',
      async () => repo.git('update-index', '--add', '--cacheinfo', `120000,${await linkTo('bob.yaml')},${adaFile}`),
    ],
    [
      'a folder',
      async () =>
        repo.git('mv', adaFile, 'state/claims/x.yaml').then(async () => repo.commit('x', { [`${adaFile}/y`]: '1' })),
    ],
  ])('refuses to write where %s is', async (_, change) => {
    await change();
    await repo.git('commit', '--quiet', '-m', 'Odd', '--allow-empty');
    await repo.git('push', '--quiet', 'origin', 'main');
    const edits = [{ path: adaFile, text: 'x: 1\n' }];
    const decide = async () => ({ kind: 'write', edits, subject: 'Write', body: [], note: '' }) as const;
    expect(await writeIn(clone, decide)).toMatchObject({ kind: 'failed', finding: { code: 'commit-path-occupied' } });
  });
  const linkTo = async (target: string) => {
    repo.write('target', target);
    return repo.git('hash-object', '-w', 'target');
  };

  it('throws for a file outside of state/: that is a mistake of ours', async () => {
    const edits = [{ path: 'README.md', text: 'x\n' }];
    const decide = async () => ({ kind: 'write', edits, subject: 'Write', body: [], note: '' }) as const;
    await expect(writeIn(clone, decide)).rejects.toThrow('README.md is not below state/');
  });

  it('leaves nothing behind', async () => {
    await writeIn(clone, setState('ada', 'Sleeping'));
    await clone.with(async ({ scratch }) => expect(readdirSync(scratch)).toEqual([]));
    clone.close();
    await expect.poll(() => (existsSync(shop.path('work')) ? readdirSync(shop.path('work')) : [])).toEqual([]);
  });

  it('starts again with a new clone when a killed git left a lock', () =>
    startsAgainAfter((dir) => writeFileSync(join(dir, 'shallow.lock'), '')));
  itInSoak('starts again with a new clone when its objects were lost', () =>
    startsAgainAfter((dir) => rmSync(join(dir, 'objects'), { recursive: true })),
  );
  itInSoak('starts again with a new clone when its packs are damaged', () =>
    startsAgainAfter((dir) => {
      for (const name of readdirSync(join(dir, 'objects'))) {
        for (const file of readdirSync(join(dir, 'objects', name))) {
          rmSync(join(dir, 'objects', name, file));
          writeFileSync(join(dir, 'objects', name, file), 'garbage');
        }
      }
    }),
  );
  async function startsAgainAfter(damage: (dir: string) => void): Promise<void> {
    await writeIn(clone, setState('ada', 'Sleeping'));
    await clone.with(async ({ commonDir }) => damage(commonDir));
    await repo.git('pull', '--quiet');
    await repo.commit('Note', { 'notes.md': 'x\n' });
    await repo.git('push', '--quiet');
    expect(await writeIn(clone, setState('ada', 'Running'))).toMatchObject({ kind: 'written' });
    expect(await remote('rev-list', '--count', 'main')).toBe('4');
  }

  it('says so when the branch is not there', async () => {
    const other = cloneOf(shop, `file://${bare}`, { branch: 'release' });
    expect(await writeIn(other, setState('ada', 'Sleeping'))).toMatchObject({
      kind: 'failed',
      finding: { code: 'commit-no-base-branch' },
    });
    other.close();
  });
});
