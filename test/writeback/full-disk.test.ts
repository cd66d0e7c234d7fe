import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { StateClone } from '../../src/writeback/clone.ts';
import type { Decide } from '../../src/writeback/write-back.ts';
import { type GitServer, startGitServer } from '../support/git-server.ts';
import { describeOnSmallDisk, openSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { openWorkshop, type TempRepo, type Workshop } from '../support/temp-repo.ts';
import { cloneOf, recordText, renew, writeIn } from './claims.ts';

describeOnSmallDisk('a full disk', () => {
  let shop: Workshop;
  let server: GitServer;
  let disk: SmallDisk;
  let person: TempRepo;
  let clone: StateClone;
  beforeAll(async () => {
    shop = openWorkshop();
    disk = openSmallDisk();
    server = await startGitServer({ repos: ['platform'] });
    person = await shop.clone(server.url('platform'), 'person');
    await person.commit('State', { 'state/records/ada.yaml': recordText('ada') });
    await person.git('push', '--quiet', 'origin', 'main');
    clone = cloneOf(shop, server.url('platform'), { work: disk.path });
  });
  afterAll(async () => {
    clone.close();
    await server.close();
    disk.close();
    shop.close();
  });

  const remote = async (...args: string[]) => person.git('--git-dir', server.bare('platform'), ...args);
  const subjects = async () => (await remote('log', '--format=%s', 'main')).split('\n');
  const noSpace = {
    kind: 'failed',
    finding: { code: 'commit-no-space', message: expect.stringMatching(/^There is no space left on this machine: ./) },
  };

  /** Whether it was written: otherwise it says what is the matter, and the branch is as it was. */
  async function isWritten(decide: Decide<string>): Promise<boolean> {
    const before = await subjects();
    const result = await writeIn(clone, decide);
    if (result.kind === 'written') return true;
    expect(result).toMatchObject(noSpace);
    expect(await subjects()).toEqual(before);
    return false;
  }

  it('before there is a clone: nothing is written until there is room, and then once', async () => {
    const decide = renew('ada', '2026-02-01T00:00:00Z');
    const written: boolean[] = [];
    for (const left of [0, 16, 64, 2048]) {
      disk.fill(left);
      written.push(await isWritten(decide));
      if (written.at(-1)) break;
    }
    expect([written[0], written.at(-1)]).toEqual([false, true]);
    expect(await subjects()).toEqual(['Renew ada', 'State']);
  });

  it('while it is decided, with less and less room: nothing is lost, and the next run goes on', async () => {
    let commits = (await subjects()).length;
    for (const left of [8, 0]) {
      const decide = renew('ada', `2026-03-01T00:00:${String(left).padStart(2, '0')}Z`);
      const isDone = await isWritten(async (state) => {
        const decision = await decide(state);
        disk.fill(left);
        return decision;
      });
      if (left === 0) expect(isDone).toBe(false);
      disk.clear();
      expect(await writeIn(clone, decide)).toMatchObject({ kind: isDone ? 'nothing' : 'written' });
      commits += 1;
      expect(await subjects()).toHaveLength(commits);
    }
    await remote('fsck', '--strict');
  });

  it('that our own clone has filled: it goes, and the work is done in a new one', async () => {
    expect(await isWritten(renew('ada', '2026-04-01T00:00:00Z'))).toBe(true);
    const [run = ''] = readdirSync(disk.path);
    const fill = () => writeFileSync(join(disk.path, run, 'state.git', 'garbage'), Buffer.alloc(16 << 20));
    expect(fill).toThrow('ENOSPC');
    expect(await isWritten(renew('ada', '2026-05-01T00:00:00Z'))).toBe(true);
    expect(readdirSync(disk.path)).not.toContain(run);
  });
});
