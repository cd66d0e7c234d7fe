import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide } from '../../src/lifecycle/decide.ts';
import type { LifecycleClaim } from '../../src/lifecycle/decision.ts';
import { ticksOf } from '../../src/lifecycle/ticks.ts';
import { runs } from '../support/runs.ts';
import { Life } from './life.ts';
import { ada, bob, claimOf, day, hour, inputOf, recordOf, start } from './sample.ts';

const days = (least: number, most: number) => fc.integer({ min: least, max: most });

const claims: fc.Arbitrary<Partial<LifecycleClaim>> = fc.record(
  {
    owners: fc.constantFrom([ada], [ada, bob]),
    state: fc.constantFrom('Running' as const, 'Sleeping' as const),
    protected: fc.boolean(),
    expiry: fc.oneof(
      fc.constant('Never' as const),
      fc.record({ after: days(8, 120).map((n) => n * 86_400), grace: days(8, 90).map((n) => n * 86_400) }),
    ),
    schedules: fc.constantFrom(
      [],
      [{ sleep: '0 20 * * *', wake: '0 7 * * 1-5', timeZone: 'Europe/Berlin' }],
      [{ sleep: '30 2 * * 6', timeZone: 'America/New_York' }],
    ),
    renewedAt: days(-300, 30).map((n) => new Date(start + n * day).toISOString()),
  },
  { requiredKeys: [] },
);

/** A claim after some time of its life. */
const lives = fc.tuple(claims, days(0, 260), fc.boolean()).map(([claim, age, isDeaf]) => {
  const life = new Life(claim);
  life.every = 5 * hour;
  if (isDeaf) life.server = (_, to) => (to === ada.email ? 'accepted' : 'deferred');
  return life.until(start + age * day);
});

describe('the decider', () => {
  it('is done after two more rounds at the same instant', () => {
    fc.assert(
      fc.property(lives, (life) => {
        life.server = () => 'accepted';
        const last = [life.run(), life.run(), life.run()].at(-1);
        expect([last?.state, last?.record, last?.mails ?? []]).toEqual([undefined, undefined, []]);
      }),
      { numRuns: runs(150) },
    );
  });

  it('gives the same answer twice, and leaves its input alone', () => {
    fc.assert(
      fc.property(lives, (life) => {
        const input = life.input([]);
        const before = JSON.stringify([input.claims, [...input.records]]);
        expect(decide(life.now, input)).toEqual(decide(life.now, input));
        expect(JSON.stringify([input.claims, [...input.records]])).toBe(before);
      }),
      { numRuns: runs(60) },
    );
  });

  it('has nothing to do before the instant that it names', () => {
    fc.assert(
      fc.property(lives, fc.double({ min: 0, max: 1, noNaN: true }), (life, share) => {
        for (let round = 0; round < 3; round += 1) life.run();
        const { next, decisions } = decide(life.now, life.input([]));
        const named = Math.min(next.get('ada') ?? Number.POSITIVE_INFINITY, life.now + 400 * day);
        fc.pre(decisions.length === 0 && named > life.now);
        const between = life.now + Math.floor(((named - life.now - 1000) * share) / 1000) * 1000;
        expect(decide(between, life.input([])).decisions).toEqual([]);
      }),
      { numRuns: runs(150) },
    );
  });

  it.each([
    ['a renewal that a person has dated ahead', { renewedAt: '2026-01-11T00:17:00Z' }, {}],
    ['a fresh start that a jumping clock has dated ahead', {}, { warnedAnewFrom: '2026-01-11T00:17:00Z' }],
  ])('names the instant from which %s counts', (_, claim, record) => {
    const life = new Life({ ...claim }).until(start);
    life.record = { ...(life.record ?? recordOf()), ...record };
    expect(decide(life.now, life.input([])).next.get('ada')).toBe(start + 10 * day);
  });

  it('renews nobody for waking, sleeping or editing', () => {
    const edits = fc.array(fc.tuple(days(1, 80), fc.constantFrom('Running' as const, 'Sleeping' as const)), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(edits, (list) => {
        const life = new Life().until(start + hour);
        const deadlines = life.record?.deadlines;
        for (const [after, state] of [...list].sort(([a], [b]) => a - b)) {
          life.until(start + after * day);
          life.claim = { ...life.claim, state, identity: `${after}`.padStart(20, 'e') };
          life.run();
        }
        life.until(start + 149 * day);
        expect(life.record?.deadlines).toEqual(deadlines);
      }),
      { numRuns: runs(30) },
    );
  });

  it('has nothing to say about ten thousand claims with nothing due, and reads a cron line once', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => claimOf({ name: `c${index}` }));
    const text = (instant: number) => new Date(instant).toISOString().replace('.000', '');
    const records = many.map(({ name }, index) => {
      const since = start - (index % 80) * day - index * 1000;
      const deadlines = { sleep: text(since + 90 * day), delete: text(since + 150 * day) };
      return recordOf({ name, firstSeen: text(since), deadlines });
    });
    const input = inputOf({ claims: many, records: new Map(records.map((record) => [record.name, record])) });
    expect(decide(start, input).decisions).toEqual([]);
    expect(ticksOf('0 20 * * *', 'Etc/UTC')).toBe(ticksOf('0 20 * * *', 'Etc/UTC'));
  });
});
