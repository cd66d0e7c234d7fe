import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { at, textOf } from '../../src/lifecycle/instants.ts';
import { renew } from '../../src/lifecycle/renew.ts';
import type { RenewalRequest } from '../../src/lifecycle/renewal.ts';
import type { LifecycleRecord } from '../../src/resolve/state.ts';
import { Life } from './life.ts';
import { claimOf, day, hour, recordOf, settings, start } from './sample.ts';

const identity = claimOf().identity;
const sleep = start + 90 * day;
const request: RenewalRequest = { identity, deadline: sleep, issuedAt: sleep - 7 * day, by: 'ada@example.edu' };

function warned(): Life {
  return new Life().until(start + 84 * day);
}

describe('a renewal', () => {
  it('counts from the press of the button, and the time begins anew', () => {
    const { claim, record } = warned();
    const answer = renew(start + 85 * day, { claim, record, settings }, request);
    expect(answer).toMatchObject({
      kind: 'renewed',
      deadlines: { sleep: start + 175 * day, delete: start + 235 * day, warnSleep: start + 168 * day },
      record: {
        renewals: [{ at: textOf(start + 85 * day), by: 'ada@example.edu', deadline: textOf(sleep) }],
        deadlines: { sleep: textOf(start + 175 * day), delete: textOf(start + 235 * day) },
        warnings: [],
      },
    });
  });

  it('is one, however often the button is pressed, and the answer stays the same', () => {
    const { claim, record } = warned();
    const first = renew(start + 85 * day, { claim, record, settings }, request);
    if (first.kind !== 'renewed') throw new Error('not renewed');
    for (const later of [hour, 3 * day, 300 * day]) {
      const again = renew(start + 85 * day + later, { claim, record: first.record, settings }, request);
      expect(again).toEqual({ kind: 'alreadyRenewed', deadlines: first.deadlines });
    }
  });

  it('is done already for a link that was sent before it', () => {
    const record = recordOf({ renewals: [{ at: textOf(start + 84 * day) }] });
    const answer = renew(start + 85 * day, { claim: claimOf(), record, settings }, request);
    expect(answer.kind).toBe('alreadyRenewed');
  });

  it('of a claim that expiry put to sleep leaves it asleep, and lets its schedules wake it again', () => {
    const life = new Life().until(start + 95 * day);
    const { claim, record } = life;
    const link = { identity, deadline: start + 150 * day, issuedAt: start + 90 * day };
    const answer = renew(start + 95 * day, { claim, record, settings }, link);
    if (answer.kind !== 'renewed') throw new Error('not renewed');
    expect([answer.record.asleep, life.claim.state]).toEqual([undefined, 'Sleeping']);
    life.record = answer.record;
    life.claim = { ...claim, schedules: [{ wake: '0 7 * * *', timeZone: 'Etc/UTC' }] };
    life.until(start + 97 * day);
    expect(life.claim.state).toBe('Running');
  });

  it('that git could not take in time takes back the deletion that was ordered meanwhile, but no other one', () => {
    const life = new Life().until(start + 150 * day + hour);
    const { claim, record } = life;
    if (record === undefined) throw new Error('no record');
    const link = { identity, deadline: start + 150 * day, issuedAt: start + 143 * day };
    const answer = renew(start + 149 * day, { claim, record, settings }, link);
    if (answer.kind !== 'renewed' || answer.state === undefined) throw new Error('not taken back');
    expect(answer.state).toEqual({ file: 'state/claims/ada.yaml', from: 'Deleted', to: 'Sleeping' });
    const byPerson = { ...record, deletion: { at: textOf(start + 150 * day), by: 'Person' as const } };
    const refused = { kind: 'refused', code: 'deletion-ordered' };
    expect(renew(start + 149 * day, { claim, record: byPerson, settings }, link)).toEqual(refused);
    expect(renew(start + 150 * day, { claim, record, settings }, link)).toEqual(refused);
    life.record = answer.record;
    life.claim = { ...claim, state: answer.state.to };
    life.until(start + 230 * day);
    expect([life.claim.state, life.record.deadlines?.sleep]).toEqual(['Sleeping', textOf(start + 239 * day)]);
  });

  it.each<[string, Parameters<typeof renew>[1], Partial<RenewalRequest>]>([
    ['unknown-claim', { claim: undefined, record: recordOf(), settings }, {}],
    ['unknown-claim', { claim: claimOf(), record: undefined, settings }, {}],
    ['foreign', { claim: claimOf(), record: recordOf({ identity: 'ffffffffffffffffffff' }), settings }, {}],
    ['deletion-ordered', { claim: claimOf({ state: 'Deleted' }), record: recordOf(), settings }, {}],
    ['never-expires', { claim: claimOf({ expiry: 'Never' }), record: recordOf(), settings }, {}],
    ['never-expires', { claim: claimOf({ protected: true }), record: recordOf(), settings }, {}],
    ['expired', { claim: claimOf(), record: recordOf(), settings }, { deadline: start + 85 * day }],
  ])('is refused as %s', (code, subject, change) => {
    const answer = renew(start + 85 * day, subject, { ...request, ...change });
    expect(answer).toEqual({ kind: 'refused', code });
  });

  it('never moves a deadline earlier', () => {
    const instants = fc.integer({ min: start, max: start + 400 * day });
    fc.assert(
      fc.property(instants, instants, instants, fc.integer({ min: 8, max: 200 }), (now, known, deadline, days) => {
        const published = { sleep: textOf(known), delete: textOf(known + 60 * day) };
        const record: LifecycleRecord = recordOf({ deadlines: published });
        const expiry = { after: days * 86_400, grace: days * 86_400 };
        const subject = { claim: claimOf({ expiry }), record, settings };
        const answer = renew(now, subject, { identity, deadline, issuedAt: now - day });
        if (answer.kind !== 'renewed') return;
        const { deadlines } = answer.record;
        expect(at(deadlines?.sleep ?? '')).toBeGreaterThanOrEqual(at(published.sleep));
        expect(at(deadlines?.delete ?? '')).toBeGreaterThanOrEqual(at(published.delete));
      }),
    );
  });
});
