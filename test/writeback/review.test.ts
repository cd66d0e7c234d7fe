import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StateClone } from '../../src/writeback/clone.ts';
import { readState } from '../../src/writeback/state-at-tip.ts';
import { seedOf } from '../support/seed.ts';
import { openWorkshop, type TempRepo, type Workshop } from '../support/temp-repo.ts';
import { adaFile, author, claimText, cloneOf, recordText, renew, setState, writeIn } from './claims.ts';

const review = 'quiesce/state';
const recordFile = 'state/records/ada.yaml';
const sow = seedOf({ [adaFile]: claimText('ada'), [recordFile]: recordText('ada') });
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
const onMain = async (message: string, files: Record<string, string>) => {
  await repo.git('pull', '--quiet');
  await repo.commit(message, files);
  await repo.git('push', '--quiet', 'origin', 'main');
};
const merge = async (...how: string[]) => {
  await repo.git('fetch', '--quiet');
  await repo.git('merge', '--quiet', ...how, `origin/${review}`);
  if (how.includes('--squash')) await repo.git('commit', '--quiet', '-m', 'Squashed');
  await repo.git('push', '--quiet', 'origin', 'main');
};

describe('a branch for a pull request', () => {
  it('gets the commit, and the protected one does not move', async () => {
    const main = await remote('rev-parse', 'main');
    expect(await writeIn(clone, setState('ada', 'Sleeping'), { review })).toMatchObject({
      kind: 'written',
      branch: review,
    });
    expect(await remote('rev-parse', 'main')).toBe(main);
    expect(await remote('log', '--format=%s', review)).toBe('Sleeping ada\nState');
  });

  it('counts as if it had been merged: nothing is proposed twice', async () => {
    await writeIn(clone, renew('ada', '2026-02-01T00:00:00Z'), { review });
    expect(await writeIn(clone, renew('ada', '2026-02-01T00:00:00Z'), { review })).toMatchObject({ kind: 'nothing' });
    await writeIn(clone, renew('ada', '2026-02-02T00:00:00Z'), { review });
    const answer = await readState(clone, { author, review });
    expect(answer.kind === 'ok' && (await answer.state.text(recordFile))).toContain('2026-02-01');
    expect(await remote('rev-list', '--count', `main..${review}`)).toBe('2');
  });

  it.each([
    ['merged', ['--no-ff']],
    ['fast-forwarded', ['--ff-only']],
    ['squashed', ['--squash']],
  ])('once it was %s, goes on from there', async (_, how) => {
    await writeIn(clone, renew('ada', '2026-02-01T00:00:00Z'), { review });
    await merge(...how);
    expect(await writeIn(clone, renew('ada', '2026-02-01T00:00:00Z'), { review })).toMatchObject({ kind: 'nothing' });
    await writeIn(clone, renew('ada', '2026-02-02T00:00:00Z'), { review });
    expect(await remote('diff', '--stat', `main...${review}`)).toMatch(/1 file changed, \d insertions?\(\+\)$/);
    await merge('--no-ff');
    expect(await remote('show', `main:${recordFile}`)).toMatch(/2026-02-01.*2026-02-02/s);
  });

  it('is brought up to date when the base has gone on elsewhere', async () => {
    await writeIn(clone, renew('ada', '2026-02-01T00:00:00Z'), { review });
    await onMain('Add bob', { 'state/claims/bob.yaml': claimText('bob') });
    expect(await writeIn(clone, setState('bob', 'Sleeping'), { review })).toMatchObject({ kind: 'written' });
    expect(await remote('log', '--first-parent', '--format=%s', review)).toBe(
      `Sleeping bob\nBring ${review} up to date with main\nRenew ada\nState`,
    );
    expect(await remote('diff', '--name-only', 'main', review)).toBe(`state/claims/bob.yaml\n${recordFile}`);
  });

  it('in conflict over a record keeps what both sides know', async () => {
    await writeIn(clone, renew('ada', '2026-02-01T00:00:00Z'), { review });
    const other = `${recordText('ada')}  renewals:\n    - at: "2026-01-15T00:00:00Z" # by hand\n`;
    await onMain('Renew by hand', { [recordFile]: other });
    expect(await writeIn(clone, renew('ada', '2026-02-01T00:00:00Z'), { review })).toMatchObject({
      kind: 'written',
      subject: `Bring ${review} up to date with main`,
    });
    expect(await remote('show', `${review}:${recordFile}`)).toBe(`${other}    - at: "2026-02-01T00:00:00Z"`);
    await merge('--ff-only');
  });

  it('in conflict over a claim takes what people merged, and is decided again', async () => {
    await writeIn(clone, setState('ada', 'Sleeping'), { review });
    await onMain('Describe', { [adaFile]: claimText('ada').replace('# until summer', '# until autumn') });
    await writeIn(clone, setState('ada', 'Sleeping'), { review });
    expect(await remote('show', `${review}:${adaFile}`)).toBe(
      claimText('ada', 'Sleeping').replace('# until summer', '# until autumn').trim(),
    );
  });

  it('with edits of people in conflict is left to them', async () => {
    await writeIn(clone, setState('ada', 'Sleeping'), { review });
    await onMain('Notes', { 'notes.md': 'ours\n' });
    await repo.git('fetch', '--quiet');
    await repo.git('switch', '--quiet', review);
    await repo.commit('Notes', { 'notes.md': 'theirs\n' });
    await repo.git('push', '--quiet', 'origin', review);
    expect(await writeIn(clone, setState('ada', 'Deleted'), { review })).toMatchObject({
      kind: 'failed',
      finding: { code: 'commit-review-branch-edited' },
    });
  });

  it('of two that propose at once, none loses anything', async () => {
    const second = cloneOf(shop, `file://${bare}`);
    const retry = { attempts: 20, delay: () => 5 };
    await Promise.all([
      writeIn(clone, renew('ada', '2026-02-01T00:00:00Z'), { review, retry }),
      writeIn(second, setState('ada', 'Sleeping'), { review, retry }),
    ]);
    second.close();
    expect(await remote('show', `${review}:${recordFile}`)).toContain('2026-02-01');
    expect(await remote('show', `${review}:${adaFile}`)).toContain('Sleeping');
  });

  it('that was deleted after the merge is made again', async () => {
    await writeIn(clone, renew('ada', '2026-02-01T00:00:00Z'), { review });
    await merge('--no-ff');
    await remote('branch', '-D', review);
    expect(await writeIn(clone, setState('ada', 'Sleeping'), { review })).toMatchObject({ kind: 'written' });
    expect(await remote('rev-list', '--count', `main..${review}`)).toBe('1');
  });
});
