import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openKeptPresses, pressId } from '../../src/keepalive/kept-presses.ts';
import type { Instance, Press, Seen } from '../../src/keepalive/press.ts';
import { openRenewals, type RenewalsOptions } from '../../src/keepalive/renewals.ts';
import { openLog } from '../../src/sidecar/log.ts';

let folder: string;
let damaged: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quiesce-presses-'));
  damaged = [];
});
afterEach(() => {
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true, force: true });
});
const open = () => openKeptPresses(folder, (file) => damaged.push(file));

function pressOf(claim: string, at = 5_000): Press {
  const link = { claim, identity: '0123456789abcdef', deadline: 9_000_000, issuedAt: 1_000 };
  return { id: pressId(link), link, at };
}

describe('presses that are kept', () => {
  it('are there after a restart, in their order, each once, with the time of the first', async () => {
    const kept = open();
    await kept.keep(pressOf('bob', 7_000));
    await Promise.all([kept.keep(pressOf('ada')), kept.keep(pressOf('ada', 6_000))]);
    await kept.keep(pressOf('ada', 8_000));
    const again = open();
    expect(again.list()).toEqual([pressOf('ada'), pressOf('bob', 7_000)]);
    await again.forget(pressOf('ada').id);
    expect(open().list()).toEqual([pressOf('bob', 7_000)]);
    expect(damaged).toEqual([]);
  });

  it('half of one is forgotten, since nobody was told of it; what is no press is set aside', async () => {
    await open().keep(pressOf('ada'));
    writeFileSync(join(folder, 'x.json.part'), '{"id"');
    writeFileSync(join(folder, 'y.json'), '{"id"');
    writeFileSync(
      join(folder, `${pressOf('bob').id}.json`),
      JSON.stringify({ ...pressOf('bob'), link: pressOf('eve').link }),
    );
    expect(open().list()).toEqual([pressOf('ada')]);
    expect(damaged).toHaveLength(2);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
    expect(open().list()).toEqual([pressOf('ada')]);
    expect(damaged).toHaveLength(2);
  });
});

const instance: Instance = { name: 'campus', language: 'en', isReviewed: false };
const renewed: Seen = { outcome: { kind: 'renewed', sleep: 1, delete: 2 }, dates: {} };

describe('the one who writes', () => {
  const batches: string[][] = [];
  /** `answer` decides what becomes of a batch, as the process that works with git does. */
  function start(
    answer: (presses: readonly Press[]) => ReturnType<RenewalsOptions['client']['renew']>,
    kept: RenewalsOptions['kept'] = open(),
  ) {
    batches.length = 0;
    return openRenewals({
      kept,
      client: {
        look: async () => ({ kind: 'failed', code: 'none', message: 'none' }),
        renew: async (presses) => {
          batches.push(presses.map(({ link }) => link.claim));
          return answer(presses);
        },
        close: async () => undefined,
      },
      log: openLog({ level: 'silent', fields: {} }),
      wait: async (milliseconds, stop) =>
        new Promise((done) => {
          const timer = setTimeout(done, Math.min(milliseconds, 20));
          stop.addEventListener('abort', () => {
            clearTimeout(timer);
            done();
          });
        }),
      random: () => 0.5,
      gatherMs: 5,
      answerMs: 2_000,
    });
  }
  const all = async (presses: readonly Press[]) =>
    ({ kind: 'written', instance, byId: Object.fromEntries(presses.map(({ id }) => [id, renewed])) }) as const;
  const failed = { kind: 'failed', code: 'commit-unreachable', message: 'no route' } as const;

  it('writes together what comes together, and answers each', async () => {
    const renewals = start(all);
    const settled = await Promise.all(['a', 'b', 'c'].map((claim) => renewals.press(pressOf(claim))));
    expect(settled).toEqual([1, 2, 3].map(() => ({ kind: 'settled', seen: renewed, instance })));
    expect(batches.map((batch) => batch.toSorted())).toEqual([['a', 'b', 'c']]);
    expect(open().list()).toEqual([]);
    await renewals.stop();
  });

  it('keeps what cannot be written, says so, and writes it when it can', async () => {
    let isReachable = false;
    const renewals = start(async (presses) => (isReachable ? all(presses) : failed));
    expect(await renewals.press(pressOf('a'))).toEqual({ kind: 'kept' });
    expect(renewals.isWaiting(pressOf('a').id)).toBe(true);
    expect(open().list()).toEqual([pressOf('a')]);
    isReachable = true;
    await expect.poll(() => open().list()).toEqual([]);
    expect(renewals.isWaiting(pressOf('a').id)).toBe(false);
    await renewals.stop();
  });

  it('keeps what cannot be decided, and goes on with the others', async () => {
    const unreadable: Seen = { outcome: { kind: 'unreadable' }, dates: {} };
    const renewals = start(async (presses) => {
      const answer = await all(presses);
      return { ...answer, byId: { ...answer.byId, [pressOf('a').id]: unreadable } };
    });
    const settled = await Promise.all(['a', 'b'].map((claim) => renewals.press(pressOf(claim))));
    expect(settled.map(({ kind }) => kind)).toEqual(['kept', 'settled']);
    expect(open().list()).toEqual([pressOf('a')]);
    await renewals.stop();
  });

  it('after a restart begins with what was left', async () => {
    await open().keep(pressOf('a'));
    const renewals = start(all);
    await expect.poll(() => open().list()).toEqual([]);
    expect(batches).toEqual([['a']]);
    await renewals.stop();
  });

  it('accepts nothing that it could neither keep nor write', async () => {
    const full = { ...open(), keep: async () => Promise.reject(new Error('ENOSPC: no space left on device')) };
    const renewals = start(async () => failed, full);
    expect(await renewals.press(pressOf('a'))).toEqual({ kind: 'lost' });
    expect(renewals.isWaiting(pressOf('a').id)).toBe(false);
    await renewals.stop();
    const other = start(all, full);
    expect(await other.press(pressOf('a'))).toMatchObject({ kind: 'settled' });
    await other.stop();
  });
});
